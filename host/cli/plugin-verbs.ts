import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { RecordedEvent, Verb, Verbs } from '../contracts/verbs.ts';
import { serviceFolder } from '../cells/service-storage.ts';
import { EVENT_LOG_LIMITS, eventFile } from '../gateway/event-log.ts';
import { dataFolder } from '../compose/options.ts';
import { HALVES } from '../plugins/halves.ts';
import { manifestsOf } from '../plugins/registry.ts';
import type { Command } from './command.ts';

const recorded = v.object({
  at: v.string(),
  person: v.exactOptional(v.string()),
  tenant: v.exactOptional(v.string()),
  event: v.record(v.string(), v.unknown()),
});

/** The verbs of the plugins of a checkout, as commands. @throws AppError `bad-plugin` */
export async function pluginVerbs(root: string): Promise<Command[]> {
  const manifests = await manifestsOf(root, readdirSync(path.join(root, 'plugins')).sort());
  const commands: Command[] = [];
  for (const manifest of manifests) {
    if (!manifest.verbs) continue;
    const verbs = await verbsOf(path.join(root, 'plugins', manifest.id), manifest);
    for (const [name, verb] of verbs) commands.push(commandOf(manifest, name, verb));
  }
  return commands;
}

async function verbsOf(folder: string, { verbs = [] }: AnyManifest): Promise<(readonly [string, Verb])[]> {
  const file = path.join(folder, `${HALVES.verbs.file}.ts`);
  if (!existsSync(file))
    throw new AppError('bad-plugin', `${file}: the manifest names verbs, and there is no such file`);
  const { [HALVES.verbs.exports]: found } = (await import(pathToFileURL(file).href)) as { readonly verbs?: Verbs }; // the contract of the half
  return verbs.map((name) => {
    const verb = found?.[name];
    if (!verb) throw new AppError('bad-plugin', `${file}: exports no verb ${name}`);
    return [name, verb] as const;
  });
}

function commandOf(manifest: AnyManifest, name: string, { usage, about, run }: Verb): Command {
  return {
    name: `${manifest.id} ${name}`,
    usage: `${usage} [--data DIR]`.trimStart(),
    about,
    async run(args, print) {
      const { named, rest } = withoutData(args);
      const events = (file: string): AsyncIterable<RecordedEvent> => {
        if (!Object.hasOwn(manifest.eventFiles ?? {}, file))
          throw new AppError('not-declared', `${manifest.id}: its manifest declares no ${file} among its eventFiles`);
        return eventsOf(existingFolder(named), `${manifest.id}.${file}`);
      };
      const storage = (): string => {
        if (manifest.storage !== true)
          throw new AppError('not-declared', `${manifest.id}: its manifest does not declare that it keeps files`);
        const folder = serviceFolder(existingFolder(named), manifest.id);
        if (!existsSync(folder)) throw new AppError('bad-option', `${folder}: no host has kept files there yet`);
        return folder;
      };
      // Pages choose parts of what verbs print: nothing but text and tabs reaches the terminal.
      await run({ args: rest, print: (line) => print(line.replace(/(?!\t)\p{C}/gu, '?')), events, storage });
    },
  };
}

/** Takes `--data DIR` out of arguments. @throws AppError `bad-option` */
function withoutData(args: readonly string[]): {
  readonly named: string | undefined;
  readonly rest: readonly string[];
} {
  const at = args.findIndex((arg) => arg === '--data' || arg.startsWith('--data='));
  const [found = ''] = at < 0 ? [] : args.slice(at);
  const isApart = found === '--data';
  const named = isApart ? args[at + 1] : found.slice('--data='.length) || undefined;
  if (at >= 0 && named === undefined) throw new AppError('bad-option', '--data: a folder is needed');
  const rest = at < 0 ? args : args.toSpliced(at, isApart ? 2 : 1);
  return { named, rest };
}

/** The data folder, for verbs that read it. @throws AppError `bad-option` */
function existingFolder(named: string | undefined): string {
  const data = dataFolder(named, process.env);
  if (!existsSync(data)) throw new AppError('bad-option', `${data}: there is no such data folder: use --data DIR`);
  return data;
}

/** The lines of an event file and of its older parts; a line that was cut off by the end of a host is left out. */
async function* eventsOf(data: string, name: string): AsyncGenerator<RecordedEvent> {
  for (let index = EVENT_LOG_LIMITS.maxFiles - 1; index >= 0; index -= 1) {
    for await (const line of linesOf(eventFile(data, name, index))) {
      const event = parsed(line);
      if (event) yield event;
    }
  }
}

/** The lines of a file; none where there is no file. @throws AppError `unreadable` */
async function* linesOf(file: string): AsyncGenerator<string> {
  let opened: FileHandle | undefined;
  try {
    opened = await open(file);
    yield* opened.readLines({ encoding: 'utf8' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return; // any error of the file system
    throw new AppError('unreadable', `${file} cannot be read: ${String(cause)}`, { cause });
  } finally {
    await opened?.close().catch(() => undefined); // closed by its lines
  }
}

function parsed(line: string): RecordedEvent | undefined {
  try {
    const outcome = v.safeParse(recorded, JSON.parse(line));
    return outcome.success ? outcome.output : undefined;
  } catch {
    return undefined;
  }
}
