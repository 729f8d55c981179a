import fc from 'fast-check';
import { payload } from '../../e2e/support/hostile-pages.ts';

const CODE = payload('markup');

/** Tags whose parsing depends on what is around them, and plain ones; `/` for an end tag. */
const TAGS =
  'p div span b i a a h1 ul li table tr td th tbody caption col select option optgroup button form input textarea template svg math mi mo mtext annotation-xml foreignObject desc title style script noscript iframe object embed base meta link img image picture video frameset body html head plaintext xmp listing pre br hr nobr font center details summary dialog slot x-y x-y mglyph rect g use animate set path text marquee ruby rt label fieldset map area center strike'
    .split(' ')
    // These take all that follows for text, or replace the document.
    .filter((name) => !['plaintext', 'frameset'].includes(name));

const ATTRIBUTES: readonly (readonly [string, readonly string[]])[] = [
  ['id', ['a', 'body', 'forms', 'x y', '']],
  ['class', ['c', 'c d', '"']],
  ['title', ['text', '<b>', '&amp;"\'>', '\u2028']],
  ['style', ['color:red', 'width:9px;background:url({{canary}}/s)', 'display:block', '}x{', 'color:\\72 ed']],
  ['href', ['javascript:{{code}}', '{{canary}}/l', '#a', 'data:text/html,x', ' java\tscript:{{code}}', '/p']],
  ['xlink:href', ['javascript:{{code}}', '{{canary}}/u#x', '#a']],
  ['src', ['{{canary}}/i', 'javascript:{{code}}', 'x', 'data:image/svg+xml,<svg onload={{code}}>']],
  ['srcset', ['{{canary}}/1 1x, {{canary}}/2 2x']],
  ['srcdoc', ['<script>{{code}}</script>']],
  ['onload', ['{{code}}']],
  ['onerror', ['{{code}}']],
  ['ONCLICK', ['{{code}}']],
  ['action', ['{{canary}}/f', 'javascript:{{code}}']],
  ['formaction', ['javascript:{{code}}']],
  ['http-equiv', ['refresh', 'Content-Security-Policy']],
  ['content', ["default-src 'none'", 'text']],
  ['name', ['a', 'body', 'getElementById', 'n']],
  ['type', ['text', 'password', 'image', 'text/css', 'checkbox', 'email']],
  ['value', ['v', '<i>']],
  ['target', ['_top', '_blank', 'n']],
  ['rel', ['stylesheet', 'icon', 'noopener']],
  ['shadowrootmode', ['open', 'closed', 'x']],
  ['is', ['x-y']],
  ['slot', ['s']],
  ['dir', ['rtl', 'auto']],
  ['lang', ['de']],
  ['width', ['9', '9px']],
  ['colspan', ['2', '0']],
  ['aria-label', ['label']],
  ['data-x', ['y']],
  ['contenteditable', ['']],
  ['hidden', ['']],
  ['open', ['']],
  ['attributeName', ['href', 'fill', 'onload']],
  ['to', ['javascript:{{code}}', 'red']],
  ['fill', ['url({{canary}}/f)', 'red']],
  ['d', ['M0 0h9']],
  ['encoding', ['text/html', 'application/xhtml+xml']],
  ['v-type', ['x']],
  ['data-vitrine-frame', ['main']],
];

const attribute = fc.constantFrom(...ATTRIBUTES).chain(([name, values]) =>
  fc.tuple(fc.constantFrom(...values), fc.constantFrom('"', '"', "'", '')).map(([value, quote]) => {
    if (quote === '') return `${name}=${value.replace(/[\s"'>`=<]/g, '')}`;
    return `${name}=${quote}${value.replaceAll(quote, quote === '"' ? '&quot;' : '&#39;')}${quote}`;
  }),
);
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...TAGS), fc.array(attribute, { maxLength: 3 }), fc.constantFrom('', '', '', '/'))
      .map(([name, attributes, end]) => `<${[name, ...attributes].join(' ')}${end === '' ? '' : ' /'}>`),
  },
  { weight: 5, arbitrary: fc.constantFrom(...TAGS).map((name) => `</${name}>`) },
  { weight: 4, arbitrary: fc.constantFrom('text', ' ', '&lt;b&gt;', 'a&nbsp;b', 'x<y', '\n', '&#0;', '&notin', 'é😀') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '<!-- c -->',
        '<!-->',
        '<!--x--!>',
        '<![CDATA[<b>x</b>]]>',
        '<?php x ?>',
        '</>',
        '<!doctype x>',
        '<',
        '<a',
        '</p',
        '<p<b>',
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '<style>p{color:red}</style>',
        '<style>@import "{{canary}}/i"</style>',
        '<script>{{code}}</script>',
        '<script>//</script>',
      ],
      ...[
        '<svg><style><img src=x onerror={{code}}></style></svg>',
        '<math><annotation-xml encoding="text/html"><b>x</b></annotation-xml></math>',
      ],
      ...[
        '<template shadowrootmode="open"><slot></slot><p>in</p></template>',
        '<table><p>out</p><tr><td>in</table>',
        '<select><p>x<option>y</select>',
      ],
      ...[
        '<svg><foreignObject><p>x</p></foreignObject></svg>',
        '<noscript><p>x</p></noscript>',
        '<svg><a xlink:href="javascript:{{code}}"><text>t</text></a></svg>',
      ],
      ...[
        '<form><form><input name=a></form></form>',
        '<a href=x><a href=y>z</a></a>',
        '<xmp><b>x</b></xmp>',
        '<b><p>x</b>y</p>',
        '<ruby>x<rt>y</ruby>',
      ],
    ),
  },
);

/** Documents of HTML: every parser rule that moves elements about, foreign content, and attacks among them. */
export function markupTexts(canary: string): fc.Arbitrary<string> {
  const fill = (text: string): string => text.replaceAll('{{canary}}', canary).replaceAll('{{code}}', CODE);
  return fc
    .tuple(
      fc.constantFrom('<!doctype html>', '<!doctype html>', ''),
      fc.array(piece, { minLength: 3, maxLength: 60, size: 'max' }),
    )
    .map(([start, pieces]) => fill(`${start}${pieces.join('')}`));
}
