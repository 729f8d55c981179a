import path from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { CELL_LIMITS } from '../cell/cell-limits.ts';
import { CellProcesses } from '../cells/cell-processes.ts';
import { createCells } from '../cells/cells.ts';
import type { Services } from '../cells/services.ts';
import type { Worker } from '../cells/cells.ts';
import type { Decoders } from '../cells/decoders.ts';
import { cellStarter } from '../cells/start-cell.ts';
import { optionsForCells } from '../declared/options.ts';
import type { DeclaredOption } from '../declared/options.ts';
import { MachineFonts } from '../fonts/system-fonts.ts';
import type { Metrics } from '../gateway/metrics.ts';
import type { PluginRecords } from '../gateway/plugin-records.ts';
import { networkLimits } from '../base/network-limits.ts';
import { keptCookies, sweepOrphanedCookies } from '../base/kept-cookies.ts';
import type { Options } from './options.ts';
import { buildHostHalves } from '../plugins/host-halves.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { countCells, showLimits } from './cell-gauges.ts';
import type { Program } from './program.ts';
import { openDecoders } from './decoders.ts';
import { openServices } from './services.ts';
import { watchMemory } from './memory-watch.ts';

/** Parts of the host that its cells work with. */
interface CellsOptions {
  /** The checkout. */
  readonly root: string;
  readonly options: Options;
  /** Absolute path of a Chromium. */
  readonly chromium: string;
  readonly program: Program;
  /** Options that plugins have declared. */
  readonly declared: readonly DeclaredOption[];
  readonly policy: PolicyEngine;
  readonly metrics: Metrics;
  readonly records: PluginRecords;
  readonly log: Log;
}

/** The cells of a host, its services, its decoders, and the processes that they run in. Whoever opened them drains the cells, then closes the others. */
interface OpenCells {
  readonly worker: Worker;
  readonly services: Services;
  readonly decoders: Decoders;
  readonly processes: CellProcesses;
}

/** Starts the launcher of cells and what keeps them; cells themselves start with the first people, but for a warm one. */
export async function openCells({
  root,
  options,
  chromium,
  program,
  declared,
  policy,
  metrics,
  records,
  log,
}: CellsOptions): Promise<OpenCells> {
  const { assets, plugins, settings, decoders: packages, denied, flags, extensionDir } = program;
  const processes = await CellProcesses.open({
    dataDir: options.data,
    cellEntry: path.join(root, 'dist/host/cell.mjs'),
    launcherEntry: path.join(root, 'dist/host/launcher.mjs'),
    chromium,
    extensionDir,
    decoderPackages: packages,
    browserArgs: flags,
    uids: options.cellUids,
    chosen: options.limits,
    log,
  });
  log.info('limits of cells', { limits: processes.limits, launcherPid: processes.launcherPid });
  if (processes.swept > 0)
    log.warn('cells of an earlier run were left behind and have been removed', { swept: processes.swept });
  const cookies = keptCookies(options.data);
  const { maxCells, warmCells, goneMs, reserveBytes, ...times } = options.room;
  sweepOrphanedCookies(cookies, times.idleMs, log);
  const logLevel = cellLogLevel(options.logLevel);
  const services = await openServices({
    processes,
    program,
    metrics,
    records,
    options: options.ofPlugins,
    logLevel,
    log,
  });
  const network = networkLimits(options.limits);
  const decoders = openDecoders({ processes, metrics, log });
  const worker = createCells({
    start: cellStarter({
      processes,
      settings: {
        limits: { ...CELL_LIMITS, ...times, budgets: options.pageBudgets },
        egress: egressOf(options, network),
        denied: [...denied],
        extensionDir: processes.extensionDir ?? extensionDir,
        without: [...assets.without],
        declared: [...settings.declared],
        options: optionsForCells(options.ofPlugins, declared),
        logLevel,
      },
      plugins: await buildHostHalves(plugins),
      log,
    }),
    policy,
    fonts: new MachineFonts(path.join(options.data, 'fonts'), decoders.cutFont, log),
    cookies,
    services,
    decoders,
    maxCells,
    poolSize: warmCells,
    goneMs,
    keepMs: times.idleMs,
    onFault: (from, code) => metrics.fault(from, code),
    onRecords: (sent, person) => records.take(sent, person),
    log,
  });
  watchMemory(reserveBytes, (isUrgent) => worker.relieve(isUrgent));
  countCells(metrics, worker);
  showLimits(metrics, processes.limitValues, network, processes);
  return { worker, services, decoders, processes };
}

/** The addresses that surrogates may reach. */
function egressOf(
  options: Options,
  network: ReturnType<typeof networkLimits>,
): Parameters<typeof cellStarter>[0]['settings']['egress'] {
  const { allowNetworks, allowPrivateNetworks, origins, inspectOrigin, clusterOrigin } = options;
  return {
    allowNetworks: [...allowNetworks],
    allowPrivate: allowPrivateNetworks,
    ownOrigins: [...origins, inspectOrigin, clusterOrigin].filter((origin) => origin !== undefined),
    network,
  };
}

/** Cells log over their link, from this level on. */
function cellLogLevel(level: string): 'debug' | 'info' | 'warn' | 'error' {
  if (level === 'trace' || level === 'debug') return 'debug';
  return level === 'info' || level === 'warn' ? level : 'error';
}
