/** `npm run dev`: builds and restarts a host whenever its sources change. Options are those of `npm start`. It serves the gallery. */
import path from 'node:path';
import { toAppError } from '../../core/protocol/errors.ts';
import { reloadOptions, usage } from '../compose/options.ts';
import { readOptions } from '../compose/read-options.ts';
import { isExposed } from '../base/exposure.ts';
import { reloading } from '../base/reload.ts';
import { ensureClient } from './client.mjs';
import { root } from './process.mjs';

const SOURCES = ['core', 'plugins', 'host'].map((folder) => path.join(root, folder));

const args = process.argv.slice(2);
try {
  if (args.some((arg) => arg === '--help' || arg === '-h'))
    console.log(usage((await readOptions(args, process.env)).declared));
  else {
    const { options } = await readOptions(args, process.env);
    const { port, folders } = reloadOptions(args, process.env);
    process.exitCode = await reloading({
      entry: path.join(root, 'host/main.ts'),
      args: isExposed(options) ? args : [...args, '--gallery'],
      port,
      folders: [...SOURCES, ...folders],
      // Builds only when files that the build reads have changed.
      prepare: async () => (await ensureClient(process.execPath)) === 0,
    });
  }
} catch (thrown) {
  console.error(toAppError(thrown).message);
  process.exitCode = 1;
}
