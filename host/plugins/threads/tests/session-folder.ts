import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../../core/protocol/errors.ts';
import type { RouteAnswer, RouteContext, RouteRequest } from '../../../contracts/routes.ts';
import { manifestFrom } from '../../external-manifest.ts';
import type { RegisteredPlugin } from '../../registry.ts';
import { readPlugin } from '../read-plugin.ts';
import { threadedSession } from '../threaded-session.ts';
import { refused, testSession } from './test-session.ts';
import type { TestSession } from './test-session.ts';

/** A plugin in a folder of its own, with its session half in a thread of one session. */
interface RunningSession extends TestSession {
  /** Counters and events of its halves. */
  readonly recorded: readonly unknown[];
  /** Asks a route of the plugin. @throws what the route does */
  ask(path: string, request?: Partial<RouteRequest>): Promise<RouteAnswer>;
  /** The same, with the whole answer as text. */
  text(path: string, request?: Partial<RouteRequest>): Promise<string>;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // no body
}

/** Reads a body to its end. */
export async function bytesOf(body: RouteAnswer['body']): Promise<Buffer> {
  if (ArrayBuffer.isView(body)) return Buffer.from(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A service half that answers with what it is given. */
const echoing = {
  call: async (_method: unknown, params: unknown, given: { readonly body?: AsyncIterable<Uint8Array> } = {}) => ({
    value: params,
    ...(given.body && { body: Object.assign(given.body, { abort: () => undefined }) }),
  }),
};

interface Files {
  readonly session?: string;
  readonly routes?: string;
}

/** Manifests that were read, by their routes: a thread reads each. */
const reads: Record<string, ReturnType<typeof readPlugin>> = {};

/** Writes a plugin with these halves, and the routes `names`. */
async function pluginWith(folder: string, files: Files, names: readonly string[], deadlineMs: number) {
  mkdirSync(path.join(folder, 'host'));
  const facts = { id: 'probe', version: '1.0.0', api: 1, description: 'x', activation: 'boot', routes: names };
  writeFileSync(path.join(folder, 'manifest.ts'), `export const manifest = ${JSON.stringify(facts)};`);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, `host/${name}.ts`), text);
  const file = (name: keyof Files) =>
    files[name] === undefined ? {} : { [name]: path.join(folder, `host/${name}.ts`) };
  const read = (reads[JSON.stringify(names)] ??= readPlugin(folder, path.join(folder, 'manifest.ts')));
  const manifest = manifestFrom(await read, 'manifest.ts');
  const half = threadedSession(folder, { ...file('session'), ...file('routes') }, manifest, deadlineMs);
  return { manifest, folder, external: true, activateSession: half } satisfies RegisteredPlugin;
}

/**
 * Runs `host/session.ts` and `host/routes.ts` of these texts, for the routes `names`. `undos` gets what is to be undone.
 */
export async function runSession(
  undos: (() => void)[],
  files: Files,
  names: readonly string[],
  deadlineMs = 60_000,
): Promise<RunningSession> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-session-'));
  undos.push(() => rmSync(folder, { recursive: true, force: true }));
  const plugin = await pluginWith(folder, files, names, deadlineMs);
  const run = testSession();
  const { plugins, faults, session, tabs } = run;
  undos.push(() => plugins.dispose(new AppError('session-over', 'test over')));
  const service = echoing as never; // answers whatever it is asked
  const recorded: unknown[] = [];
  const access = {
    service,
    options: { mode: 'strict' },
    records: {
      count: (metric: string, by?: number) => {
        if (metric === 'refused') throw new AppError('not-declared', 'the manifest does not declare it');
        recorded.push([metric, by]);
      },
      append: (file: string, event: object) => void recorded.push([file, event]),
    },
  };
  await plugins.activate([{ plugin, variant: 'default' }], () => access);
  // A slow half is not waited for.
  while (faults.length + Number(isServed(run, plugin)) === 0) await delay(50);

  const context: RouteContext = {
    session,
    services: { get: refused, find: refused },
    ...access,
    tab: ({ cid, tabId }) => {
      const tab = cid === 'cid' ? tabs.find(({ id }) => id === tabId) : undefined;
      if (!tab) throw new AppError('session-not-found', 'There is no such session.');
      return { ...tab, service: () => undefined };
    },
  };
  const ask: RunningSession['ask'] = async (route, request = {}) => {
    const method = request.method ?? 'GET';
    const found = plugins.routesOf(plugin).routes[`${method} ${route}`];
    if (!found) throw new Error(`there is no ${method} ${route}`);
    const { signal } = new AbortController();
    return found(
      {
        query: {},
        rest: '',
        contentType: undefined,
        range: undefined,
        ifRange: undefined,
        body: nothing(),
        signal,
        ...request,
        method,
        path: route,
      },
      context,
    );
  };
  return {
    ...run,
    recorded,
    ask,
    text: async (route, request) => String(await bytesOf((await ask(route, request)).body)),
  };
}

function isServed({ plugins }: TestSession, plugin: RegisteredPlugin): boolean {
  try {
    plugins.routesOf(plugin);
    return true;
  } catch {
    return false;
  }
}
