import { pluginHarness } from '../../../core/testing/harness.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { decideFor } from '../../../host/policy/decision.ts';
import { parsePolicy } from '../../../host/policy/policy.ts';
import { declaredBy, settingsTable } from '../../../host/policy/settings-table.ts';
import { sliceOf } from '../../../host/policy/slice.ts';
import { clipboardToken } from '../host/clipboard.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import * as protocol from '../protocol.ts';
import type { Refusal } from '../protocol.ts';
import { surrogate } from './surrogate.ts';

type Settings = ReturnType<ReturnType<typeof pluginHarness<typeof manifest>>['host']['tab']['policy']>;

const SUBJECT = { subject: 'person', tenant: 'default', groups: [] };
const TABLE = settingsTable(declaredBy([{ manifest, external: false }]));
const SITES = `
      - { match: sealed.test, policy: { copy_paste: { disable_copy: true } } }
      - { match: limited.test, policy: { copy_paste: { restrict_paste: true, char_len_limit_if_paste_restricted: 5 } } }`;
const REQUEST = { text: 0, html: 0, rtf: 0, picture: 0, own: false, plain: false, by_key: true, meta: false };

/** A page of site.test over a surrogate's clipboard, with the frames that a test adds. */
export async function startFramed(sites = SITES) {
  const { done, held, clipboard } = surrogate();
  const policyFile = parsePolicy(`tenants:\n  default:\n    sites: ${sites}`, 'p.yaml', TABLE);
  const slice = sliceOf(policyFile, SUBJECT);
  let actedAt = performance.now();
  let turn = Promise.resolve();
  const order = (run: () => Promise<void>): void => void (turn = turn.then(run));
  const harness = pluginHarness(manifest, { order, actedAt: () => actedAt });
  const { client, cdp, host, page, frames, flush } = harness;
  const policy = (address: string | readonly string[] = tab.url()): Settings =>
    decideFor(slice, TABLE, address).settings as Settings;
  harness.hostServices.provide(clipboardToken, clipboard);
  const mayPaste = new Map<number, boolean>();
  cdp.answer('Input.dispatchKeyEvent', () => {
    const open = [...mayPaste].flatMap(([id, may]) => (may ? [id] : []));
    done.push(`paste ${JSON.stringify(held.content)}, guards open in ${open.join()}`);
  });
  const told: string[] = [];
  const refusals: Refusal[] = [];
  const rules: unknown[] = [];
  client.commands.handle(protocol.copied, ({ text = '' }) => void told.push(text));
  client.commands.handle(protocol.refused, (refusal) => void refusals.push(refusal));
  client.commands.handle(protocol.frameRules, (each) => void rules.push(each));
  const tab = { ...host.tab, policy };
  await activate({ ...host, tab });
  const guards: [number, unknown][] = [];
  const asked: number[] = [];
  const focus = new Set<number>();
  const hanging = new Set<number>();
  /** Frames whose page halves fail to take a policy, and how often they have; the code of that. */
  const failing = new Map<number, number>();
  const fault = { code: 'internal' };
  /** Plays the page half of a frame. */
  const half = (id: number): void => {
    page.in(id).handle(protocol.guard, (may) => {
      const failed = failing.get(id);
      if (failed !== undefined) {
        failing.set(id, failed + 1);
        throw new AppError(fault.code, 'It fails.');
      }
      guards.push([id, may]);
      mayPaste.set(id, may.paste);
    });
    page.in(id).handle(protocol.askFocus, () => {
      asked.push(id);
      return hanging.has(id) ? new Promise(() => undefined) : focus.has(id);
    });
  };
  half(1);
  const settle = async (): Promise<void> => {
    for (let times = 0; times < 10; times += 1) {
      await flush();
      await turn;
    }
  };
  const add = async (id: number, url: string, more: { readonly parent?: number; readonly origin?: string } = {}) => {
    half(id);
    frames.load({ id, url, ...more });
    await settle();
  };
  const change = async (id: number, here: boolean): Promise<void> => {
    page.in(id).send(protocol.changed, { sure: true, here });
    await settle();
  };
  const paste = async (text: string, html = ''): Promise<void> => {
    const body = Buffer.from(text + html);
    client.commands.send(protocol.paste, { ...REQUEST, text: text.length, html: html.length }, { body });
    await settle();
  };
  const hold = (text: string): void => void (held.content = { text });
  const act = (): void => void (actedAt = performance.now());
  const move = (url: string): void => void Object.assign(tab, { url: () => url });
  const seen = { done, told, refusals, rules, guards, asked, move, act, failing, fault };
  return { ...harness, ...seen, held, focus, hanging, add, change, paste, hold, settle };
}
