import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joined, sanitizeFragment, sanitizeSheet, wrapped } from '../css.ts';
import { TOKEN, rawOf, stringOf, tokensOf, unescape, urlOf } from '../css-tokens.ts';
import { testContext, TIMES } from './context.ts';

const sheet = (text: string, context = testContext()): string => joined(sanitizeSheet(text, context), () => '');

/** Returns the text with every token replaced by its address. */
function shown(text: string, context = testContext()): string {
  return sheet(text, context).replaceAll(
    /\/c\/(\w)\/[\w.-]+/g,
    (token, kind: string) => `<${kind} ${context.seen.get(token) ?? '?'}>`,
  );
}

/** Returns every address that a browser could find in a safe sheet: in url tokens, and in strings anywhere. */
function addressesIn(text: string): string[] {
  const tokens = tokensOf(text);
  const found: string[] = [];
  for (let at = 0; at < tokens.count; at++) {
    if (tokens.types[at] === TOKEN.url) found.push(urlOf(rawOf(tokens, at)));
    const before = tokens.types[at - 1] === TOKEN.space ? at - 2 : at - 1;
    const called = tokens.types[before] === TOKEN.function ? rawOf(tokens, before).toLowerCase() : '';
    if (tokens.types[at] === TOKEN.string && /^(url|src|image-set|-webkit-image-set|image)\($/.test(called)) {
      found.push(stringOf(rawOf(tokens, at)));
    }
  }
  return found;
}

const SAFE_ADDRESS = /^(?:\/c\/[if]\/tab1\.[\w-]{43}(?:#.*)?|#.*|data:image\/.*|about:invalid)$/s;

describe('style sheets', () => {
  it('gives a namespace that stands after a rule no effect, behind an import either', () => {
    expect(sheet('@import "a.css";p{}@namespace svg "urn:x";q{}')).not.toContain('namespace');
    expect(sheet('@import "a.css";@namespace svg "urn:x";p{}')).toContain('@namespace svg');
    expect(sheet('@import "a.css";;@namespace svg "urn:x";p{}')).not.toContain('namespace');
  });

  it('reads what follows a mark of an HTML comment as a statement, as browsers do', () => {
    const text = '<!-- @import "a.css"; @namespace svg "urn:x"; <!-- --> p{color:red} --> @font-face{src:url(f)} -->';
    const { parts, declared } = sanitizeSheet(text, testContext());
    expect(parts.filter((part) => typeof part !== 'string')).toMatchObject([
      { address: 'https://site.test/dir/a.css' },
    ]);
    expect(declared).toContain('@namespace svg');
    expect(shown(text).replaceAll(/\s+/g, ' ')).toContain(
      'p{color:red} @font-face{src:url("<f https://site.test/dir/f>")}',
    );
    expect(sheet('p{<!-- color:red}')).toContain('<!--');
  });

  it('keeps the source text of unchanged parts', () => {
    const text =
      '/* a */ @media (max-width:3px) { A > b:hover::before{color : RED;content:"\\201C x";margin:-1e3px} }\n';
    expect(sheet(text)).toBe(text);
  });

  it.each([
    ['a{background:url(x.png)}', 'a{background:url("<i https://site.test/dir/x.png>")}'],
    ['a{background:url( "/x.png" ) 0 0}', 'a{background:url( "<i https://site.test/x.png>" ) 0 0}'],
    ['a{background:URL(\\68ttp://evil.test/x)}', 'a{background:url("<i http://evil.test/x>")}'],
    ['a{background:src("x")}', 'a{background:src("<i https://site.test/dir/x>")}'],
    [
      'a{background:image-set("a.png" 1x, url(b.png) 2x type("image/png"))}',
      'a{background:image-set("<i https://site.test/dir/a.png>" 1x, url("<i https://site.test/dir/b.png>") 2x type("image/png"))}',
    ],
    ['a{background:image-set(var(--a) 1x, var(--b) 2x) no-repeat}', 'a{background:var(--a) no-repeat}'],
    ['a{background:-WEBKIT-image-set( var( --b )192DPI,/**/var(--a) )}', 'a{background:var(--a)}'],
    ['a{background:image-set(var(--b) 2x, var(--c) 3x)}', 'a{background:var(--b)}'],
    [
      'a{background:image-set(var(--a) 1x, url(b) 2x)}',
      'a{background:v-blocked(var(--a) 1x, url("<i https://site.test/dir/b>") 2x)}',
    ],
    ['a{background:image-set(var(--a, "x") 1x)}', 'a{background:v-blocked(var(--a, "x") 1x)}'],
    [
      'a{background:image-set(var(--a) 1x type("image/png"))}',
      'a{background:v-blocked(var(--a) 1x type("image/png"))}',
    ],
    ['a{background:image-set(var(--\\61) 1x)}', 'a{background:v-blocked(var(--\\61) 1x)}'],
    ['a{background:image-set(var(--a) 1q)}', 'a{background:v-blocked(var(--a) 1q)}'],
    ['a{background:image-set(var(--a) 1x', 'a{background:v-blocked(var(--a) 1x)}'],
    ['a{--x:url(x)}', 'a{--x:url("<i https://site.test/dir/x>")}'],
    ['a{--x:{b:url(x)}}', 'a{--x:{b:url("<i https://site.test/dir/x>")}}'],
    [
      '@font-face{src:url(f.woff2) format("woff2")}',
      '@font-face{src:url("<f https://site.test/dir/f.woff2>") format("woff2")}',
    ],
    ['@media print{@font-face{src:url(f)}}', '@media print{@font-face{src:url("<f https://site.test/dir/f>")}}'],
    ['@font-face{} a{b:url(f)}', '@font-face{} a{b:url("<i https://site.test/dir/f>")}'],
    ['a{mask:url(m.svg#part)}', 'a{mask:url("<i https://site.test/dir/m.svg>#part")}'],
    ['a{fill:url(#g)}', 'a{fill:url(#g)}'],
    ['a{fill:url(https://site.test/dir/page.html#g)}', 'a{fill:url("#g")}'],
    ['a{b:url(data:image/png;base64,AA==)}', 'a{b:url(data:image/png;base64,AA==)}'],
    ['a{b:url(data:text/html,x)}', 'a{b:url("<i data:text/html,x>")}'],
    ['a{b:url(javascript:x)}', 'a{b:url("about:invalid")}'],
    ['a{b:url(file:///etc/passwd)}', 'a{b:url("about:invalid")}'],
    ['a{b:url()}', 'a{b:url("about:invalid")}'],
    ['@namespace svg url(http://www.w3.org/2000/svg);', '@namespace svg "http://www.w3.org/2000/svg";'],
    ['@namespace/**/url( "http://evil.test/" )', '@namespace "http://evil.test/";'],
    ['@namespace a url(x"y);', '@v-blocked a url(x"x);'],
    [
      String.raw`@namespace a 'x"url(http://evil.test/)\'url(http://evil.test/)';`,
      String.raw`@namespace a "x\"url(http://evil.test/)'url(http://evil.test/)";`,
    ],
    ['a{@namespace url(http://e.test/);}', 'a{@v-blocked url("<i http://e.test/>");}'],
    ['@charset "utf-8";a{}', 'a{}'],
    ['a{}@import "x.css";', 'a{}@v-blocked "x.css";'],
  ])('rewrites %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['an escaped function name', 'a{background:u\\72l(http://evil.test/)}'],
    ['an escaped function name across lines', 'a{background:\\000075\nrl(http://evil.test/)}'],
    ['substitution in image-set', 'a{--x:"http://evil.test/";background:image-set(var(--x) 1x)}'],
    ['substitution in src', 'a{background:src(var(--x))}'],
    ['a custom function in image-set', 'a{background:image-set(--f() 1x)}'],
    ['a binding', 'a{-moz-binding:url(x);\\62 ehavior:url(x);width:expression(1)}'],
    ['a bad address that another parser ends earlier', 'a{b:url(a"\\a);c:url(http://evil.test/) }'],
    ['an address after a character that is a name to some', 'a{b:\u00a0url(http://evil.test/)}'],
    ['an address glued to a number', 'a{b:1url(http://evil.test/)}'],
    ['a NUL in the name', 'a{b:u\0rl(http://evil.test/);c:\0url(http://evil.test/)}'],
  ])('defuses %s', (_, text) => {
    const safe = sheet(text);
    expect(safe).not.toMatch(/binding|behavior|expression|(?<![\w\\\ufffd-]|\\a0 )url\(http/i);
    expect(safe).not.toMatch(/(image-set|src)\([^)]*(var|--f)\(/);
    expect(addressesIn(safe)).toSatisfy((all: string[]) => all.every((address) => SAFE_ADDRESS.test(address)));
    expect(sheet(safe)).toBe(safe);
  });

  it.each([
    ['a name and a parenthesis', 'url/**/("x")', 'url  ("x")'],
    ['an escaped name', 'ur\\6c/**/("x")', 'ur\\6c  ("x")'],
    ['a name that ends in an escape', '\\75/**/rl("x")', '\\75  rl("x")'],
    ['a name in upper case', 'SRC/* y */("x")', 'SRC  ("x")'],
    ['parts of a name', 'u/**/r/**/l("x")', 'u/**/r  l("x")'],
    ['parts of a name, and a parenthesis', 'u/**/rl/**/("x")', 'u/**/rl  ("x")'],
    ['a hyphen and a name', '-/**/webkit-image-set("x" 1x)', '-  webkit-image-set("x" 1x)'],
    ['parts that end in a hyphen', 'image-/**/set("x" 1x)', 'image-  set("x" 1x)'],
    ['several comments', 'url/**//**//**/("x")', 'url/**//**/  ("x")'],
    ['a bare address', 'url/**/(http://evil.test/)', 'url  (http://evil.test/)'],
    ['a bare address behind a part', 'u/**/rl(http://evil.test/)', 'u  rl(http://evil.test/)'],
    ['a hash', '#url/**/("x")', '#url  ("x")'],
    ['a hash without a comment', '#url("x")', '#url  ("x")'],
    ['an at-keyword', '@src("x")', '@src  ("x")'],
    ['a dimension', '1url("x")', '1url  ("x")'],
    ['the start of a comment', '//**/* "*/url(http://evil.test/)"', '/  * "*/url(http://evil.test/)"'],
    ['substitution in a function with addresses', 'image-set(var/**/(--y) 1x)', 'image-set(var  (--y) 1x)'],
    ['script in old browsers', 'expr/**/ession(1)', 'expr  ession(1)'],
  ])(
    'replaces the comment that keeps an address function apart, since it may be left out: %s',
    (_, value, expected) => {
      expect(sheet(`a{--x:${value}}`)).toBe(`a{--x:${expected}}`);
      expect(sheet(`a{background:${value}}`)).toBe(`a{background:${expected}}`);
      expect(sanitizeFragment(value, testContext())).toBe(expected);
      expect(sheet(`a{--x:${expected}}`)).toBe(`a{--x:${expected}}`);
    },
  );

  it.each([
    'a/**/b',
    'a/**/("x")',
    'rgb/**/(1)',
    'a /**/("x")',
    '/**/("x")',
    'url /**/("x")',
    'url/**/ ("x")',
    'rl("x")/**/b(1)',
    'var(--a)/**/("x")',
    'var(--a)var(--b)',
    'a/**/rgb(1 2 3)/**/var(--a,/**/)',
    '"u"/**/rl(1)',
    '"url/**/(x)"',
    'linear-gradient(red/**/,/**/rgb(0 0 0)/**/1px)',
    '1/**/-1px/**/*/**/(2)',
    '/ /**/ *',
  ])('keeps the comments of %s', (value) => {
    expect(sheet(`a{--x:${value}}`)).toBe(`a{--x:${value}}`);
    expect(sanitizeFragment(value, testContext())).toBe(value);
  });

  it('answers queries of scripting as the surrogate would', () => {
    expect(sheet('@media (scripting:none){a{}} @media not ( scripting ){a{}}')).toBe(
      '@media (min-width:999999999px){a{}} @media not (min-width:0px){a{}}',
    );
    expect(sanitizeFragment('screen and (scripting: enabled)', testContext())).toBe('screen and (min-width:0px)');
    expect(sheet('@supports (scripting:none){}')).toBe('@supports (scripting:none){}');
  });

  it('[M-061] rewrites selectors of renamed elements and of inputs shown as text', () => {
    expect(sheet('noscript, body>script:not(embed) .script #script{script:x}')).toBe(
      'v-noscript, body>v-script:not(v-embed) .script #script{script:x}',
    );
    expect(sheet('input[type=email i],[type="text"]{}')).toBe(
      'input[v-type="email"],[type="text"]:where(:not([v-type])){}',
    );
    expect(sheet('a{&[type=tel]{b:c}}')).toBe('a{&[v-type="tel"]{b:c}}');
    expect(sheet('@media x{script{color:script}}')).toBe('@media x{v-script{color:script}}');
  });

  it('asks for the original values of changed attributes', () => {
    const was = (name: string, rest: string): string =>
      `:is([v-was-${name}${rest}],[${name}${rest}]:where(:not([v-was-${name}])))`;
    expect(sheet('a[href^="http"],[ HREF $= \'.pdf\' i ]{}')).toBe(
      `a${was('href', '^="http"')},${was('href', " $= '.pdf' i ")}{}`,
    );
    expect(sheet('a:not([target=_blank]):hover{}')).toBe(`a:not(${was('target', '=_blank i')}):hover{}`);
    expect(sheet('iframe[src]{&[loading=lazy]{b:c}}')).toBe(
      `iframe${was('src', '')}{&${was('loading', '=lazy')}{b:c}}`,
    );
    expect(sheet('a::after{content:attr(href) attr( data-x) attr(src type(<string>),"x")}')).toBe(
      'a::after{content:attr(v-was-href) attr( data-x) attr(v-was-src type(<string>),"x")}',
    );
    for (const same of ['[title=href]{}', '[*|href]{}', '[href=(x)]{}', 'a{grid-area:[href]}'])
      expect(sheet(same)).toBe(same);
    const once = sheet('[href=x]{}');
    expect(sheet(once)).toBe(once);
  });

  it('matches the fullscreen element by its mark', () => {
    expect(sheet('#a:fullscreen,:not(:-webkit-full-screen) b::backdrop{}')).toBe(
      '#a[data-vitrine-fullscreen],:not([data-vitrine-fullscreen]) b::backdrop{}',
    );
    expect(sheet('a{b:fullscreen}')).toBe('a{b:fullscreen}');
  });

  it('leaves queries of scripting alone where the surrogate runs none either', () => {
    const context = { ...testContext(), still: true };
    expect(joined(sanitizeSheet('@media (scripting:none){a{}}', context), () => '')).toBe(
      '@media (scripting:none){a{}}',
    );
  });

  it('closes open blocks at the end, and keeps a stray brace from closing another block', () => {
    expect(sheet('a{b:c')).toBe('a{b:c}');
    expect(sheet('a{b:rgb(1,[2')).toBe('a{b:rgb(1,[2])}');
    expect(sheet('/* x')).toBe('/* x*/');
    expect(sheet("a{b:'x")).toBe("a{b:'x'}");
    expect(sheet('a{b:url(#x')).toBe('a{b:url(#x)}');
    expect(sheet('a{}} b{c:d}')).toBe('a{}! b{c:d}');
    expect(sheet('a{b:c\\')).toBe('a{b:c\\\ufffd}');
  });

  it('keeps a byte order mark that browsers read as part of a name', () => {
    expect(sanitizeFragment('\ufeff\ufeffb\\61 ckground:red', testContext())).toBe('\\feff \\feff b\\61 ckground:red');
    expect(sheet('\ufeffp{}')).toBe('p{}');
  });

  it('returns imports with their conditions, and replaces them by their text', () => {
    const context = testContext();
    const made = sanitizeSheet(
      '@charset "x"; @layer a; @import url(1.css); @import "2.css" layer(b) supports(display:grid) screen and (scripting);' +
        '@namespace s "n"; x{} @import "3.css";',
      context,
    );
    expect(made.parts.filter((part) => typeof part !== 'string')).toEqual([
      { address: 'https://site.test/dir/1.css', media: '' },
      { address: 'https://site.test/dir/2.css', media: 'screen and (scripting)', layer: 'b', supports: 'display:grid' },
    ]);
    expect(joined(made, (imported) => wrapped(imported, 'y{}', context)).replaceAll('\n', '')).toBe(
      '@namespace s "n"; @layer a; y{} @layer b{@media screen and (min-width:0px){@supports (display:grid){y{}}}} x{} @v-blocked "3.css";',
    );
  });

  it('does not let the condition of an import end its block', () => {
    const context = testContext();
    const made = sanitizeSheet('@import "x" layer(a{}b) ; @import "y" supports(url(z)) a\\{b;', context);
    const text = joined(made, (imported) => wrapped(imported, '', context));
    expect(text.replace(/\\\{/g, '').match(/[{}]/g)?.join('') ?? '').toMatch(/^(\{\})*(\{\{\}\})*$/);
  });

  it('empties a text with too deep nesting, at once', () => {
    expect(sheet('a{b:' + '('.repeat(100_000))).toBe('');
    expect(sheet('image-set('.repeat(50_000))).toBe('');
    expect(sheet('({'.repeat(50_000))).toBe('');
  });

  it('empties a text whose nested selectors name each other too often, and leaves usual ones', () => {
    for (const list of ['&,& &,.a &', ':is(&,&)', 'a,b', '& + & + &'])
      for (const around of ['', '@media all{'])
        expect(sheet(`p{${around}` + `${list}{`.repeat(40) + 'color:red'), list).toBe('');
    const written = `@layer x{ul,ol{&:hover,&:focus{& > li{&::marker,&::before{@media print{& &{color:red}}}}}}}`;
    expect(sheet(written)).toBe(written);
    const deep = 'div{'.repeat(300) + 'color:red' + '}'.repeat(300);
    expect(sheet(deep)).toBe(deep);
    expect(sheet('a,b{x:y}'.repeat(100_000))).not.toBe('');
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ...'url u rl( - webkit-image-set( #url @src /**/ /**/ /**/ ( ("http://evil.test/")'.split(' '),
      ...'url( URL( u\\72l( src( image-set( image( ( ) [ ] { } ; : , " \' \\ \\" /* */ <!-- --> @import @font-face @media @namespace @layer'.split(
        ' ',
      ),
      ...'a b --x var( http://evil.test/x javascript:1 #f data:image/png,x 1px 1e3 # @ . script [type=text] [type=email] behavior'.split(
        ' ',
      ),
      ...[
        '\n',
        ' ',
        '\0',
        '\f',
        '\u00a0',
        '(scripting:none)',
        'expression(',
        '"http://evil.test/"',
        'url("http://evil.test/")',
      ],
    ),
    fc.string({ maxLength: 4 }),
  );
  const anySheet = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('outputs no address but tokens, fragments and pictures, whatever the input', () => {
    fc.assert(
      fc.property(anySheet, (text) => {
        const safe = sheet(text);
        return addressesIn(safe).every((address) => SAFE_ADDRESS.test(address)) && !atRules(safe).includes('@import');
      }),
      { numRuns: TIMES * 500 },
    );
  });

  const dividing = fc.constantFrom(
    ...'url u rl( rl - image-set #url @src /**/ /**/ /**/ ("http://evil.test/") ; ('.split(' '),
  );

  it('outputs no other address for an engine that leaves comments out', () => {
    fc.assert(
      fc.property(fc.array(dividing, { maxLength: 12, size: 'max' }), (pieces) => {
        const safe = tokensOf(sheet(pieces.join('')));
        let bare = '';
        for (let at = 0; at < safe.count; at++) if (safe.types[at] !== TOKEN.comment) bare += rawOf(safe, at);
        return addressesIn(bare).every((address) => SAFE_ADDRESS.test(address));
      }),
      { numRuns: TIMES * 500 },
    );
  });

  it('changes nothing when it runs again', () => {
    fc.assert(
      fc.property(anySheet, (text) => {
        const safe = sheet(text);
        expect(sheet(safe)).toBe(safe);
        const fragment = sanitizeFragment(text, testContext());
        expect(sanitizeFragment(fragment, testContext())).toBe(fragment);
      }),
      { numRuns: TIMES * 500 },
    );
  });

  it('leaves every text closed, so that text after it stays apart', () => {
    fc.assert(
      fc.property(anySheet, (text) => {
        const safe = sheet(text);
        const around = tokensOf(`${safe}\n@after;`);
        return around.types[around.count - 2] === TOKEN.at;
      }),
      { numRuns: TIMES * 300 },
    );
  });
});

function atRules(text: string): string[] {
  const tokens = tokensOf(text);
  const found: string[] = [];
  for (let at = 0; at < tokens.count; at++) {
    if (tokens.types[at] === TOKEN.at) found.push(unescape(rawOf(tokens, at)).toLowerCase());
  }
  return found;
}
