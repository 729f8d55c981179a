/** What runs in a plugin's thread: reads what the plugin is, or runs its host half for one tab. */
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { Disposal } from '../../../core/plugins/disposal.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { messagesOf, parseManifest } from '../../../core/contracts/manifest.ts';
import { letImportVitrine } from '../external/vitrine-imports.ts';
import * as hostEntry from '../../plugin.ts';
import type { ActivateHost } from '../../plugin.ts';
import { lockDown } from './lockdown.ts';
import type { ReadPlugin } from './read-plugin.ts';
import { threadLog, threadScope } from './thread-scope.ts';
import { recordWithStack, ThreadWire } from './thread-wire.ts';
import type { ThreadData } from './wire.ts';

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

async function activateOf(half: string, name: string): Promise<ActivateHost> {
  const { [name]: activate } = await load(half);
  if (typeof activate !== 'function') throw new AppError('bad-plugin', `${half}: exports no function ${name}`);
  return activate as ActivateHost; // the contract of a host half, which alone is run here
}

async function read(file: string): Promise<ReadPlugin> {
  const { manifest: told } = await load(file);
  if (told === undefined) throw new AppError('bad-plugin', `${file}: exports no manifest`);
  try {
    const manifest = parseManifest(told);
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

/** Does this thread's task. Rejects with nothing: what is wrong is told to whoever has started it. */
export async function runThread(): Promise<void> {
  const { folder, node, task, answers, answered } = workerData as ThreadData; // given by plugin-thread.ts
  const disposal = new Disposal((fault) => wire.send(['fault', recordWithStack(fault)]));
  const wire = new ThreadWire({ answers, answered }, () => {
    disposal.dispose(new AppError('plugin-disposed', 'it is over'));
    wire.send(['disposed']);
  });
  // Built halves take `vitrine/host` from here, so that there is one copy of the error class.
  Reflect.set(globalThis, 'vitrineHost', hostEntry);
  try {
    letImportVitrine([folder]);
    lockDown(node, threadLog(wire));
    if (task.kind === 'read') wire.send(['ready', await read(task.file)]);
    else {
      const activate = await activateOf(task.file, task.kind === 'check' ? task.exported : 'activate');
      if (task.kind === 'run') await activate(threadScope(wire, task.facts, disposal));
      wire.send(['ready', null]);
    }
  } catch (thrown) {
    wire.send(['failed', recordWithStack(thrown)]);
  }
}
