import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain, PageCall } from '../../../core/main.ts';

/** A request of the page that waits for the person's browser. */
interface Request {
  readonly enter: (id: string) => void;
  readonly refuse: (reason: string) => void;
}

/** Errors by the host's reasons, as Chromium words them. */
const ERRORS: Readonly<Record<string, readonly [name: string, message: string]>> = {
  gesture: ['NotAllowedError', 'A user gesture is required to request Pointer Lock.'],
  exited: ['SecurityError', 'The user has exited the lock before this request was completed.'],
  unsupported: ['NotSupportedError', 'The options asked for in this request are not supported on this platform.'],
  denied: ['NotAllowedError', 'Permission to lock the pointer was denied.'],
};

/**
 * Delays the page's requests for a lock of the pointer until that of the person is locked. Then they continue natively, or are rejected as a
 * browser rejects them. Requests that the browser itself would reject, or while the document has the lock, are passed through.
 */
export const activate: ActivateMain = (line) => {
  const { apply } = Reflect;
  const { dispatchEvent } = EventTarget.prototype;
  const { then } = Promise.prototype;
  const [OwnEvent, OwnPromise, OwnError, OwnElement] = [Event, Promise, DOMException, Element];
  const ownDocument = document;
  const inMicrotask = queueMicrotask;
  const lockedIn = getterOf(Document.prototype, 'pointerLockElement');
  const connectedOf = getterOf(Node.prototype, 'isConnected');
  const requests: Record<string, Request | undefined> = Object.create(null) as Record<string, Request | undefined>; // no inherited names
  let last = 0;

  const take = ({ self, args: [options], native }: PageCall): unknown => {
    if (!(self instanceof OwnElement) || !apply(connectedOf, self, [])) return native();
    // Movement without acceleration is a matter of the person's browser: the surrogate has no such mouse.
    const enter = (): unknown => native([]);
    if (apply(lockedIn, ownDocument, []) !== null) return enter();
    const isUnadjusted = isObject(options) && Boolean(options['unadjustedMovement']);
    const id = String(++last);
    const promise = new OwnPromise<unknown>((resolve, reject) => {
      requests[id] = {
        enter: () => {
          const outcome = enter();
          if (outcome instanceof OwnPromise) void apply(then, outcome, [undefined, () => line.send('failed', id)]);
          resolve(outcome);
        },
        refuse: (reason) => {
          const [name, message] = ERRORS[reason] ?? ERRORS['denied'] ?? [];
          reject(new OwnError(message, name));
          // After those who wait for the promise, as in Chromium.
          inMicrotask(() => apply(dispatchEvent, ownDocument, [new OwnEvent('pointerlockerror')]));
        },
      };
    });
    if (line.send('ask', `${id} ${isUnadjusted ? 'unadjusted' : ''}`)) return promise;
    delete requests[id];
    return native();
  };
  interceptMethod(OwnElement.prototype, 'requestPointerLock', take);

  const answer = (id: string): Request | undefined => {
    const request = requests[id];
    delete requests[id];
    return request;
  };
  line.on('enter', (id) => answer(id)?.enter(id));
  line.on('refuse', (text) => {
    const space = text.indexOf(' ');
    answer(text.slice(0, space))?.refuse(text.slice(space + 1));
  });
};

function getterOf(prototype: object, name: string): () => unknown {
  const get: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (typeof get !== 'function') throw new TypeError(`${name} is not an accessor`);
  return get as () => unknown; // an accessor's function
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
