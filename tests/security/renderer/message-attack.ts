import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { PAGE_BINDING } from '../../../core/protocol/page-messages.ts';
import type { Batch } from '../../../plugins/mirror/ops.ts';
import { ALL_MESSAGES, PLUGINS } from '../../contract/plugin-folders.ts';
import { samplesOf } from '../../contract/samples.ts';
import { hostileDocument, hostileTexts } from '../hostile-ops.ts';
import { edited, edits, hostileValue } from './hostile-values.ts';
import type { Edit } from './hostile-values.ts';
import type { TappedBrowser } from './tapped-browser.ts';
import { worldsOf } from './worlds.ts';

/** Name of the message that carries operations of the mirror. */
const BATCH = 'mirror.page-batch';
/** Copies of one packet in a flood, and most units of it. */
const MAX_FLOOD = 3_000;
const MAX_FLOOD_UNITS = 5_000_000;

/** Honest parameters of a message that page halves send, and of their answers. */
interface Known {
  readonly name: string;
  readonly samples: readonly unknown[];
}

const given: Record<string, readonly unknown[]> = {};
for (const { folder } of PLUGINS) {
  const file = path.join(folder, 'tests/samples.ts');
  if (existsSync(file)) Object.assign(given, ((await import(pathToFileURL(file).href)) as { SAMPLES: object }).SAMPLES); // the contract suite's
}

/** All messages that page halves send to the host, main halves' among them. */
export const PAGE_SENT: readonly Known[] = ALL_MESSAGES.flatMap(([, { name, direction, params }]) =>
  direction === 'page-to-host' ? [{ name, samples: given[name] ?? samplesOf(params) }] : [],
);
/** Answers to the calls of the host. */
const ANSWERS: readonly unknown[] = ALL_MESSAGES.flatMap(([, { name, direction, result }]) =>
  direction === 'host-to-page' && result ? (given[`${name} result`] ?? samplesOf(result)) : [],
);

/** One packet of a page half, as text where it is none. */
interface Sent {
  readonly packet: unknown;
  readonly edits: readonly Edit[];
  readonly times: number;
  readonly isInner: boolean;
}

type MessageAttack = readonly Sent[];

/** Packets of page halves: honest ones that were edited, answers to nobody, bodies without an end, and texts that are no packets. */
export function messageAttacks(canary: string): fc.Arbitrary<MessageAttack> {
  const texts = hostileTexts(canary);
  const value = hostileValue([...PAGE_SENT.map(({ name }) => name), '$body', ...texts.slice(0, 8)]);
  const call = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 2000 }), value);
  const params = fc
    .constantFrom(...PAGE_SENT)
    .chain(({ name, samples }) => fc.constantFrom(...samples).map((sample): [unknown, unknown] => [name, sample]));
  const body = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat({ max: 20 }) },
    { weight: 1, arbitrary: value },
  );
  const message = fc
    .tuple(params, call, body)
    .map(([[name, sample], number, at]): unknown => [name, sample, number, null, at]);
  const reply = fc
    .tuple(fc.nat({ max: 50 }), fc.boolean(), fc.oneof(value, fc.constantFrom(...ANSWERS)))
    .map(([number, ok, result]): unknown => [0, [number, ok, result]]);
  const piece = fc
    .tuple(
      fc.nat({ max: 4 }),
      fc.oneof(
        value,
        fc.base64String(),
        fc.dictionary(fc.constantFrom('body', 'open', 'end', 'abort', 'credit', 'at', 'bytes'), value),
      ),
    )
    .map(([number, content]): unknown => ['$body', content, 0, null, number]);
  // The epoch is the one that the page half has named, so that the host takes them for the next of its document.
  const batches = hostileDocument(texts, true).map((all) => all.map((batch: Batch): unknown => [BATCH, batch]));
  const one = (packet: fc.Arbitrary<unknown>, changes: fc.Arbitrary<readonly Edit[]>): fc.Arbitrary<MessageAttack> =>
    fc.record({ packet, edits: changes, times, isInner: fc.boolean() }).map((sent) => [sent]);
  return fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: one(message, edits(value)) },
        { weight: 2, arbitrary: one(reply, edits(value, 1)) },
        { weight: 2, arbitrary: one(piece, edits(value, 1)) },
        { weight: 1, arbitrary: one(fc.oneof(fc.string(), value), fc.constant([])) },
        {
          weight: 2,
          arbitrary: fc
            .tuple(batches, fc.boolean())
            .map(([all, isInner]): MessageAttack => all.map((packet) => ({ packet, edits: [], times: 1, isInner }))),
        },
      ),
      { minLength: 5, maxLength: 40, size: 'max' },
    )
    .map((all) => all.flat());
}

const times = fc.oneof(
  { weight: 12, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: MAX_FLOOD }) },
);

/** Has the page halves of a page send packets: each calls its binding, in its own world. */
export async function sendMessages(browser: TappedBrowser, session: string, attack: MessageAttack): Promise<void> {
  const [main, inner] = worldsOf(browser, session);
  const all = attack.map(({ packet, edits: changes, times: copies, isInner }) => {
    const value = edited(packet, changes);
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
    return {
      text,
      times: Math.min(copies, Math.ceil(MAX_FLOOD_UNITS / (text.length + 1))),
      world: isInner && inner !== undefined ? inner : main,
    };
  });
  for (const { text, times: copies, world } of all)
    await browser.command(session, 'Runtime.evaluate', {
      expression: `for (let sent = 0; sent < ${copies}; sent++) ${PAGE_BINDING}(${JSON.stringify(text)})`,
      contextId: world,
    });
}
