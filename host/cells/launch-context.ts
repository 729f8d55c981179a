import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { copyExtension } from '../surrogate/extension-copy.ts';
import { surrogateFolders } from '../surrogate/folders.ts';
import { sweepOrphans } from '../surrogate/orphans.ts';
import { recordSurrogate, removeTree, type SurrogateRecord } from '../surrogate/records.ts';
import { isOpenTo, type RunAs } from '../surrogate/unprivileged.ts';
import { networkWall, type NetworkWall } from './confined-command.ts';
import type { FromLauncher, LauncherConfig } from './control-messages.ts';
import type { LaunchEvents, LaunchedProcess } from './launched-process.ts';
import { openLimits, type Limits } from './limits/limits.ts';
import { DiskWatch } from './limits/disk-watch.ts';
import { MemoryWatch } from './limits/memory-watch.ts';
import { cellProgram, decoderModules, type CellProgram } from './programs.ts';
import { ServiceStorage } from './service-storage.ts';
import type { Undo } from './undo.ts';
import { UidPool } from './uid-pool.ts';

/** A message that is not an answer. */
export type Notice = Extract<FromLauncher, { notice: string }>;

/** State that the cells of one launcher share. */
export interface LaunchContext {
  readonly config: LauncherConfig;
  readonly notify: (notice: Notice) => void;
  /** Absent where the launcher is not root. */
  readonly users: UidPool | undefined;
  readonly limits: Limits;
  readonly watch: MemoryWatch;
  readonly disk: DiskWatch;
  readonly program: CellProgram;
  readonly network: NetworkWall;
  readonly decoderModules: Readonly<Record<string, string>>;
  /** Copy of the extension that browsers can read. */
  readonly extensionDir: string | undefined;
  /** Folder of the records of running processes, for the sweep of a later start. */
  readonly records: string;
  readonly profiles: string;
  /** One folder per browser, for files that it and its cell hand to each other. */
  readonly exchanges: string;
  /** Folders of service halves that keep files. */
  readonly storage: ServiceStorage;
  /** One folder per cell. */
  readonly cells: string;
  /** Folders of the sockets. */
  readonly sockets: string;
  /** Number of processes and folders of earlier runs that were removed. */
  readonly swept: number;
}

/**
 * Prepares the shared state, and removes processes and folders of earlier launchers.
 *
 * @param undo receives the steps that remove it again.
 * @throws AppError `launcher-failed`
 */
export async function openContext(
  config: LauncherConfig,
  notify: (notice: Notice) => void,
  undo: Undo,
): Promise<LaunchContext> {
  const isRoot = process.getuid?.() === 0;
  const someUser: RunAs | undefined = isRoot ? { uid: config.uids.first, gid: config.uids.first } : undefined;
  const { records, profiles, extensions } = surrogateFolders(config.dataDir, someUser);
  const shared = path.dirname(profiles);
  const users = isRoot ? new UidPool({ range: config.uids, folders: [shared] }) : undefined;
  undo.add(() => users?.close());
  const swept = (await sweepOrphans(config.dataDir, someUser)) + ((await users?.sweep()) ?? 0);
  if (!isOpenTo(config.chromium, someUser, 'read'))
    throw new AppError('launcher-failed', `The users of browsers cannot read ${config.chromium}.`);
  const programs = path.join(shared, 'programs');
  const program = await cellProgram(config.cellEntry, programs, someUser);
  const modules = await decoderModules(config.decoderPackages, programs, someUser);
  const extensionDir = config.extensionDir && (await copyExtension(config.extensionDir, extensions));
  const limits = await openLimits(config.limits, isRoot);
  undo.add(() => limits.close());
  const watch = new MemoryWatch();
  undo.add(() => watch.close());
  const disk = new DiskWatch();
  undo.add(() => disk.close());
  const cells = path.join(shared, 'cells');
  const exchanges = path.join(shared, 'exchange');
  for (const folder of [cells, exchanges]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
  }
  const temporary = isOpenTo(os.tmpdir(), someUser, 'search') ? os.tmpdir() : '/tmp';
  const sockets = await mkdtemp(path.join(temporary, 'vitrine-'));
  await recordFolder(records, sockets, undo);
  await chmod(sockets, 0o711);
  return {
    config,
    notify,
    users,
    limits,
    watch,
    disk,
    program,
    network: networkWall(someUser),
    decoderModules: modules,
    extensionDir,
    records,
    profiles,
    exchanges,
    storage: new ServiceStorage(config.dataDir, config.uids),
    cells,
    sockets,
    swept,
  };
}

/** Records a folder, before or soon after it is made, that is removed with its process. */
export async function recordFolder(records: string, folder: string, undo: Undo): Promise<SurrogateRecord> {
  const record = await recordSurrogate(records, { profileDir: folder, throwAway: true });
  undo.add(async () => {
    await removeTree(folder);
    await record.remove();
  });
  return record;
}

/** Random name of a folder; short, since paths of sockets are below it. */
export function randomName(): string {
  return randomBytes(6).toString('hex');
}

/** Forwards the events of a process, keeps its record, and has its memory watched where no cgroup limits it, and its profile. */
export function launchEvents(
  { notify, watch, disk }: LaunchContext,
  target: string,
  options: {
    readonly record: SurrogateRecord;
    readonly user: RunAs | undefined;
    readonly watchedBytes: number | undefined;
    /** Folders of a browser, and their largest sizes in bytes. */
    readonly folders?: readonly { readonly folder: string; readonly bytes: number }[];
    readonly process: () => LaunchedProcess;
  },
): LaunchEvents {
  const unwatch: (() => void)[] = [];
  return {
    started(pid) {
      notify({ notice: 'started', target, pid });
      void options.record.started(pid);
      for (const { folder, bytes } of options.folders ?? [])
        unwatch.push(disk.watch(folder, bytes, () => void options.process().kill('disk')));
      if (options.watchedBytes === undefined) return;
      const family = { pid, ...(options.user && { uid: options.user.uid }) };
      unwatch.push(watch.watch(family, options.watchedBytes, () => void options.process().kill('memory')));
    },
    output: (lines) => notify({ notice: 'output', target, lines }),
    exited(exit, stderr) {
      for (const stop of unwatch) stop();
      notify({ notice: 'exited', target, exit, stderr });
    },
  };
}
