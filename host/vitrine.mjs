#!/usr/bin/env node
// The `vitrine` command, by plain Node: `start` and `build` are tasks of the set-up, all others stand in host/cli.
const [name = 'help', ...rest] = process.argv.slice(2);
const words = name === 'start' || name === 'build' ? [name, ...rest] : ['vitrine', name, ...rest];
process.argv.splice(2, Infinity, ...words);
process.env.INIT_CWD = process.cwd();
await import('./setup.mjs');
