import { standBefore } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/** Numbers of watches whose native one has not begun are above all that a browser gives. */
const FIRST_WATCH = 2 ** 30;
/** How long there may be no position before a watch hears of it, in ms. */
const GAP_MS = 2000;

/** A call of the page that waits. */
interface Held {
  readonly go: () => void;
  readonly refuse: () => void;
}

/** Holds the page's questions where the person is until the browser has been told what to answer; then they go their native way. */
export const activate: ActivateMain = (line) => {
  const own = <T>(): Record<string, T | undefined> => Object.create(null) as Record<string, T | undefined>; // no names but its own
  const held = own<Held>();
  const watches = own<unknown>();
  let last = 0;

  /** False when nobody wants to know: then the call goes on at once. */
  const hold = (kind: 'once' | 'watch', call: Held): boolean => {
    const id = String(++last);
    held[id] = call;
    if (isSecureContext && line.send(kind, id)) return true;
    delete held[id];
    return false;
  };
  const taken = (id: string): Held | undefined => {
    const call = held[id];
    delete held[id];
    return call;
  };
  line.on('answer', (id) => taken(id)?.go());
  line.on('refuse', (id) => taken(id)?.refuse());

  standBefore(Geolocation.prototype, 'getCurrentPosition', ({ self, args, native }) => {
    const refuse = (): void => fail(args[1]);
    const isHeld = self instanceof Geolocation && typeof args[0] === 'function' && hold('once', { go: native, refuse });
    return isHeld ? undefined : native();
  });
  standBefore(Geolocation.prototype, 'watchPosition', ({ self, args, native }) => {
    const id = FIRST_WATCH + last + 1;
    watches[id] = undefined;
    const go = (): void => {
      if (id in watches) watches[id] = native(withoutGaps(args));
    };
    const refuse = (): void => {
      if (id in watches) fail(args[1]);
    };
    return self instanceof Geolocation && typeof args[0] === 'function' && hold('watch', { go, refuse })
      ? id
      : native();
  });
  standBefore(Geolocation.prototype, 'clearWatch', ({ args, native }) => {
    const id = String(args[0]);
    if (!(id in watches)) return native();
    const begun = watches[id];
    delete watches[id];
    line.send('clear', String(Number(id) - FIRST_WATCH));
    return begun === undefined ? undefined : native([begun]);
  });
};

const { apply } = Reflect;
const { create } = Object;
const { prototype: errorPrototype, PERMISSION_DENIED } = GeolocationPositionError;

/** Tells the page that it may not know, as its browser would: the error is one that nobody can make. */
function fail(failed: unknown): void {
  if (typeof failed !== 'function') return;
  const own = { code: { value: PERMISSION_DENIED }, message: { value: 'User denied Geolocation' } };
  apply(failed, undefined, [create(errorPrototype, own)]);
}

/** Whenever the browser is given another position it says for a moment that there is none: that is not passed on. */
function withoutGaps([found, failed, ...rest]: readonly unknown[]): unknown[] {
  if (typeof failed !== 'function') return [found, failed, ...rest];
  const { setTimeout: later, clearTimeout: never } = window;
  let timer: number | undefined;
  return [
    (position: unknown) => {
      never(timer);
      apply(found as () => void, undefined, [position]); // it is a function: whoever holds it back has looked
    },
    (error: GeolocationPositionError) => {
      never(timer);
      const tell = (): void => void apply(failed, undefined, [error]);
      if (error.code === error.POSITION_UNAVAILABLE) timer = later(tell, GAP_MS);
      else tell();
    },
    ...rest,
  ];
}
