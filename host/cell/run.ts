import os from 'node:os';
import * as v from 'valibot';
import { registry } from 'virtual:host-registry';
import { toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { openLink } from '../cells/cell-end.ts';
import { cellSettingsSchema, readJson, TO_CELL } from '../cells/protocol.ts';
import { linkPeer } from '../link/peer.ts';
import { cellPlugins, cellPluginSchema } from '../plugins/cell-plugins.ts';
import type { DeclaredSettings } from '../policy/declared-settings.ts';
import { settingsTable } from '../policy/settings-table.ts';
import { remoteLog } from './gateway-services.ts';
import { serveCell } from './serve.ts';
import { remoteBrowsers } from './session/remote-browser.ts';

/** Largest plugins from outside the build together, in bytes. */
const MAX_PLUGINS_BYTES = 64 * 1024 * 1024;
const pluginsSchema = v.pipe(v.array(cellPluginSchema), v.maxLength(200));
/** Time for the session to end in order once the gateway is gone. */
const LAST_MS = 3000;

/** Runs the cell of this process, until its link ends. */
export function runCell(): void {
  const peer = linkPeer(openLink(), {
    onFault: (fault, where) => console.error(`link: ${where}: ${fault.code}: ${fault.message}`),
  });
  let close = (): Promise<void> => Promise.resolve();
  const undo = peer.handle(TO_CELL.setUp, async ({ params, body }) => {
    undo();
    const settings = validate(cellSettingsSchema, params, TO_CELL.setUp);
    const given = await readJson(body, pluginsSchema, 'plugins', MAX_PLUGINS_BYTES);
    const { limits, egress, extensionDir, without, logLevel } = settings;
    const table = settingsTable(settings.declared as DeclaredSettings[]); // checks each
    const log = remoteLog(peer, logLevel);
    const plugins = await cellPlugins(registry, without, given, os.homedir());
    ({ close } = serveCell(peer, {
      launch: remoteBrowsers(peer),
      egress,
      extensionDir,
      plugins,
      limits,
      settings: table,
      log,
    }));
    process.on('unhandledRejection', (reason) => {
      const { code, stack } = toAppError(reason);
      log.error('unhandled promise rejection', { code, stack });
    });
    return {};
  });
  peer.closed.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), LAST_MS).unref();
    void close().finally(() => process.exit(0));
  });
  // Nothing else reads standard error but the launcher: the last lines tell why a cell has crashed.
  process.on('uncaughtException', (thrown) => {
    console.error(thrown);
    process.exit(1);
  });
}
