import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain, PageCall } from '../../../core/main.ts';

/** A request of the page that waits for the person's answer. */
interface Request {
  readonly enter: (id: string) => void;
  readonly refuse: () => void;
}

const METHODS = ['requestFullscreen', 'webkitRequestFullscreen', 'webkitRequestFullScreen'] as const;
const VIDEO_METHODS = ['webkitEnterFullscreen', 'webkitEnterFullScreen'] as const;
const MODERN = METHODS[0];

/**
 * Delays the page's requests for full screen until the person has answered. Then they continue natively, or are rejected as a browser
 * rejects them. Requests that the browser itself would reject are passed through.
 */
export const activate: ActivateMain = (line) => {
  const { apply } = Reflect;
  const { dispatchEvent } = EventTarget.prototype;
  const [OwnEvent, OwnPromise, OwnTypeError] = [Event, Promise, TypeError];
  const { then } = Promise.prototype;
  const requests: Record<string, Request | undefined> = Object.create(null) as Record<string, Request | undefined>; // no inherited names
  let last = 0;

  const fail = (element: Element, type: string): void => {
    apply(dispatchEvent, element, [new OwnEvent(type, { bubbles: true, composed: true })]);
  };
  const ask = (request: Request): boolean => {
    const id = String(++last);
    requests[id] = request;
    if (line.send('ask', id)) return true;
    delete requests[id];
    return false;
  };
  const settled = (outcome: unknown, id: string): void => {
    // The older methods return no promise; their failure is visible in the state.
    if (outcome instanceof OwnPromise) void apply(then, outcome, [undefined, () => line.send('failed', id)]);
  };

  const take =
    (isModern: boolean) =>
    ({ self, native }: PageCall): unknown => {
      if (!(self instanceof Element) || !navigator.userActivation.isActive || !document.fullscreenEnabled)
        return native();
      const { promise, resolve, reject } = withResolvers(OwnPromise);
      const isHeld = ask({
        enter: (id) => {
          const outcome = native();
          settled(outcome, id);
          resolve(outcome);
        },
        refuse: () => {
          fail(self, isModern ? 'fullscreenerror' : 'webkitfullscreenerror');
          if (isModern) reject(new OwnTypeError('Permissions check failed'));
        },
      });
      if (!isHeld) return native();
      return isModern ? promise : undefined;
    };
  for (const name of METHODS) interceptMethod(Element.prototype, name, take(name === MODERN));
  for (const name of VIDEO_METHODS) interceptMethod(HTMLVideoElement.prototype, name, take(false));

  const answer = (id: string): Request | undefined => {
    const request = requests[id];
    delete requests[id];
    return request;
  };
  line.on('enter', (id) => answer(id)?.enter(id));
  line.on('refuse', (id) => answer(id)?.refuse());
};

/** Like `Promise.withResolvers`, which the page may have replaced. */
function withResolvers(OwnPromise: PromiseConstructor): PromiseWithResolvers<unknown> {
  let resolve: (value: unknown) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new OwnPromise<unknown>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
