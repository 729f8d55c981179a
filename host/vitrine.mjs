#!/usr/bin/env node
// The `vitrine` command, by plain Node.
process.argv.splice(2, 0, 'vitrine');
process.env.INIT_CWD = process.cwd();
await import('./setup.mjs');
