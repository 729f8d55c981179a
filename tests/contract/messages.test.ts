import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { validate } from '../../core/protocol/message.ts';
import type { AnyMessage, Schema } from '../../core/protocol/message.ts';
import { ALL_MESSAGES, PLUGINS } from './plugin-folders.ts';
import { samplesOf } from './samples.ts';

/** What the tests of a plugin say its messages may carry, where a schema does not tell: `tests/samples.ts`. */
const given: Record<string, readonly unknown[]> = {};
for (const { folder } of PLUGINS) {
  const file = path.join(folder, 'tests/samples.ts');
  if (!existsSync(file)) continue;
  const { SAMPLES } = (await import(pathToFileURL(file).href)) as { SAMPLES: typeof given };
  Object.assign(given, SAMPLES);
}

/** As an endpoint's packet has it on the wire: undefined is null there. */
const overJson = (value: unknown): unknown => (JSON.parse(JSON.stringify([value])) as unknown[])[0];

function roundTrips(schema: Schema<unknown>, name: string): void {
  const samples = given[name] ?? samplesOf(schema);
  expect(samples.length).toBeGreaterThan(0);
  for (const sample of samples) {
    const arrived = validate(schema, overJson(sample), name);
    expect(arrived).toEqual(validate(schema, sample, name));
    expect(validate(schema, overJson(arrived), name)).toEqual(arrived);
  }
}

describe.each(ALL_MESSAGES.map(([owner, message]) => ({ owner, name: message.name, message })))(
  'the message $name of $owner',
  ({ name, message }: { readonly name: string; readonly message: AnyMessage }) => {
    it('carries what JSON carries', () => {
      roundTrips(message.params, name);
      if (message.result) roundTrips(message.result, `${name} result`);
    });

    it('refuses what is of another shape', () => {
      for (const wrong of [Symbol('no JSON'), 1n, () => undefined])
        expect(() => validate(message.params, wrong, name)).toThrow(expect.objectContaining({ code: 'bad-message' }));
    });
  },
);

it('every sample of a plugin belongs to a message', () => {
  const names = new Set(ALL_MESSAGES.flatMap(([, { name }]) => [name, `${name} result`]));
  expect(Object.keys(given).filter((name) => !names.has(name))).toEqual([]);
});
