import { afterEach, beforeEach, vi } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../../core/testing/harness.ts';
import { manifest } from '../../manifest.ts';
import { OP, RECORD } from '../../ops.ts';
import type { Batch } from '../../ops.ts';
import * as protocol from '../../protocol.ts';
import { activate } from '../index.ts';

export let harness: PluginHarness;
export let received: { frame: number; batch: Batch }[];
export let gone: number[];

/** Style sheets of the site, by address. */
export const SHEETS: Record<string, string> = {
  'https://site.test/a.css': '@import "b.css" print; a{background:url(x.png)}',
  'https://site.test/b.css': '@import "a.css"; b{c:d}',
};

/** Starts a new host half for each test of a file. */
export function useMirror(): void {
  beforeEach(async () => {
    vi.useFakeTimers();
    harness = pluginHarness(manifest, { url: 'https://site.test/' });
    received = [];
    gone = [];
    harness.client.commands.handle(
      protocol.mirrorBatch,
      (message) => void received.push({ frame: message[0], batch: protocol.unpackBatch(message) }),
    );
    harness.client.commands.handle(protocol.frameGone, ({ frame }) => void gone.push(frame));
    harness.cdp.answer('Page.getResourceContent', ({ url }: { url: string }) => {
      const content = SHEETS[url];
      if (content === undefined) throw new Error('No resource with given URL found');
      return { content, base64Encoded: false };
    });
    activate(harness.host);
    await harness.flush();
  });

  afterEach(() => {
    harness.disposeHost();
    vi.useRealTimers();
  });
}

/** Returns a batch from ops with inline strings. */
export function batch(seq: number, ops: readonly (readonly (number | string)[])[], epoch = 5): Batch {
  const strings: string[] = [];
  const index = (field: number | string): number => (typeof field === 'string' ? strings.push(field) - 1 : field);
  return { epoch, seq, more: false, ops: ops.map((op) => op.map(index)), strings };
}

/** Returns the ops with inline strings of a batch that the client received: of one op code. */
export function texts({ batch: { ops, strings } }: { batch: Batch }, code: number): string[] {
  return ops
    .filter(([first]) => first === code)
    .flatMap((op) => (code === OP.sheet ? [strings[op[3] ?? -1] ?? '-'] : []));
}

export const doc = [OP.doc, 0, 0, 'https://site.test/', 'https://site.test/'];
export const element = (id: number, name: string, parent = 1): (number | string)[] => [
  OP.insert,
  parent,
  0,
  id,
  RECORD.element,
  0,
  name,
  0,
  0,
  0,
];

/** Sends from a frame's page half, and waits for the effects. */
export async function send(frame: number, sent: Batch): Promise<void> {
  harness.page.in(frame).send(protocol.pageBatch, sent);
  await harness.flush();
}

/** Returns the messages that the page half of a frame received. */
export function pageMessages(frame: number): {
  resyncs: number;
  held: boolean[];
  dirty: (readonly number[])[];
  topLayer: number;
} {
  const seen = { resyncs: 0, held: [] as boolean[], dirty: [] as (readonly number[])[], topLayer: 0 };
  const page = harness.page.in(frame);
  page.handle(protocol.pageResync, () => {
    seen.resyncs++;
  });
  page.handle(protocol.hold, ({ held }) => void seen.held.push(held));
  page.handle(protocol.sheetsDirty, ({ nodes }) => void seen.dirty.push(nodes));
  page.handle(protocol.topLayerDirty, () => {
    seen.topLayer++;
  });
  return seen;
}
