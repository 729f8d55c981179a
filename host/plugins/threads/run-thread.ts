/** Entry of a plugin's thread: reads the plugin's manifest, checks that a half loads, or runs a host half for one tab, or a session half for one person. */
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { Disposal } from '../../../core/plugins/disposal.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { messagesOf, parseManifest } from '../../../core/contracts/manifest.ts';
import { letImportVitrine } from '../external/vitrine-imports.ts';
import * as hostEntry from '../../plugin.ts';
import type { ActivateHost } from '../../contracts/host-scope.ts';
import type { Routes } from '../../contracts/routes.ts';
import type { ActivateSession } from '../../contracts/session-scope.ts';
import { lockDown } from './lockdown.ts';
import type { ReadPlugin } from './read-plugin.ts';
import type { RouteFacts } from './route-methods.ts';
import { threadLog } from './thread-log.ts';
import { routeFacts, serveRoutes } from './thread-routes.ts';
import { threadScope } from './thread-scope.ts';
import { threadSession } from './thread-session.ts';
import { recordWithStack, ThreadWire } from './thread-wire.ts';
import type { Task, ThreadData } from './wire.ts';

async function load(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>; // a module is a record of its exports
  } catch (thrown) {
    throw new AppError('bad-plugin', `${placeOf(thrown) ?? file}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

/** Where a file is no TypeScript, as `file:line`: Node says it in the first line of the stack alone. */
function placeOf(thrown: unknown): string | undefined {
  const { stack } = thrown instanceof SyntaxError ? thrown : {};
  return /^(?:\/|[A-Z]:\\).*:\d+$/m.exec(stack?.split('\n', 1)[0] ?? '')?.[0];
}

/** The function that a half exports, by the contract of such halves. */
async function activateOf<F = unknown>(half: string, name: string): Promise<F> {
  const { [name]: activate } = await load(half);
  if (typeof activate !== 'function') throw new AppError('bad-plugin', `${half}: exports no function ${name}`);
  return activate as F; // the contract of the half
}

/** Activates a session half, then answers requests to its plugin's routes. */
async function runSession(
  wire: ThreadWire,
  { files, facts }: Extract<Task, { readonly kind: 'run-session' }>,
  disposal: Disposal,
): Promise<RouteFacts> {
  const scope = threadSession(wire, facts, disposal);
  const { session, routes } = files;
  const exported = routes === undefined ? {} : await load(routes);
  const found = routeFacts(routes ?? '', exported);
  if (session !== undefined) await (await activateOf<ActivateSession>(session, 'activateSession'))(scope);
  if (found.routes.length > 0) serveRoutes(wire, exported['routes'] as Routes, scope); // checked above
  return found;
}

/** Does what the task says. Answers what the host wants to know. */
async function run(wire: ThreadWire, task: Task, disposal: Disposal): Promise<unknown> {
  switch (task.kind) {
    case 'read':
      return read(task.file);
    case 'check':
      await activateOf(task.file, task.exported);
      return null;
    case 'check-routes':
      return routeFacts(task.file, await load(task.file));
    case 'run':
      await (
        await activateOf<ActivateHost>(task.file, 'activate')
      )(threadScope(wire, task.facts, disposal));
      return null;
    case 'run-session':
      return runSession(wire, task, disposal);
  }
}

async function read(file: string): Promise<ReadPlugin> {
  const { manifest: exported } = await load(file);
  if (exported === undefined) throw new AppError('bad-plugin', `${file}: exports no manifest`);
  try {
    const manifest = parseManifest(exported);
    const { protocol: _protocol, ...facts } = manifest;
    const messages = messagesOf(manifest).map(({ name, direction, lane, result, errors, ...more }) => ({
      name,
      direction,
      lane,
      answers: result !== undefined,
      body: more.body ?? 'json',
      resultBody: more.resultBody ?? 'json',
      ...(more.maxBytes !== undefined && { maxBytes: more.maxBytes }),
      ...(errors && { errors: [...errors] }),
    }));
    return { facts, messages: manifest.protocol ? messages : undefined };
  } catch (thrown) {
    throw new AppError('bad-plugin', `${file}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

/** Does this thread's task. Never rejects: errors are sent to whoever has started it. */
export async function runThread(): Promise<void> {
  const { folder, node, task, answers, answered } = workerData as ThreadData; // given by plugin-thread.ts
  const disposal = new Disposal((fault) => wire.send(['fault', recordWithStack(fault)]));
  const wire = new ThreadWire({ answers, answered }, () => {
    disposal.dispose(new AppError('plugin-disposed', 'it is over'));
    wire.send(['disposed']);
  });
  wire.send(['begun']);
  // Built halves take `vitrine/host` from here, so that there is one copy of the error class.
  Reflect.set(globalThis, 'vitrineHost', hostEntry);
  try {
    letImportVitrine([folder]);
    lockDown(node, threadLog(wire));
    wire.send(['ready', await run(wire, task, disposal)]);
  } catch (thrown) {
    wire.send(['failed', recordWithStack(thrown)]);
  }
}
