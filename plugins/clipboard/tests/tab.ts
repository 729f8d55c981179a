import { pluginHarness } from '../../../core/testing/harness.ts';
import type { SettingValues } from '../../../core/contracts/setting.ts';
import { clipboardToken } from '../host/clipboard.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import * as protocol from '../protocol.ts';
import type { Copied, PasteRequest, Refusal } from '../protocol.ts';
import { surrogate } from './surrogate.ts';
import type { Surrogate } from './surrogate.ts';

type Policy = ReturnType<ReturnType<typeof pluginHarness<typeof manifest>>['host']['tab']['policy']>;
type Rules = SettingValues<typeof manifest>['copy_paste'];

/** A paste of nothing. */
export const REQUEST = { text: 0, html: 0, rtf: 0, picture: 0, own: false, plain: false, by_key: true, meta: false };

/** A tab over a surrogate's clipboard, and the order of its input, as a test plays them. */
export async function start(rules: Partial<Rules> = {}, { done, held, clipboard, reads }: Surrogate = surrogate()) {
  const state = {
    get content() {
      return held.content;
    },
    set content(content) {
      held.content = content;
    },
    actedAt: performance.now(),
    rules: rules as Partial<Rules> | Error,
  };
  let turn = Promise.resolve();
  const order = (run: () => Promise<void>): void => void (turn = turn.then(run));
  const harness = pluginHarness(manifest, { order, actedAt: () => state.actedAt });
  const { client, cdp, host, page, flush } = harness;
  const settings = host.tab.policy();
  cdp.answer('Input.dispatchKeyEvent', ({ type, commands }: { type: string; commands?: string[] }) => {
    done.push(`${type} ${commands?.join() ?? ''}: ${JSON.stringify(state.content.text)}`);
  });
  const policy = (): Policy => {
    if (state.rules instanceof Error) throw state.rules;
    return { ...settings, copy_paste: { ...settings.copy_paste, ...state.rules } };
  };
  harness.hostServices.provide(clipboardToken, clipboard);
  await activate({ ...host, tab: { ...host.tab, policy } });
  const told: (Copied & { readonly picture?: Buffer })[] = [];
  const refusals: Refusal[] = [];
  const modals: unknown[] = [];
  const guards: unknown[] = [];
  client.commands.handle(protocol.copied, async (content, body) => {
    const picture = await body.bytes();
    told.push({ ...content, ...(picture.length > 0 && { picture: Buffer.from(picture) }) });
  });
  client.commands.handle(protocol.refused, (refusal) => void refusals.push(refusal));
  client.commands.handle(protocol.displayCopyPasteModal, () => void modals.push(1));
  page.in(1).handle(protocol.guard, (may) => void guards.push(may));
  const settle = async (): Promise<void> => {
    for (let times = 0; times < 5; times += 1) {
      await flush();
      await turn;
    }
  };
  const paste = async (
    content: { readonly text?: string; readonly html?: string; readonly picture?: Uint8Array },
    more: Partial<PasteRequest> = {},
  ): Promise<void> => {
    const text = Buffer.from(content.text ?? '');
    const html = Buffer.from(content.html ?? '');
    const picture = content.picture ?? Buffer.of();
    const request = { ...REQUEST, text: text.length, html: html.length, picture: picture.length, ...more };
    client.commands.send(protocol.paste, request, { body: Buffer.concat([text, html, picture]) });
    await settle();
  };
  const command = async (name: protocol.Command, byKey = true): Promise<void> => {
    client.commands.send(protocol.execCommand, { command: name, by_key: byKey });
    await settle();
  };
  const change = async (sure = true): Promise<void> => {
    page.in(1).send(protocol.changed, { sure, here: false });
    await settle();
  };
  return { ...harness, clipboard, reads, state, done, told, refusals, modals, guards, paste, command, change, settle };
}
