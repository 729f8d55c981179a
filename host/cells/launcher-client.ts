import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, type ErrorRecord } from '../../core/protocol/errors.ts';
import { OutputTail } from '../surrogate/output-tail.ts';
import { killGroup } from '../surrogate/process-identity.ts';
import { onPath } from './confined-command.ts';
import { controlLines, type ControlLines } from './control-lines.ts';
import type { Configured, FromLauncher, LaunchedExit, LauncherConfig, Request } from './control-messages.ts';

/** Deadline for the launcher's answer to a request. */
const ANSWER_DEADLINE_MS = 30_000;
/** Deadline for the launcher to end all processes. */
const CLOSE_DEADLINE_MS = 30_000;
const KEPT_LINES = 30;

/** A process of the launcher, as its notices report it. */
interface Target {
  readonly id: string;
  readonly started: Promise<number>;
  readonly exited: Promise<LaunchedExit>;
  /** The last lines of its output; the list grows. */
  readonly stderr: readonly string[];
}

interface Tracked {
  readonly target: Target;
  readonly lines: string[];
  pid?: number;
  start(pid: number): void;
  exit(exit: LaunchedExit): void;
}

interface Pending {
  resolve(ok: unknown): void;
  reject(error: AppError): void;
  readonly timer: NodeJS.Timeout;
}

/** Starts the launcher and configures it. @throws AppError `launcher-failed` with its output. */
export async function startLauncher(
  config: LauncherConfig,
  log: Log,
  entry = path.join(import.meta.dirname, 'launcher-main.ts'),
): Promise<{ readonly client: LauncherClient; readonly configured: Configured }> {
  const command = [...(onPath('setpriv') ? ['setpriv', '--pdeathsig=TERM'] : []), process.execPath, entry];
  const [program = '', ...args] = command;
  // A session of its own: the host handles a Ctrl-C in its terminal. Node options of a debugger or test runner are not
  // passed on.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'], env });
  const client = new LauncherClient(child, log);
  try {
    const configured = (await client.request('configure', { config })) as Configured; // its answer
    return { client, configured };
  } catch (thrown) {
    await client.close();
    const stderr = client.stderr.join('\n');
    const { code, message } = thrown as AppError; // of `request`
    throw new AppError(code === 'launcher-ended' ? 'launcher-failed' : code, message, {
      data: { stderr },
      cause: thrown,
    });
  }
}

/** The host's end of the control connection to the launcher. */
export class LauncherClient {
  readonly pid: number;
  /** Resolves when the launcher has ended. All processes that it started have then ended. */
  readonly ended: Promise<LaunchedExit>;
  readonly stderr: readonly string[];
  readonly #child: ChildProcess;
  readonly #log: Log;
  readonly #lines: ControlLines;
  readonly #pending = new Map<number, Pending>();
  readonly #targets = new Map<string, Tracked>();
  #lastId = 0;
  #isOver = false;
  #closing: Promise<void> | undefined;

  constructor(child: ChildProcess, log: Log) {
    this.#child = child;
    this.#log = log;
    this.pid = child.pid ?? 0; // 0: the spawn failed, which `ended` reports
    const tail = new OutputTail(child.stderr, (lines) => {
      for (const line of lines) log.warn('launcher stderr', { line });
    });
    this.stderr = tail.lines;
    const control = child.stdio[3] as Duplex; // a pipe by its stdio; Node makes it a socket
    this.#lines = controlLines(
      control,
      (value) => this.#receive(value as FromLauncher), // a child process of ours, with more rights
      () => child.kill('SIGTERM'), // no further requests can be sent
    );
    const exit = new Promise<LaunchedExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', (error) => {
        tail.lines.push(error.message);
        resolve({ code: null, signal: null, reason: 'failed' });
      });
    });
    this.ended = exit.then(async (value) => {
      await this.#end();
      return value;
    });
  }

  /** Registers the name of a process before it is requested. */
  target(id: string): Target {
    const lines: string[] = [];
    const started = Promise.withResolvers<number>();
    const exited = Promise.withResolvers<LaunchedExit>();
    const target: Target = { id, started: started.promise, exited: exited.promise, stderr: lines };
    const tracked: Tracked = {
      target,
      lines,
      start: (pid) => started.resolve(pid),
      exit: (exit) => exited.resolve(exit),
    };
    this.#targets.set(id, tracked);
    return target;
  }

  /** @throws AppError of the launcher, or `launcher-ended` */
  request(verb: Request['verb'], fields: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const failed = (error: AppError): void => {
        if (verb !== 'kill' && 'target' in fields) this.#targets.delete(String(fields.target)); // never started
        reject(error);
      };
      if (this.#isOver) return failed(gone());
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        failed(new AppError('launcher-ended', `The launcher did not answer ${verb} in time.`));
        this.#child.kill('SIGKILL'); // it hangs; all processes that it started end with it
      }, ANSWER_DEADLINE_MS);
      this.#pending.set(id, { resolve, reject: failed, timer });
      this.#lines.send({ id, verb, ...fields });
    });
  }

  /** Requests the end of a process; `exited` resolves when it has ended. */
  kill(target: string): void {
    if (!this.#isOver) this.request('kill', { target }).catch(() => undefined); // the launcher's own end ends the process too
  }

  /** Makes the launcher end all processes and exit. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    if (!this.#isOver) this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_DEADLINE_MS);
    await this.ended;
    clearTimeout(late);
  }

  #receive(message: FromLauncher): void {
    if ('notice' in message) return this.#notice(message);
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if ('ok' in message) pending.resolve(message.ok);
    else pending.reject(fromRecord(message.error));
  }

  #notice(message: Extract<FromLauncher, { notice: string }>): void {
    const tracked = this.#targets.get(message.target);
    if (!tracked) return;
    switch (message.notice) {
      case 'started':
        tracked.pid = message.pid;
        return tracked.start(message.pid);
      case 'output':
        for (const line of message.lines) this.#log.debug('cell stderr', { target: message.target, line });
        tracked.lines.push(...message.lines);
        tracked.lines.splice(0, tracked.lines.length - KEPT_LINES);
        return;
      case 'exited':
        this.#targets.delete(message.target);
        tracked.lines.splice(0, tracked.lines.length, ...message.stderr);
        return tracked.exit(message.exit);
    }
  }

  /** After the launcher's exit: its processes got a death signal; their helpers are killed by process group. */
  async #end(): Promise<void> {
    this.#isOver = true;
    for (const { timer, reject } of this.#pending.values()) {
      clearTimeout(timer);
      reject(gone());
    }
    this.#pending.clear();
    const left = [...this.#targets.values()];
    this.#targets.clear();
    await Promise.all(left.flatMap(({ pid }) => (pid === undefined ? [] : [killGroup(pid)])));
    for (const { exit } of left) exit({ code: null, signal: 'SIGKILL', reason: 'launcher-ended' });
  }
}

function gone(): AppError {
  return new AppError('launcher-ended', 'The launcher has ended.', { retryable: true });
}

function fromRecord({ code, message, data, retryable }: ErrorRecord): AppError {
  return new AppError(code, message, { data, retryable });
}
