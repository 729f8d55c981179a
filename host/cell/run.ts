import os from 'node:os';
import process from 'node:process';
import * as v from 'valibot';
import { registry } from 'virtual:host-registry';
import type { Log } from '../../core/contracts/scope.ts';
import { toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import { openLink } from '../cells/cell-end.ts';
import { cellSettingsSchema, readJson, TO_CELL, TO_DECODER } from '../cells/protocol.ts';
import { serveDecoder } from '../decoder/serve.ts';
import type { LinkAnswer, LinkPeer, LinkRequest } from '../link/api.ts';
import { linkPeer } from '../link/peer.ts';
import { cellPlugins, cellPluginSchema } from '../plugins/cell-plugins.ts';
import { runService } from './run-service.ts';
import { TO_SERVICE } from '../plugins/service-protocol.ts';
import type { DeclaredSettings } from '../policy/declared-settings.ts';
import { settingsTable } from '../policy/settings-table.ts';
import { remoteLog } from './gateway-services.ts';
import { serveCell } from './serve.ts';
import { remoteBrowsers } from './session/remote-browser.ts';

/** Maximum size of external plugins together, in bytes. */
const MAX_PLUGINS_BYTES = 64 * 1024 * 1024;
const pluginsSchema = v.pipe(v.array(cellPluginSchema), v.maxLength(200));
/** Time for the session to end normally once the gateway has ended. */
const LAST_MS = 3000;

/** Code of third parties that runs in this process may not have these: see `lockDown`. */
const ownConsole = console;

/** Runs the cell of this process, the service half of a plugin, or a decoder, as its link's first call says, until the link ends. */
export function runCell(): void {
  const peer = linkPeer(openLink(), {
    onFault: (fault, where) => ownConsole.error(`link: ${where}: ${fault.code}: ${fault.message}`),
  });
  let close = (): Promise<void> => Promise.resolve();
  const undos: (() => void)[] = [];
  /** Makes a program of the process: the first call wins. */
  const once = (method: string, setUp: (request: LinkRequest) => Promise<() => Promise<void>>): void => {
    const handler = async (request: LinkRequest): Promise<LinkAnswer> => {
      for (const undo of undos) undo();
      close = await setUp(request);
      return {};
    };
    undos.push(peer.handle(method, handler));
  };
  once(TO_CELL.setUp, (request) => setUpCell(peer, request));
  once(TO_SERVICE.setUp, async (request) => {
    const dispose = await runService(peer, request, registry, (level) => loggingRejections(remoteLog(peer, level)));
    return async () => dispose();
  });
  once(TO_DECODER.setUp, async ({ params }) => {
    serveDecoder(peer, params);
    return () => Promise.resolve();
  });
  onAbort(peer.closed, () => {
    setTimeout(() => process.exit(1), LAST_MS).unref();
    void close().finally(() => process.exit(0));
  });
  // Only the launcher reads standard error: the last lines explain a crash of the cell.
  process.on('uncaughtException', (thrown) => {
    ownConsole.error(thrown);
    process.exit(1);
  });
}

/** Serves a person. Returns a function that closes the session. */
async function setUpCell(peer: LinkPeer, { params, body }: LinkRequest): Promise<() => Promise<void>> {
  const settings = validate(cellSettingsSchema, params, TO_CELL.setUp);
  const given = await readJson(body, pluginsSchema, 'plugins', MAX_PLUGINS_BYTES);
  const { limits, egress, denied, extensionDir, without, options, logLevel, scale } = settings;
  const table = settingsTable(settings.declared as DeclaredSettings[]); // checks each
  const log = loggingRejections(remoteLog(peer, logLevel));
  const plugins = await cellPlugins(registry, without, given, os.homedir());
  const launch = remoteBrowsers(peer);
  const parts = { launch, egress, denied, extensionDir, plugins, limits, options, settings: table, scale, log };
  const served = serveCell(peer, parts);
  return () => served.close();
}

/** Logs unhandled promise rejections from now on. */
function loggingRejections(log: Log): Log {
  process.on('unhandledRejection', (reason) => {
    const { code, stack } = toAppError(reason);
    log.error('unhandled promise rejection', { code, stack });
  });
  return log;
}
