import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startSite } from '../e2e/support/site.ts';
import type { Site } from '../e2e/support/site.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { countsOf, RawPerson } from './raw-person.ts';

/** Environment of a file's tests. */
interface Stage {
  readonly site: Site;
  readonly host: RunningHost;
  /** The person who is attacked, or attacks. */
  readonly anna: RawPerson;
  /** Another person, whose session must still work: checked after each test. */
  readonly ben: RawPerson;
  /** Starts to watch a counter of `/metrics`: returns a function for its increase since then. */
  counter(name: string): Promise<() => Promise<number>>;
}

/** A host in a process of its own, two people at a site of one page, for the tests of a file. */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  const started = (): Stage => {
    if (!stage) throw new Error('the stage is ready within tests only');
    return stage;
  };
  beforeAll(async () => {
    const site = await startSite();
    site.on('/', '<!doctype html><title>site</title><img src="/picture.svg"><p>hello');
    site.on('/picture.svg', (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    );
    const host = await startHost({ allow: [`127.0.0.1:${site.port}`] });
    const arrive = (): Promise<RawPerson> => RawPerson.arrive(host.origin, `${site.origin}/`);
    const counter = async (name: string): Promise<() => Promise<number>> => {
      const count = async (): Promise<number> => (await countsOf(host.origin)).get(name) ?? 0;
      const before = await count();
      return async () => (await count()) - before;
    };
    stage = { site, host, anna: await arrive(), ben: await arrive(), counter };
  });
  afterAll(async () => {
    await stage?.host.stop();
    await stage?.site.close();
  });
  afterEach(async () => {
    const { ben, host } = started();
    await ben.expectWorking();
    // No message of a client may cause an unexpected error in the host.
    const faults = [...(await countsOf(host.origin)).keys()].filter((name) => name.startsWith('vitrine_faults_total'));
    expect(faults.filter((name) => /from="host"|code="internal"/.test(name))).toEqual([]);
  });
  return started;
}
