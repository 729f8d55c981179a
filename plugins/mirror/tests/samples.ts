import type { Batch } from '../ops.ts';
import { OP } from '../ops.ts';
import { packBatch } from '../protocol.ts';

const BATCH: Batch = {
  epoch: 7,
  seq: 1,
  more: true,
  strings: ['https://site.test/', '"ä\u2028😀'],
  ops: [
    [OP.doc, 0, 0, 0, -1],
    [OP.text, 2, 1],
  ],
};

/** Samples of messages whose schema is a function: for tests/contract. */
export const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  'mirror.page-batch': [BATCH, { ...BATCH, seq: 2, more: false, strings: [], ops: [] }],
  'mirror.batch': [packBatch(1, BATCH)],
};
