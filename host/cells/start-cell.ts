import type { Log } from '../../core/contracts/scope.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import { ownMemory } from '../base/own-memory.ts';
import type { LinkPeer } from '../link/api.ts';
import { linkPeer } from '../link/peer.ts';
import type { CellPlugin } from '../plugins/cell-plugins.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import type { ExternalService } from '../plugins/external-service.ts';
import { optionsOf } from '../declared/options.ts';
import { serviceName } from '../plugins/service-client.ts';
import { TO_SERVICE } from '../plugins/service-protocol.ts';
import type { ServiceSetUp } from '../plugins/service-protocol.ts';
import type { BrowserProcess, CellProcess, CellProcesses } from './cell-processes.ts';
import type { StartCell, StartedCell } from './cell-process.ts';
import {
  jsonBody,
  killBrowserSchema,
  NOTICE_TO_CELL,
  startBrowserSchema,
  TO_CELL,
  TO_DECODER,
  TO_GATEWAY,
} from './protocol.ts';
import type { CellSettings } from './protocol.ts';
import { UsualScale } from './usual-scale.ts';

/** Time for a started cell to be set up. */
const SET_UP_DEADLINE_MS = 30_000;
/** Lines of a browser that are passed on when it has ended. */
const STDERR_LINES = 30;

interface StartCellOptions {
  readonly processes: Pick<CellProcesses, 'startCell' | 'startBrowser' | 'killBrowser'>;
  readonly settings: CellSettings;
  /** Plugins from outside the build. */
  readonly plugins: readonly CellPlugin[];
  readonly log: Log;
}

/** Starts cells as processes of their own, and their browsers for them. */
export function cellStarter({ processes, settings, plugins, log }: StartCellOptions): StartCell {
  const body = jsonBody(plugins);
  const scales = new UsualScale();
  return async () => {
    const cell = await processes.startCell();
    const started = linked(cell, { method: TO_CELL.setUp, params: { ...settings, scale: scales.usual }, body }, log);
    const browserPid = serveBrowsers(started.peer, cell, processes);
    const pids = (): number[] => [cell.pid, browserPid()].filter((pid) => pid !== undefined);
    let isLearned = false;
    const learnScale = (scale: number): void => {
      if (!isLearned) scales.learn(scale);
      isLearned = true;
    };
    return { ...started, bytes: () => ownMemory(pids()), learnScale };
  };
}

/** A service half to start, and its plugin: one of the build by its name, or one from outside. `storage`: it keeps files. */
type ServiceSource = { readonly name: string; readonly id: string; readonly storage?: boolean } & (
  { readonly plugin: ExternalService } | { readonly plugin?: never }
);

/** The service halves among plugins, with those from outside as they were built. */
export function serviceSources(
  plugins: readonly Pick<RegisteredPlugin, 'manifest' | 'activateService'>[],
  external: ReadonlyMap<string, ExternalService>,
): ServiceSource[] {
  const own = plugins.filter(({ activateService }) => activateService !== undefined);
  return [
    ...own.map(({ manifest }) => ({
      name: serviceName(manifest),
      id: manifest.id,
      ...(manifest.storage === true && { storage: true }),
    })),
    ...[...external].map(([name, plugin]) => ({ name, id: name.split(':', 1)[0] ?? name, plugin })),
  ];
}

/** Starts the process of a service half: confined and limited like a cell, without a browser. */
export function serviceStarter(
  {
    processes,
    options,
    logLevel,
    log,
  }: Pick<StartCellOptions, 'processes' | 'log'> & Pick<CellSettings, 'options' | 'logLevel'>,
  { name, id, plugin, storage = false }: ServiceSource,
): StartCell {
  const own = optionsOf(options, id);
  const params: ServiceSetUp = { options: own, logLevel, storage, ...(plugin === undefined && { builtIn: name }) };
  const setUp = { method: TO_SERVICE.setUp, params, ...(plugin && { body: jsonBody(plugin) }) };
  return async () => linked(await processes.startCell(storage ? { storage: id } : {}), setUp, log);
}

/** Starts the process of a decoder: confined like a cell, without a browser and a network. */
export function decoderStarter({
  processes,
  log,
}: {
  readonly processes: Pick<CellProcesses, 'startDecoder' | 'decoderModules'>;
  readonly log: Log;
}): StartCell {
  const setUp = { method: TO_DECODER.setUp, params: { modules: processes.decoderModules } };
  return async () => linked(await processes.startDecoder(), setUp, log);
}

interface SetUp {
  readonly method: string;
  readonly params: unknown;
  readonly body?: Uint8Array;
}

/** The link to a started process, and the call that tells it what to be. */
function linked(cell: CellProcess, { method, params, body }: SetUp, log: Log): StartedCell {
  const peer = linkPeer(cell.socket, {
    onFault: (fault, where) =>
      log.warn('cell link', { cellPid: cell.pid, where, code: fault.code, error: fault.message }),
  });
  return {
    peer,
    pid: cell.pid,
    exited: cell.exited,
    kill: () => cell.kill(),
    setUp: async () => {
      await peer.call(method, params, { deadlineMs: SET_UP_DEADLINE_MS, ...(body && { body }) });
    },
    stderr: cell.stderr,
  };
}

/** Lets a cell have one browser at a time. Returns what answers with the process id of the browser that runs. */
function serveBrowsers(
  peer: LinkPeer,
  cell: CellProcess,
  processes: StartCellOptions['processes'],
): () => number | undefined {
  let pid: number | undefined;
  const running = new Map<string, BrowserProcess>();
  peer.handle(TO_GATEWAY.startBrowser, async ({ params, signal }) => {
    const { proxyPort, scale } = validate(startBrowserSchema, params, TO_GATEWAY.startBrowser);
    const extraArgs = scale === 1 ? [] : [`--force-device-scale-factor=${scale}`];
    const browser = await processes.startBrowser(cell, { proxyPort, extraArgs });
    const { id, socketPath, uid, exchange, stderr } = browser;
    running.set(id, browser);
    browser.started.then(
      (started) => (pid = started),
      () => undefined, // its exit says why
    );
    void browser.exited.then((exit) => {
      running.delete(id);
      pid = undefined;
      peer.notify(NOTICE_TO_CELL.browserExited, { id, ...exit, stderr: stderr.slice(-STDERR_LINES) });
    });
    onAbort(signal, () => void processes.killBrowser(browser)); // the cell never learns of it, and may have no other beside it
    return {
      value: { id, socketPath, ...(uid !== undefined && { uid }), ...(exchange !== undefined && { exchange }) },
    };
  });
  peer.handle(TO_GATEWAY.killBrowser, async ({ params }) => {
    const { id } = validate(killBrowserSchema, params, TO_GATEWAY.killBrowser);
    const browser = running.get(id);
    if (!browser) throw new AppError('browser-gone', 'There is no such browser.');
    await processes.killBrowser(browser);
    return {};
  });
  return () => pid;
}
