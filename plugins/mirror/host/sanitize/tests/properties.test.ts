import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OP } from '../../../ops.ts';
import type { Batch } from '../../../ops.ts';
import type { SafeBatch } from '../batch-sanitizer.ts';
import { ADDRESS_ORIGINALS } from '../policy.ts';
import { TIMES } from './context.ts';
import { built, fresh, ofSite, Page, through, uncopied } from './page-writer.ts';
import type { Node } from './page-writer.ts';

describe('for any input', () => {
  const name = fc.constantFrom(
    'div',
    'a',
    'img',
    'form',
    'input',
    'script',
    'style',
    'iframe',
    'object',
    'svg:a',
    'svg:use',
    'svg:animate',
    'svg:rect',
    'math:mi',
    'x-y',
    'link',
    'meta',
    'bad<',
  );
  const key = fc.oneof(
    fc.constantFrom(
      'href',
      'xlink:href',
      'src',
      'style',
      'onclick',
      'action',
      'type',
      'name',
      'fill',
      'attributeName',
      'id',
      'srcset',
      'target',
      'v-type',
      'data',
    ),
    fc.string({ maxLength: 5 }),
  );
  const value = fc.oneof(
    fc.constantFrom(
      'javascript:x',
      'http://evil.test/',
      '#f',
      'url(http://evil.test/)',
      'data:text/html,x',
      'email',
      'password',
      'href',
      'data:image/png,x',
      '_blank',
      'body',
    ),
    fc.string({ maxLength: 8 }),
  );
  const tree = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('text', '@import "x"'),
      fc
        .tuple(name, fc.dictionary(key, value, { maxKeys: 5 }), fc.array(tie('node'), { maxLength: 3 }))
        .map(([element, attributes, children]): Node => [element, attributes, ...children]),
    ),
  })).node;

  it('outputs nothing that the policy does not allow', () => {
    fc.assert(
      fc.property(tree, (node) => {
        const check = (safe: Node): void => {
          if (typeof safe === 'string') return;
          const [element, attributes, ...children] = safe;
          expect(element).not.toMatch(/^(svg:)?(script|embed|applet|base)$/i);
          for (const [attribute, text] of Object.entries(attributes)) {
            if (attribute.startsWith('v-was-')) {
              if (ADDRESS_ORIGINALS.has(attribute.slice(6))) expect(text).toBe('');
              continue; // text without meaning
            }
            expect(attribute).not.toMatch(/^on|:on|srcdoc|srcset|^data$|formaction/i);
            if (/^(xlink:)?(href|src|action)$/i.test(attribute)) {
              expect(text).toMatch(/^(\/c\/i\/|\/https?:|#|about:|data:image\/|$)/);
            }
            if (attribute === 'style' || (attribute === 'fill' && element.startsWith('svg:')))
              expect(text).not.toMatch(/\(http/);
          }
          if (/^(svg:)?(v-script|style|iframe)$/.test(element))
            expect(children.filter((child) => typeof child === 'string').join('')).toBe('');
          children.forEach(check);
        };
        check(through(node));
      }),
      { numRuns: TIMES * 300 },
    );
  });

  it('changes nothing when it runs again', () => {
    fc.assert(
      fc.property(tree, (node) => {
        const page = new Page().doc();
        page.insert(node);
        const { sheets: _, ...once } = fresh().sanitize(page.batch());
        // The base is not sent, so the second run gets it here.
        const ops = once.ops.map((op) => (op[0] === OP.doc ? [...op.slice(0, 4), op[3] ?? -1] : op));
        const strings = ofSite(once.strings);
        const { sheets: __, ...twice } = fresh().sanitize({ ...once, ops, strings });
        expect(built(twice).map(uncopied)).toEqual(built(once).map(uncopied));
      }),
      { numRuns: TIMES * 300 },
    );
  });

  it('outputs only what the policy allows of animations, whatever the JSON', () => {
    const text = fc.oneof(
      fc.constantFrom(
        'url(//evil.test)',
        'src("//evil.test")',
        'image-set("//evil.test" 1x)',
        'u\\72l(//evil.test)',
        'red',
      ),
      fc.string({ maxLength: 8 }),
    );
    const frame = fc.dictionary(fc.oneof(fc.constantFrom('background', '--x', 'behavior', 'MozBinding'), text), text);
    const list = fc.array(
      fc.record({
        key: fc.constant(1),
        kind: fc.constant('script'),
        name: text,
        pseudo: fc.oneof(fc.constant(''), text),
        state: fc.constant('running'),
        time: fc.constant(0),
        rate: fc.constant(1),
        frames: fc.array(frame, { maxLength: 3 }),
      }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.oneof(fc.record({ list }), fc.jsonValue()), (value) => {
        const through = (json: string): string => {
          const page = new Page().doc();
          page.ops.push([OP.animate, 2, page.str(json)]);
          const safe = fresh().sanitize(page.batch());
          return safe.strings[safe.ops[1]?.[2] ?? -1] ?? '';
        };
        const once = through(JSON.stringify(value));
        expect(once.replace(/v-blocked\([^)]*\)/g, '')).not.toMatch(/evil\.test|behavior|MozBinding/);
        expect(Object.keys(JSON.parse(once) as object)).toEqual(['list']);
        expect(through(once)).toBe(once);
      }),
      { numRuns: TIMES * 300 },
    );
  });

  it('answers arbitrary integers with a refusal or a batch of the same grammar', () => {
    const op = fc.array(fc.oneof(fc.integer({ min: -1, max: 30 }), fc.integer()), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(op, { maxLength: 8 }), fc.array(fc.string(), { maxLength: 6 }), (ops, strings) => {
        const doc = [OP.doc, 0, 0, -1, -1];
        const batch: Batch = { epoch: 1, seq: 1, more: false, strings, ops: [doc, ...ops] };
        let safe: SafeBatch;
        try {
          safe = fresh().sanitize(batch);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'mirror-refused' });
          return;
        }
        const { sheets: _, ...again } = safe;
        expect(() => fresh().sanitize(again)).not.toThrow();
      }),
      { numRuns: TIMES * 2000 },
    );
  });
});
