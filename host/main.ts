/** The command line and the composition root of the embedded default: the gateway in this process, a cell for each person beside it. */
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import type { Log } from '../core/contracts/scope.ts';
import { AppError, toAppError } from '../core/protocol/errors.ts';
import { buildPlugins } from './plugins/external/external-plugins.ts';
import { CELL_LIMITS } from './cell/cell.ts';
import { createCells } from './cells/cells.ts';
import type { Worker } from './cells/cells.ts';
import { CellProcesses } from './cells/cell-processes.ts';
import { cellStarter } from './cells/start-cell.ts';
import { MachineFonts } from './fonts/system-fonts.ts';
import { keptCookies, sweepOrphanedCookies } from './kept-cookies.ts';
import { buildHostHalves } from './plugins/external/host-halves.ts';
import { loadAssets } from './gateway/assets.ts';
import { openEventLog } from './gateway/event-log.ts';
import { integrityTokens } from './gateway/integrity-tokens.ts';
import { createMetrics } from './gateway/metrics.ts';
import type { Metrics } from './gateway/metrics.ts';
import { hostSecret, personCookies } from './gateway/person.ts';
import { createGateway } from './gateway/server.ts';
import { bypassTokens } from './policy/bypass.ts';
import { createPolicyEngine } from './policy/engine.ts';
import type { ReplaceablePolicyEngine } from './policy/engine.ts';
import type { Policy } from './policy/policy.ts';
import { readPolicy } from './policy/policy-reader.ts';
import { watchPolicy } from './policy/policy-watch.ts';
import type { PolicyWatch } from './policy/policy-watch.ts';
import { declaredBy, settingsTable } from './policy/settings-table.ts';
import type { SettingsTable } from './policy/settings-table.ts';
import { parseOptions, usage } from './options.ts';
import type { Options } from './options.ts';
import { hostLog } from './host-log.ts';
import { reloading } from './reload.ts';
import { checkTogether } from './plugins/checks.ts';
import { loadPlugins, manifestsOf } from './plugins/registry.ts';

const root = path.dirname(import.meta.dirname);
/** A drain that takes longer than this is cut off. */
const DRAIN_DEADLINE_MS = 15_000;

async function serve(options: Options): Promise<void> {
  const log = pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: false }));
  const file = options.policy;
  const assets = await loadAssets(path.join(root, 'dist'));
  const loaded = await loadPlugins(root, { folders: options.plugins, without: assets.without });
  checkTogether(loaded);
  const settings = settingsTable(declaredBy(loaded, await manifestsOf(root, assets.without)));
  const read = file === undefined ? undefined : await readPolicy(file, settings);
  const { plugins, files, extensionDir } = await buildPlugins(loaded, {
    extensionDir: assets.extensionDir,
    dataDir: options.data,
  });
  const secret = await hostSecret(options.data);
  if (options.chromium === undefined)
    throw new AppError('no-chromium', 'no Chromium is named: use --chromium PATH or VITRINE_CHROMIUM');

  const policy = await createPolicyEngine({
    ...(read && { policy: read }),
    settings,
    capabilities: plugins.flatMap(({ manifest }) => manifest.capability ?? []),
    log: hostLog(log),
  });
  const watched =
    file !== undefined && read ? keepPolicy(file, read, { settings, engine: policy, log: hostLog(log) }) : undefined;
  const metrics = createMetrics();
  const processes = await CellProcesses.open({
    dataDir: options.data,
    cellEntry: path.join(root, 'dist/host/cell.mjs'),
    launcherEntry: path.join(root, 'dist/host/launcher.mjs'),
    chromium: options.chromium,
    extensionDir,
    uids: options.cellUids,
    log: hostLog(log),
  });
  log.info({ limits: processes.limits, launcherPid: processes.launcherPid }, 'limits of cells');
  if (processes.swept > 0)
    log.warn({ swept: processes.swept }, 'cells of an earlier run were left behind and have been removed');
  const cookies = keptCookies(options.data);
  sweepOrphanedCookies(cookies, CELL_LIMITS.idleMs, hostLog(log));
  const worker = createCells({
    start: cellStarter({
      processes,
      settings: {
        limits: CELL_LIMITS,
        egress: { allowNetworks: [...options.allowNetworks], allowPrivate: options.allowPrivateNetworks },
        extensionDir: processes.extensionDir ?? extensionDir,
        without: [...assets.without],
        declared: [...settings.declared],
        logLevel: cellLogLevel(options.logLevel),
      },
      plugins: await buildHostHalves(plugins),
      log: hostLog(log),
    }),
    policy,
    fonts: new MachineFonts(path.join(options.data, 'fonts'), hostLog(log)),
    cookies,
    maxCells: options.maxCells,
    onFault: (from, code) => metrics.fault(from, code),
    log: hostLog(log),
  });
  countWorker(metrics, worker);
  const events = openEventLog(options.data, (thrown) => log.error({ err: thrown }, 'client events are not kept'));
  metrics.gauge('vitrine_client_events_dropped', 'Client events that could not be kept', () => events.dropped);
  const tls =
    options.tlsCert !== undefined && options.tlsKey !== undefined
      ? { cert: await readFile(options.tlsCert), key: await readFile(options.tlsKey) }
      : undefined;
  const gateway = await createGateway({
    link: worker,
    assets,
    pluginFiles: files,
    routes: plugins.flatMap(({ manifest }) => manifest.routes ?? []),
    persons: personCookies(secret),
    integrity: integrityTokens(secret),
    policy,
    bypass: bypassTokens(secret),
    metrics,
    events,
    log,
    origins: options.origins,
    frameAncestors: options.frameAncestors,
    inspectOrigin: options.inspectOrigin,
    clusterOrigin: options.clusterOrigin,
    loginOrigins: options.loginOrigins,
    ...(tls ? { tls } : {}),
  });

  let stopping: Promise<void> | undefined;
  const stop = (signal: string): void => {
    stopping ??= (async () => {
      log.info({ signal }, 'draining');
      const deadline = setTimeout(() => process.exit(1), DRAIN_DEADLINE_MS);
      watched?.close();
      await worker.drain('shutting down');
      await gateway.close();
      await processes.close();
      await events.flush();
      clearTimeout(deadline);
      log.info('stopped');
    })().catch((thrown: unknown) => {
      log.error({ err: thrown }, 'the host did not stop cleanly');
      process.exitCode = 1;
    });
  };
  // A plugin's stray promise must not end everybody's session.
  process.on('unhandledRejection', (reason) => {
    metrics.fault('host', 'unhandled-rejection');
    log.error({ err: reason }, 'unhandled promise rejection');
  });
  // After anything else that nobody has caught the host is not to be relied on: tabs are told to come again, and it ends.
  process.on('uncaughtException', (thrown) => {
    log.fatal({ err: thrown }, 'the host has a fault and ends');
    process.exitCode = 1;
    stop('fault');
  });
  void processes.ended.then((exit) => {
    if (stopping) return;
    log.fatal({ ...exit }, 'the launcher of cells has ended, and every cell with it: the host ends');
    process.exitCode = 1;
    stop('launcher ended');
  });
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  try {
    await gateway.listen({ port: options.port, host: options.host });
  } catch (thrown) {
    await worker.drain('not started');
    await processes.close();
    throw thrown;
  }
  const { port } = gateway.server.address() as AddressInfo; // it listens on TCP
  worker.addOwnPort(port);
  const name = /^(127\.|::1$|0\.0\.0\.0$|::$|localhost$)/.test(options.host) ? 'localhost' : options.host;
  console.log(`Vitrine is ready: ${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/`);
}

