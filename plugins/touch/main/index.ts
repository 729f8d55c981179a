import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain, PageCall } from '../../../core/main.ts';

/** Says once that the page has a listener that may keep a finger's gesture for itself: one of touches that is not passive. */
export const activate: ActivateMain = (line) => {
  if (!navigator.maxTouchPoints) return;
  const ownDocument = document;
  const ownWindow = window;
  const OwnObject = Object;
  let isKnown = false;
  /** Chromium takes listeners of these for passive where they do not say what they are. */
  const isRoot = (target: unknown): boolean =>
    target === undefined ||
    target === ownWindow ||
    target === ownDocument ||
    target === ownDocument.documentElement ||
    target === ownDocument.body;
  const isBlocking = ({ self, args: [type, listener, options] }: PageCall): boolean => {
    if ((type !== 'touchstart' && type !== 'touchmove') || !listener) return false;
    const { passive } = OwnObject(options) as { readonly passive?: unknown }; // an object, whatever it is given
    return passive === undefined ? !isRoot(self) : !passive;
  };
  interceptMethod(EventTarget.prototype, 'addEventListener', (call) => {
    if (!isKnown && isBlocking(call)) {
      isKnown = true;
      line.send('blocking', '');
    }
    return call.native();
  });
};
