import type { ActivatePage } from '../page.ts';
import { messagesOf } from '../plugins/manifest.ts';
import type { AnyManifest } from '../plugins/manifest.ts';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';
import { PAGE_GLOBAL, PAGE_MESSAGES, pageHello } from '../protocol/page-messages.ts';
import type { PageGlobal } from '../protocol/page-messages.ts';
import { dom } from './dom.ts';
import { Bus } from './bus.ts';
import { FrameKernel } from './kernel.ts';
import { createPageScope, pageLogger } from './scope.ts';

/** One page half of the build. */
export interface PageHalf {
  readonly manifest: AnyManifest;
  readonly activate: unknown;
}

/** Starts the kernel and all page halves in this frame's document. */
export function startPage(halves: readonly PageHalf[]): void {
  const messages = [...PAGE_MESSAGES, ...halves.flatMap(({ manifest }) => messagesOf(manifest))];
  const report = (fault: AppError): void => log.error(fault.message, { code: fault.code, stack: stackOf(fault) });
  const bus = new Bus(messages, report);
  const log = pageLogger(bus.endpoint, 'core');
  const kernel = new FrameKernel(report);
  const world: PageGlobal = {
    receive: (json) => bus.receive(json),
    idOf: (node) => {
      const id = node instanceof Object ? kernel.idOf(node as Node) : 0; // any object may be asked for
      return id === 0 ? null : [kernel.epoch, id];
    },
  };
  Object.defineProperty(globalThis, PAGE_GLOBAL, { value: Object.freeze(world) });
  bus.endpoint.send(pageHello, {
    epoch: kernel.epoch,
    url: dom.address(document),
    readyState: dom.readyState(document),
  });
  for (const { manifest, activate } of halves) {
    const { scope, dispose } = createPageScope(manifest.id, bus.endpoint, kernel);
    try {
      (activate as ActivatePage)(scope); // the registry is made of the page halves' exports
    } catch (thrown) {
      dispose();
      report(toAppError(thrown, 'activation-failed'));
    }
  }
  kernel.start();
}

function stackOf({ stack, cause }: AppError): string {
  return (cause instanceof Error ? cause.stack : stack)?.slice(0, 1000) ?? '';
}
