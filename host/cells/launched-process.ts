import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { Socket } from 'node:net';
import { toAppError } from '../../core/protocol/errors.ts';
import { OutputTail } from '../surrogate/output-tail.ts';
import { killGroup } from '../surrogate/process-identity.ts';
import { confinedCommand, type NetworkWall, type Wiring } from './confined-command.ts';
import type { EndReason, LaunchedExit } from './control-messages.ts';
import type { Handover } from './handover.ts';
import type { Placement } from './limits/limits.ts';
import { kill, killUsers } from './limits/process-table.ts';
import type { RunAs } from '../surrogate/unprivileged.ts';

/** Start options of one process. */
interface LaunchPlan {
  readonly wiring: Wiring;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly user: RunAs | undefined;
  readonly placement: Placement;
  readonly handover: Handover;
  /** Absent: the network of the host. */
  readonly network?: NetworkWall;
  /** A file that the process gets open as descriptor 4. */
  readonly openFile?: number;
}

/** Notices of one process. */
export interface LaunchEvents {
  started(pid: number): void;
  output(lines: readonly string[]): void;
  exited(exit: LaunchedExit, stderr: readonly string[]): void;
}

/** A process that starts when its socket is connected, and ends as a whole: its group, its cgroups, its user. */
export class LaunchedProcess {
  readonly #plan: LaunchPlan;
  readonly #events: LaunchEvents;
  #child: ChildProcess | undefined;
  #asked: EndReason | undefined;
  #isOver = false;
  /** Resolves when it has ended, and all its descendants have been killed. */
  readonly ended: Promise<void>;

  constructor(plan: LaunchPlan, events: LaunchEvents) {
    this.#plan = plan;
    this.#events = events;
    this.ended = this.#run();
  }

  /** Kills it with all its descendants. The first reason counts. */
  kill(reason: EndReason): Promise<void> {
    this.#asked ??= reason;
    this.#plan.handover.cancel();
    if (this.#child?.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null)
      void killGroup(this.#child.pid);
    return this.ended;
  }

  /** Whether it has ended and its end was reported. */
  get isOver(): boolean {
    return this.#isOver;
  }

  #over(exit: LaunchedExit, stderr: readonly string[]): void {
    this.#isOver = true;
    this.#events.exited(exit, stderr);
  }

  async #run(): Promise<void> {
    let socket: Socket;
    try {
      socket = await this.#plan.handover.connection;
    } catch {
      this.#over({ code: null, signal: null, reason: this.#asked ?? 'not-connected' }, []);
      return;
    }
    if (this.#asked) {
      socket.destroy();
      this.#over({ code: null, signal: null, reason: this.#asked }, []);
      return;
    }
    await this.#spawn(socket);
  }

  async #spawn(socket: Socket): Promise<void> {
    const { command, placement, user, wiring, env, cwd, openFile, network } = this.#plan;
    const confinement = { cgroups: placement.cgroups, oomScoreAdj: placement.oomScoreAdj };
    const { maxTasks, nice } = placement;
    const [program = '', ...args] = confinedCommand(
      command,
      {
        ...confinement,
        ...(user && { user }),
        ...(maxTasks !== undefined && { maxTasks }),
        ...(nice !== undefined && { nice }),
        ...(network && { network }),
      },
      wiring,
    );
    const stdio: StdioOptions =
      wiring === 'browser'
        ? [socket, socket, 'pipe']
        : ['ignore', 'ignore', 'pipe', socket, ...(openFile === undefined ? [] : [openFile])];
    let child: ChildProcess;
    try {
      // A process group of its own, to kill it as a whole.
      child = spawn(program, args, { detached: true, stdio, env, cwd });
    } catch (error) {
      // Node throws some errors, such as that of a command line that is too long, and reports the others as events.
      this.#over({ code: null, signal: null, reason: 'failed' }, [toAppError(error).message]);
      return;
    } finally {
      socket.destroy(); // the child's copy remains
    }
    this.#child = child;
    const tail = new OutputTail(child.stderr, (lines) => this.#events.output(lines));
    const exit = await new Promise<LaunchedExit>((resolve) => {
      child.once('spawn', () => this.#events.started(child.pid ?? 0)); // there is one, as it was spawned
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', (error) => {
        tail.lines.push(error.message);
        resolve({ code: null, signal: null, reason: 'failed' });
      });
    });
    await this.#sweep(child.pid);
    const reason = exit.reason ?? this.#reason(exit, tail.lines);
    this.#over({ ...exit, ...(reason && { reason }) }, tail.all());
  }

  /** Kills its remaining processes immediately: later its process id may belong to another process. */
  async #sweep(pid: number | undefined): Promise<void> {
    const { placement, user } = this.#plan;
    for (const member of placement.members()) kill(member);
    if (pid !== undefined) await killGroup(pid);
    if (user) await killUsers([user.uid]);
  }

  #reason({ code, signal }: LaunchedExit, stderr: readonly string[]): EndReason | undefined {
    if (this.#asked) return this.#asked;
    if (signal === 'SIGKILL' && this.#plan.placement.oomKills() > 0) return 'memory';
    const aborted = signal === 'SIGABRT' || code === 134;
    if (aborted && stderr.some((line) => /heap limit|heap out of memory/.test(line))) return 'memory';
    return undefined;
  }
}
