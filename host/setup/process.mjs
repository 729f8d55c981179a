// Runs child processes of the set-up: argument arrays only, never a shell.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A step that failed, with advice for the person. */
export class SetupError extends Error {
  /** @param {string} message @param {string} advice */
  constructor(message, advice) {
    super(message);
    this.advice = advice;
  }
}

/** @type {NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the checkout with our standard streams until it ends; signals sent to us are forwarded.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} its exit code; 128 + number after a signal
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: options.env ?? process.env });
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // A terminal has sent its Ctrl-C to the child, too.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const settle = () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.once('error', (error) => {
      settle();
      reject(new SetupError(`${program} could not be started: ${error.message}`, 'Check that it is installed.'));
    });
    child.once('exit', (code, signal) => {
      settle();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}
