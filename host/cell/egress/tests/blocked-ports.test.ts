import { expect, it } from 'vitest';
import { isBlockedPort } from '../blocked-ports.ts';

/** Past the last port of the list. */
const MAX_PORT = 10_100;

/** A dispatcher of `fetch` that opens no connection: it is asked for ports that are not refused before. */
const nowhere = {
  dispatch(): never {
    throw new Error('not refused');
  },
};

/** Whether `fetch` refuses a port by the list of the Fetch standard. */
async function isRefused(port: number): Promise<boolean> {
  const options: RequestInit & { dispatcher: object } = { dispatcher: nowhere };
  const thrown = await fetch(`http://127.0.0.1:${port}/`, options).catch((error: unknown) => error);
  return thrown instanceof Error && thrown.cause instanceof Error && thrown.cause.message === 'bad port';
}

it('blocks the ports that the Fetch standard blocks, and port 0', async () => {
  const refused: number[] = [0];
  for (let port = 1; port <= MAX_PORT; port++) if (await isRefused(port)) refused.push(port);
  expect(refused.length).toBeGreaterThan(80);
  const all = Array.from({ length: 65_536 }, (_, port) => port);
  expect(all.filter(isBlockedPort)).toEqual(refused);
});