/** Follows the policy file; SIGHUP reads it at once. */
function keepPolicy(
  file: string,
  first: Policy,
  {
    engine,
    ...options
  }: { readonly settings: SettingsTable; readonly engine: ReplaceablePolicyEngine; readonly log: Log },
): PolicyWatch {
  const watched = watchPolicy(file, first, { ...options, onPolicy: (next) => engine.replace(next) });
  process.on('SIGHUP', () => void watched.reload());
  return watched;
}

/** Cells log over their link, from this level on. */
function cellLogLevel(level: string): 'debug' | 'info' | 'warn' | 'error' {
  if (level === 'trace' || level === 'debug') return 'debug';
  return level === 'info' || level === 'warn' ? level : 'error';
}

function countWorker(metrics: Metrics, worker: Worker): void {
  metrics.gauge('vitrine_cells', 'Running cells', () => worker.counts().cells);
  metrics.gauge('vitrine_sessions', 'People with a surrogate', () => worker.counts().sessions);
  metrics.gauge('vitrine_tabs', 'Paired tabs', () => worker.counts().tabs);
  metrics.gauge('vitrine_tabs_attached', 'Paired tabs whose client is connected', () => worker.counts().attached);
  metrics.gauge('vitrine_surrogates', 'Running surrogates', () => worker.counts().surrogates);
  metrics.gauge(
    'vitrine_surrogates_warm',
    'Cells that wait for a person, with a running surrogate',
    () => worker.counts().warm,
  );
  metrics.gauge('vitrine_surrogate_launches', 'Surrogates launched since the start', () => worker.counts().launches);
  metrics.gauge(
    'vitrine_surrogate_launches_failed',
    'Launches that failed since the start',
    () => worker.counts().failedLaunches,
  );
  metrics.gauge(
    'vitrine_surrogate_crashes',
    'Cells, surrogates and pages that crashed since the start',
    () => worker.counts().crashes,
  );
}

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(usage());
  else if (options.reload) {
    const args = process.argv.slice(2).filter((arg) => arg !== '--reload');
    process.env['VITRINE_RELOAD'] = ''; // for the host that it starts
    process.exitCode = await reloading({
      entry: import.meta.filename,
      args,
      port: options.port,
      folders: options.plugins,
    });
  } else await serve(options);
} catch (thrown) {
  const error = toAppError(thrown);
  console.error(`Vitrine could not start: ${error.message}`);
  if (error.code === 'internal') console.error(error.cause ?? thrown);
  process.exitCode = 1;
}
