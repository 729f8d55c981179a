import { standBefore } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/** Numbers of watches whose native one has not begun are above all that a browser gives. */
const FIRST_WATCH = 2 ** 30;
/** How long there may be no position before a watch hears of it, in ms. */
const GAP_MS = 500;

/** Holds the page's questions where the person is until the browser has been told what to answer; then they go their native way. */
export const activate: ActivateMain = (line) => {
  const own = <T>(): Record<string, T | undefined> => Object.create(null) as Record<string, T | undefined>; // no names but its own
  const held = own<() => void>();
  const watches = own<unknown>();
  let last = 0;

  /** False when nobody wants to know: then the call goes on at once. */
  const hold = (kind: 'once' | 'watch', go: () => void): boolean => {
    const id = String(++last);
    held[id] = go;
    if (isSecureContext && line.send(kind, id)) return true;
    delete held[id];
    return false;
  };
  line.on('answer', (id) => {
    const go = held[id];
    delete held[id];
    go?.();
  });

  standBefore(Geolocation.prototype, 'getCurrentPosition', ({ self, args, native }) => {
    const isHeld = self instanceof Geolocation && typeof args[0] === 'function' && hold('once', native);
    return isHeld ? undefined : native();
  });
  standBefore(Geolocation.prototype, 'watchPosition', ({ self, args, native }) => {
    const id = FIRST_WATCH + last + 1;
    watches[id] = undefined;
    const begin = (): void => {
      if (id in watches) watches[id] = native(withoutGaps(args));
    };
    return self instanceof Geolocation && typeof args[0] === 'function' && hold('watch', begin) ? id : native();
  });
  standBefore(Geolocation.prototype, 'clearWatch', ({ args, native }) => {
    const id = String(args[0]);
    if (!(id in watches)) return native();
    const begun = watches[id];
    delete watches[id];
    return begun === undefined ? undefined : native([begun]);
  });
};

/** Whenever the browser is given another position it says for a moment that there is none: that is not passed on. */
function withoutGaps([found, failed, ...rest]: readonly unknown[]): unknown[] {
  if (typeof failed !== 'function') return [found, failed, ...rest];
  const { apply } = Reflect;
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
