/**
 * Entry of the launcher, a process of its own that keeps the host's rights, root if it has them: it starts cells and
 * browsers and ends them, and reads no data of pages. Control messages come over descriptor 3. It imports no package.
 */
import net from 'node:net';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { controlLines, type ControlLines } from './control-lines.ts';
import { parseRequest, type FromLauncher, type Request } from './control-messages.ts';
import { Launcher } from './launcher.ts';

/** Deadline for ending all processes after the host has ended. */
const CLOSE_DEADLINE_MS = 30_000;

/** The host: when it ends, the parent's process id changes. */
const host = process.ppid;
let opening: Promise<Launcher> | undefined;
let ending = false;

/**
 * Ends the launcher: at its host's request, or because the host has ended; then it hurries, since nothing waits for it.
 */
async function end({ hurry, cause }: { readonly hurry: boolean; readonly cause?: unknown }): Promise<void> {
  if (ending) return;
  ending = true;
  if (cause) console.error('launcher:', toAppError(cause).message);
  setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS).unref();
  try {
    await (await opening)?.close(hurry);
  } catch {
    // It never opened: there is nothing to end.
  }
  process.exit(cause ? 1 : 0);
}

async function answer(request: Request): Promise<unknown> {
  if (request.verb === 'configure') {
    if (opening) throw new AppError('bad-control', 'The launcher is already configured.');
    opening = Launcher.open(request.config, (notice) => {
      if (notice.notice === 'output') control.offer(notice);
      else control.send(notice);
    });
    return (await opening).configured;
  }
  if (!opening) throw new AppError('bad-control', 'The launcher is not configured yet.');
  const launcher = await opening;
  switch (request.verb) {
    case 'start-cell':
      return launcher.startFamily('cell', request.target, request.storage);
    case 'start-decoder':
      return launcher.startFamily('decoder', request.target);
    case 'start-browser':
      return launcher.startBrowser(request);
    case 'kill':
      launcher.kill(request.target);
      return null;
  }
}

function onRequest(value: unknown): void {
  const request = parseRequest(value);
  const { id } = request;
  const send = (message: FromLauncher): void => control.send(message);
  answer(request).then(
    (ok) => send({ id, ok }),
    (thrown: unknown) => send({ id, error: toAppError(thrown).toRecord() }),
  );
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => void end({ hurry: process.ppid !== host }));
const control: ControlLines = controlLines(new net.Socket({ fd: 3 }), onRequest, (cause) => {
  void end({ hurry: true, cause });
});
