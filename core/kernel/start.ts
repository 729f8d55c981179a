import { messagesOf } from '../contracts/manifest.ts';
import type { PageGlobal, PageHalf } from '../contracts/page-global.ts';
import type { ActivatePage } from '../contracts/page-scope.ts';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';
import { PAGE_GLOBAL, PAGE_MESSAGES, pageBegun, pageHello, pagePlugins } from '../protocol/page-messages.ts';
import { dom } from './dom.ts';
import { Bus } from './bus.ts';
import { handleEdits } from './edits.ts';
import { FrameKernel } from './kernel.ts';
import { lineToMain } from './line.ts';
import { createPageScope, pageLogger } from './scope.ts';

/** Starts the kernel and all page halves of the build in this frame's document. `entry` is shared with halves that are built separately. */
export function startPage(halves: readonly PageHalf[], entry: PageGlobal['entry']): void {
  const report = (fault: AppError, owner = 'core'): void =>
    pageLogger(bus.endpoint, owner).error(fault.message, { code: fault.code, stack: stackOf(fault) });
  const bus = new Bus(PAGE_MESSAGES, report);
  const kernel = new FrameKernel(report);
  const line = lineToMain();
  const running = new Map<string, () => void>();
  let granted: readonly string[] | undefined;
  const add = ({ manifest, activate }: PageHalf): void => {
    const { id } = manifest;
    if (granted?.includes(id) === false) return;
    const { scope, dispose } = createPageScope(id, bus.endpoint, { kernel, line }, (fault) => report(fault, id));
    try {
      bus.know(messagesOf(manifest), id);
      (activate as ActivatePage)(scope); // the export of a page half
      running.set(id, dispose);
    } catch (thrown) {
      dispose();
      report(toAppError(thrown, 'activation-failed'), id);
    }
  };
  bus.endpoint.handle(pagePlugins, ({ ids }) => {
    granted = ids;
    for (const [id, dispose] of running) {
      if (ids.includes(id)) continue;
      running.delete(id);
      dispose();
    }
  });
  const world: PageGlobal = {
    entry,
    add,
    receive: (json) => bus.receive(json),
    idOf: (node) => {
      const id = node instanceof Object ? kernel.idOf(node as Node) : 0; // called with any object
      return id === 0 ? null : [kernel.epoch, id];
    },
  };
  Object.defineProperty(globalThis, PAGE_GLOBAL, { value: Object.freeze(world) });
  handleEdits(bus.endpoint, kernel);
  bus.endpoint.send(pageHello, { url: dom.address(document) });
  for (const half of halves) add(half);
  kernel.start();
  // Runs after everything that runs at document start, including other halves of this world.
  setTimeout(() => bus.endpoint.send(pageBegun, {}));
}

function stackOf({ stack, cause }: AppError): string {
  return (cause instanceof Error ? cause.stack : stack)?.slice(0, 1000) ?? '';
}
