import { describe, expect, it } from 'vitest';
import { testContext } from '../host/sanitize/tests/context.ts';
import { safePicture } from '../host/sanitize/attributes.ts';
import { DOCUMENT_ID, OP } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';
import type { SourceEdit } from './view-server.ts';

/** A picture, and ends of its address that leave the string in which a rule of ours has it. */
const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const LEAK = '/c/i/leak.x';
const ATTACKS: readonly string[] = [
  `")url("${LEAK}`,
  `") url("${LEAK}`,
  `"),url("${LEAK}`,
  `" ) url( ${LEAK} `,
  `");background:url("${LEAK}`,
  `")}*{background:url("${LEAK}`,
  String.raw`\")url("${LEAK}`,
  String.raw`\\")url("${LEAK}`,
  `\n")url("${LEAK}`,
  `');background:url('${LEAK}`,
  `</style><img src=${LEAK}>")url("${LEAK}`,
].map((end) => `${GIF}#${end}`);

/** The client accepts any text as the address of a picture. */
const NO_CHECK: SourceEdit = {
  file: 'plugins/mirror/client/allowlist.ts',
  from: 'return RESOURCE.test(address);',
  to: 'return true;',
};
/** It puts it into its rule unquoted. */
const NO_QUOTES: SourceEdit = {
  file: 'plugins/mirror/client/pictures.ts',
  from: 'url(${JSON.stringify(url)})',
  to: 'url("${url}")',
};

const asSanitized = (address: string): string => safePicture(address, testContext());
const asSent = (address: string): string => address;

/** Shows each attack in an object of its own, and after them a picture that can be waited for. */
async function show(
  view: ReturnType<ReturnType<typeof useView>>,
  address: (attack: string) => string,
): Promise<string> {
  const page = new PageWriter(1);
  const ids = ATTACKS.map((_, at) => `a${at}`);
  page.doc().insert(DOCUMENT_ID, 0, html([...ids, 'last'].map((id) => h('object', { id, width: '30', height: '30' }))));
  for (const [at, id] of ids.entries()) page.op(OP.picture, page.id(id), page.text(address(ATTACKS[at] ?? '')));
  page.op(OP.picture, page.id('last'), page.text(GIF));
  await view.feed(1, page.batch());
  const main = await view.main();
  const rules = (): Promise<string> =>
    main.evaluate(() =>
      document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join('\n'),
    );
  await eventually(rules).toContain(`content: url("${GIF}")`);
  await view.frames();
  return rules();
}

/** Number of addresses in the rules, as the browser reads them. */
const addressesIn = (rules: string): number => rules.match(/\burl\((?="(?:[^"\\]|\\.)*"\))/g)?.length ?? 0;

describe('the address of an inline picture', () => {
  it('[M1] leaves the host without a character that could end it in its context', () => {
    // One with a line break is no inline picture any more, but a resource of the host.
    const plain = /^(?:data:image\/gif;base64,[^\s"'()<>\\]+|\/c\/i\/[\w.-]+)(?: 2x)?$/;
    for (const attack of ATTACKS) {
      expect(asSanitized(attack)).toMatch(plain);
      expect(asSanitized(`${attack} 2x`)).toMatch(plain);
    }
  });

  describe('with all walls', () => {
    const view = useView();
    it('[M1] stays one address', async () => {
      expect(addressesIn(await show(view(), asSanitized))).toBeGreaterThan(ATTACKS.length);
      expect(view().requests).not.toContain(LEAK);
    });
  });

  describe('without the sanitizer', () => {
    const view = useView();
    it('[M1] is refused by the check of the client', async () => {
      expect(addressesIn(await show(view(), asSent))).toBe(1);
      expect(view().requests).not.toContain(LEAK);
    });
  });

  describe('without the check of the client', () => {
    const view = useView([NO_CHECK, NO_QUOTES]);
    it('[M1] is harmless as the sanitizer leaves it, quoted or not', async () => {
      expect(addressesIn(await show(view(), asSanitized))).toBe(ATTACKS.length + 1);
      expect(view().requests).not.toContain(LEAK);
    });
  });

  describe('without the sanitizer and the check of the client', () => {
    const view = useView([NO_CHECK]);
    it('[M1] is quoted: one address, whatever it is', async () => {
      await show(view(), asSent);
      expect(view().requests).not.toContain(LEAK);
    });
  });

  describe('without any of the walls', () => {
    const view = useView([NO_CHECK, NO_QUOTES]);
    it('[M1] becomes another address: what the walls hold back is an attack', async () => {
      await show(view(), asSent);
      await eventually(() => view().requests).toContain(LEAK);
    });
  });
});
