import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsed } from '../../policy/tests/own-settings.ts';
import type { ReplaceablePolicyEngine } from '../../policy/engine.ts';
import { ANNA, BEN, browse, policyOf, serveSite, startWorker } from './harness.ts';

let site: Awaited<ReturnType<typeof serveSite>>;
let started: Awaited<ReturnType<typeof startWorker>>;
let policy: ReplaceablePolicyEngine;
beforeAll(async () => {
  site = await serveSite(() => '<!doctype html><p>hello');
  policy = await policyOf('tenants: { default: {} }');
  started = await startWorker({ policy });
});
afterAll(async () => {
  await started.stop();
  site.close();
});

/** Sets the age in seconds at which a session of this person ends. */
function limit(person: typeof ANNA, lifetime_seconds: number): void {
  const users = { [person.subject]: { policy: { limits: { lifetime_seconds } } } };
  policy.replace(parsed(JSON.stringify({ tenants: { default: { users } } }), 'test'));
}

it('ends the tabs of a session that is older than the policy lets it be, with its surrogate, while they are used', async () => {
  const { worker } = started;
  const tabs = [await browse(worker, site.url('a.test')), await browse(worker, site.url('b.test'))];
  const ben = await browse(worker, site.url('c.test'), BEN);
  for (const client of [...tabs, ben]) await client.tellsOf('ready');
  expect(worker.counts()).toMatchObject({ sessions: 2, tabs: 3, surrogates: 2 });

  limit(ANNA, 1); // it is older soon, if not yet
  for (const client of tabs) {
    expect(await client.hears('disconnect')).toMatchObject({ reason: 'lifetime' });
    await client.until(() => client.closed === 'lifetime', 'the end of its transport');
  }
  await expect.poll(() => worker.counts()).toMatchObject({ sessions: 1, tabs: 1, surrogates: 1, asleep: 0 });
  // Another one is as old, and has no such limit.
  expect(await ben.ask('hi')).toContain('c.test');

  limit(BEN, 3600);
  const anna = await browse(worker, site.url('d.test'));
  await anna.tellsOf('ready');
  limit(BEN, 1);
  expect(await ben.hears('disconnect')).toMatchObject({ reason: 'lifetime' });
  expect(await anna.ask('hi')).toContain('d.test');
});
