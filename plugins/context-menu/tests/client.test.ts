import { expect, it } from 'vitest';
import { rendererToken } from '../../../core/index.ts';
import type { Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { askMenu } from '../protocol.ts';

/** An element of the view, as the plugin looks at it. */
type Seen = Readonly<Record<string, unknown>>;

/** Fires the event of a menu on an element of a page with this policy; tells of the browser's menu, of ours, and of the notice. */
async function menuOn(path: readonly Seen[], siteCapabilities: object, keys: object = {}) {
  const view = new EventTarget();
  const harness = pluginHarness(manifest, { siteCapabilities: { ...siteCapabilities } });
  const renderer = {
    documents: (each: (shown: object) => () => void) => each({ frame: 1, document: { defaultView: view } }),
    hitTest: () => ({ frame: 1, x: 5, y: 5 }),
  };
  harness.clientServices.provide(rendererToken, renderer as unknown as Renderer); // all that is used of it
  let isAsked = false;
  harness.host.commands.handle(askMenu, () => void (isAsked = true));
  await activate(harness.client);
  const event = Object.assign(new Event('contextmenu', { cancelable: true }), { button: 2, ...keys });
  Object.assign(event, { composedPath: () => path, clientX: 5, clientY: 5 });
  view.dispatchEvent(event);
  const isNative = !event.defaultPrevented;
  await expect.poll(() => isNative || isAsked || harness.overlay.filled.length > 0).toBe(true);
  await harness.flush();
  const notices = harness.overlay.filled.map(({ props }) => (props as { readonly text: string }).text);
  harness.disposeClient();
  return { isNative, isAsked, notices };
}

const BLOCKED = { isNative: false, isAsked: false, notices: ['ID_SNACKBAR_CONTEXT_MENU_BLOCK'] };
const OURS = { isNative: false, isAsked: true, notices: [] };
const NATIVE = { isNative: true, isAsked: false, notices: [] };
const PICTURES = { copy_paste_policy: { disable_img_ctx_menu_for_copy: true } };
const ALL = { copy_paste_policy: { disable_all_ctx_menu_for_copy: true } };
const TEXT: Seen = { localName: 'p' };
const IMAGE: Seen = { localName: 'img' };
const FIELD: Seen = { localName: 'input', type: 'text', selectionStart: 0 };

it.each(['img', 'image', 'picture', 'canvas', 'svg', 'video', 'area', 'object', 'v-embed'])(
  '[R-065] there is no menu on a picture (%s), nor on what is in it, where those are off',
  async (localName) => {
    expect(await menuOn([{ localName }, TEXT], PICTURES)).toEqual(BLOCKED);
    expect(await menuOn([{ localName: 'path' }, { localName }], PICTURES)).toEqual(BLOCKED);
  },
);

it('[R-065] there is a menu on all but pictures, where only theirs are off', async () => {
  expect(await menuOn([{ localName: 'input', type: 'image' }], PICTURES)).toEqual(BLOCKED);
  expect(await menuOn([TEXT], PICTURES)).toEqual(OURS);
  expect(await menuOn([FIELD], PICTURES)).toEqual(NATIVE);
  expect(await menuOn([IMAGE], {})).toEqual(OURS);
});

it.each([
  ['text', [TEXT], {}],
  ['a picture', [IMAGE], {}],
  ['a field, which has the browser’s own otherwise', [FIELD], {}],
  ['text, with Shift, which has the browser’s own otherwise', [TEXT], { shiftKey: true }],
  ['text, by a finger, which has the browser’s own otherwise', [TEXT], { pointerType: 'touch' }],
])('[R-065] there is no menu on %s where all are off', async (_where, path, keys) => {
  expect(await menuOn(path, ALL, keys)).toEqual(BLOCKED);
});

it('[R-065] Shift and fingers get no menu of a picture, where those are off', async () => {
  for (const keys of [{ shiftKey: true }, { pointerType: 'touch' }])
    expect(await menuOn([IMAGE], PICTURES, keys)).toEqual(BLOCKED);
});
