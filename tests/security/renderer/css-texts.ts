import fc from 'fast-check';

/** Host of the addresses in generated texts. */
const CANARY_HOST = 'canary.test';

const ADDRESSES = [
  `http://${CANARY_HOST}/a.png`,
  `//${CANARY_HOST}/b`,
  'relative/c.png',
  '../d.png?x=(1)',
  '#fragment',
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  'data:text/html,<script>alert(1)</script>',
  'javascript:alert(1)',
  'blob:http://site.test/1',
  'about:blank',
  `http://${CANARY_HOST}/"'()\\`,
  '',
];

/** An address in one of the ways that CSS writes one. */
const address = fc.tuple(fc.constantFrom(...ADDRESSES), fc.nat({ max: 13 })).map(([to, way]) => {
  const escaped = to.replace(/["\\]/g, '\\$&');
  const bare = to.replace(/["'()\\\s]/g, '\\$&');
  const ways = [
    ...[`url(${bare})`, `url("${escaped}")`, `url( '${to.replace(/['\\]/g, '\\$&')}' )`, `URL(${bare})`],
    ...[`u\\72l(${bare})`, `url(\\${bare.slice(0, 1) === '\\' ? bare.slice(1) : bare})`, `src("${escaped}")`],
    ...[`url/**/("${escaped}")`, `u/**/rl("${escaped}")`, `#url(${bare})`, `-/**/webkit-image-set("${escaped}" 1x)`],
    ...[`image-set("${escaped}" 1x)`, `-webkit-image-set(url("${escaped}") 2x)`, `image("${escaped}")`],
  ];
  return ways[way] ?? '';
});

const plain = fc.constantFrom(
  ...[
    'red',
    '1px',
    'none',
    '50%',
    'inherit',
    '"text"',
    "'it\\'s'",
    'var(--x)',
    'calc(1px + 2%)',
    '#abc',
    'U+26',
    'auto',
  ],
  ...[
    'linear-gradient(red,blue)',
    'attr(title)',
    'counter(c)',
    'env(x,1px)',
    '1s',
    '2',
    'a',
    'rgb(1 2 3/.5)',
    '\\66oo',
  ],
);
const value = fc
  .array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: address }), { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom(' ', ', ', '/**/', '\n').map((between) => parts.join(between)));
const property = fc.constantFrom(
  ...[
    'color',
    'width',
    'background',
    'background-image',
    'content',
    'cursor',
    'list-style',
    'filter',
    'mask',
    '--x',
    '--\\79',
  ],
  ...[
    'clip-path',
    'border-image',
    'fill',
    'font-family',
    'src',
    'behavior',
    '-moz-binding',
    'BACKGROUND',
    'back\\67round',
  ],
  ...[
    'animation',
    'transition',
    'grid-template-areas',
    'quotes',
    'shape-outside',
    'offset-path',
    'margin',
    'z-index',
    'all',
  ],
);
const declaration = fc
  .tuple(property, value, fc.constantFrom('', '', ' !important'))
  .map(([name, text, important]) => `${name}:${text}${important}`);
const declarations = fc.array(declaration, { maxLength: 4 }).map((all) => all.join(';'));

const selector = fc
  .array(
    fc.constantFrom(
      ...[
        'p',
        '.a',
        '#b',
        '*',
        ':hover',
        '::before',
        '[title]',
        '[title="x"]',
        ':is(p,a)',
        ':not(.c)',
        ' > ',
        ' ',
        ' + ',
        ', ',
      ],
      ...[
        ':has(> b)',
        ':nth-child(2n+1)',
        '&',
        '& &',
        'svg|a',
        '::part(x)',
        ':host',
        ':host(.x)',
        '::slotted(p)',
        ':root',
      ],
      ...[
        '[class~="url(x)"]',
        '[title="http://canary.test/"]',
        '\\70',
        ':lang(en)',
        ':focus-visible',
        '::selection',
        'a:any-link',
      ],
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));

const AT_RULES = [
  '@font-face',
  '@page',
  '@page :first',
  '@property --x',
  '@counter-style c',
  '@font-palette-values --p',
  '@position-try --t',
];
const STATEMENTS = [
  ...[
    `@import url(http://${CANARY_HOST}/i.css);`,
    '@import "x.css" screen;',
    '@layer a,b;',
    '@charset "utf-8";',
    '@namespace svg url(http://www.w3.org/2000/svg);',
  ],
  ...[
    '@keyframes k{from{color:red}50%{background:url(x)}to{color:blue}}',
    '/* comment { */',
    '<!--',
    '-->',
    ';',
    '@unknown x;',
    '@unknown {a{b:c}}',
  ],
];
const GROUPS = [
  ...[
    '@media screen',
    '@media (min-width:1px) and (hover)',
    '@supports (color:red)',
    '@supports not (background:url(x))',
  ],
  ...[
    '@layer x',
    '@layer',
    '@container (width>0)',
    '@scope (.a) to (.b)',
    '@starting-style',
    '@media print',
    '@supports selector(:has(a))',
  ],
];

const block = fc.letrec<{ rule: string }>((tie) => ({
  rule: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(selector, declarations).map(([to, text]) => `${to}{${text}}`),
    fc.tuple(fc.constantFrom(...AT_RULES), declarations).map(([at, text]) => `${at}{${text}}`),
    fc.constantFrom(...STATEMENTS),
    fc
      .tuple(fc.constantFrom(...GROUPS), fc.array(tie('rule'), { maxLength: 3 }))
      .map(([group, rules]) => `${group}{${rules.join('')}}`),
    fc
      .tuple(selector, declarations, fc.array(tie('rule'), { maxLength: 3 }), declarations)
      .map(([to, first, rules, last]) => `${to}{${first};${rules.join('')}${last}}`),
  ),
})).rule;

/** Tokens and halves of tokens, in any order. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'url(',
          'URL(',
          'u\\72l(',
          'src(',
          'image-set(',
          '"',
          "'",
          '\\',
          '\\\n',
          '/*',
          '*/',
          '{',
          '}',
          '(',
          ')',
          '[',
          ']',
          ';',
          ':',
          ',',
        ],
        ...[
          '@import ',
          '@media ',
          '@font-face',
          '@',
          '#',
          '!',
          '!important',
          '\n',
          '\r',
          '\f',
          '\t',
          ' ',
          '<!--',
          '-->',
          '&',
          '|',
          '\0',
          '\\0 ',
        ],
        ...[
          'p',
          'a',
          '--x',
          'background',
          'color',
          'red',
          '1e3',
          '1px',
          '-',
          '.',
          '+',
          'U+',
          '%',
          'é',
          '\u00a0',
          '\u200b',
          '\u2028',
          '\ufeff',
          '😀',
        ],
        ...[
          'background:',
          'p{',
          'content:',
          '--y:',
          'var(',
          'attr(',
          'expression(',
          'image(',
          'format("woff2")',
          'v-blocked(',
          ...['url', 'u', 'rl(', 'image-set', '-', '/**/', '/**/', '/**/', '("http://canary.test/")', 'var(--x)('],
          '\\7d ',
          '\\29 ',
        ],
      ),
      address,
      declaration,
    ),
    { maxLength: 24, size: 'max' },
  )
  .map((parts) => parts.join(''));

/** Style sheets: of the grammar, with tokens at random, cut off. */
export const sheetTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.array(block, { minLength: 1, maxLength: 5 }).map((rules) => rules.join('\n')) },
  { weight: 2, arbitrary: soup },
  { weight: 1, arbitrary: fc.tuple(block, soup, block).map((all) => all.join('')) },
  { weight: 1, arbitrary: fc.tuple(block, fc.nat({ max: 200 })).map(([text, length]) => text.slice(0, length)) },
);

/** Values of style attributes. */
export const styleTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: declarations },
  { weight: 2, arbitrary: soup },
  { weight: 1, arbitrary: fc.tuple(declarations, soup, declarations).map((all) => all.join(';')) },
);
