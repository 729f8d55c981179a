/** `npm run dev`: builds and restarts a host whenever its sources change. Options are those of `npm start`. */
import path from 'node:path';
import { parseOptions, usage } from '../options.ts';
import { reloading } from '../reload.ts';
import { ensureClient } from './client.mjs';
import { root } from './process.mjs';

const SOURCES = ['core', 'plugins', 'host'].map((folder) => path.join(root, folder));

const args = process.argv.slice(2);
const { help, port, plugins } = parseOptions(args, process.env);
if (help) console.log(usage());
else
  process.exitCode = await reloading({
    entry: path.join(root, 'host/main.ts'),
    args,
    port,
    folders: [...SOURCES, ...plugins],
    // Builds only when files that the build reads have changed.
    prepare: async () => (await ensureClient(process.execPath)) === 0,
  });
