import { activate } from '../main/index.ts';

declare global {
  interface Window {
    /** Lets a held call of the page go on. */
    answer: (id: string) => void;
    /** Reports of the browser to the last watch: that there is no position. */
    lose: () => void;
    /** Codes of the errors that the page has got. */
    errors: number[];
  }
}

Object.defineProperty(window, 'isSecureContext', { value: true });
Geolocation.prototype.watchPosition = function (_found, failed) {
  const error = { code: 2, POSITION_UNAVAILABLE: 2 } as GeolocationPositionError; // what is read of it
  window.lose = () => failed?.(error);
  return 1;
};
activate({
  send: () => true,
  on: (name, listener) => {
    if (name === 'answer') window.answer = listener;
    return () => undefined;
  },
});
window.errors = [];
