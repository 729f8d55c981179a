import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/** Ids of watches whose native watch has not started are above all ids of a browser. */
const FIRST_WATCH = 2 ** 30;
/** Time without a position before a watch gets an error, in ms. */
const GAP_MS = 2000;

/** A pending call of the page. */
interface Held {
  readonly go: () => void;
  readonly refuse: () => void;
}

/** Delays the page's geolocation calls until the browser has the permission and position to answer with. Then they continue natively. */
export const activate: ActivateMain = (line) => {
  tellRefusals(line);
  const own = <T>(): Record<string, T | undefined> => Object.create(null) as Record<string, T | undefined>; // without inherited names
  const held = own<Held>();
  const watches = own<unknown>();
  let last = 0;

  /** Returns false when there is no listener: then the call continues at once. */
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

  interceptMethod(Geolocation.prototype, 'getCurrentPosition', ({ self, args, native }) => {
    const refuse = (): void => fail(args[1]);
    const isHeld = self instanceof Geolocation && typeof args[0] === 'function' && hold('once', { go: native, refuse });
    return isHeld ? undefined : native();
  });
  interceptMethod(Geolocation.prototype, 'watchPosition', ({ self, args, native }) => {
    const id = FIRST_WATCH + last + 1;
    watches[id] = undefined;
    const go = (): void => {
      if (id in watches) watches[id] = native(withoutGaps(args, () => id in watches));
    };
    const refuse = (): void => {
      if (id in watches) fail(args[1]);
    };
    return self instanceof Geolocation && typeof args[0] === 'function' && hold('watch', { go, refuse })
      ? id
      : native();
  });
  interceptMethod(Geolocation.prototype, 'clearWatch', ({ args, native }) => {
    const id = String(args[0]);
    if (!(id in watches)) return native();
    const started = watches[id];
    delete watches[id];
    line.send('clear', String(Number(id) - FIRST_WATCH));
    return started === undefined ? undefined : native([started]);
  });
};

/** Tells once in a document that the page asks for what the surrogate refuses. The call itself is not changed. */
function tellRefusals(line: Parameters<ActivateMain>[0]): void {
  const tell = (name: 'media' | 'notifications'): (() => void) => {
    let isTold = false;
    return () => {
      if (!isTold) isTold = line.send('refused', name);
    };
  };
  const { MediaDevices: devices, Notification: notifications } = window as Partial<typeof window>; // the first on secure pages alone
  if (devices) {
    const media = tell('media');
    interceptMethod(devices.prototype, 'getUserMedia', ({ native }) => {
      media();
      return native();
    });
  }
  if (notifications) {
    const asks = tell('notifications');
    interceptMethod(notifications, 'requestPermission', ({ native }) => {
      asks();
      return native();
    });
  }
}

const { apply } = Reflect;
const { create } = Object;
const { prototype: errorPrototype, PERMISSION_DENIED } = GeolocationPositionError;

/** Calls the page's error callback as its browser would on denial. Scripts cannot construct this error. */
function fail(failed: unknown): void {
  if (typeof failed !== 'function') return;
  const own = { code: { value: PERMISSION_DENIED }, message: { value: 'User denied Geolocation' } };
  apply(failed, undefined, [create(errorPrototype, own)]);
}

/** Whenever the browser's position is overridden, it briefly reports that there is none. Such errors are not passed on; nor is one once a watch is over. */
function withoutGaps([found, failed, ...rest]: readonly unknown[], isOn: () => boolean): unknown[] {
  if (typeof failed !== 'function') return [found, failed, ...rest];
  const { setTimeout: later, clearTimeout: never } = window;
  let timer: number | undefined;
  return [
    (position: unknown) => {
      never(timer);
      apply(found as () => void, undefined, [position]); // a function: checked before the call was delayed
    },
    (error: GeolocationPositionError) => {
      never(timer);
      const forward = (): void => {
        if (isOn()) apply(failed, undefined, [error]);
      };
      if (error.code === error.POSITION_UNAVAILABLE) timer = later(forward, GAP_MS);
      else forward();
    },
    ...rest,
  ];
}
