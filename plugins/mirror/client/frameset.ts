import { read } from './dom.ts';
import type { Realm } from './realm.ts';
import { TEMPLATES } from './template.ts';

/** Interval between two polls of a frameset in ms, and their maximum number (S-074). */
const POLL_MS = 100;
const MAX_POLLS = 100;

/**
 * Reports the state of a document whose body is a frameset, at the element that shows it: `data-vitrine-frameset` is `pending` until
 * each of its frames shows something, then `ready`; `error` when that takes too long, and `onError` is called.
 */
export function watchFrameset({ document, window }: Realm, signal: AbortSignal, onError: () => void): void {
  const shownIn = window.frameElement as HTMLElement; // a frame of the view
  const report = (state: 'pending' | 'ready' | 'error'): void => {
    shownIn.dataset['vitrineFrameset'] = state;
  };
  let polls = 0;
  const look = (): void => {
    if (signal.aborted) return;
    if ([...Document.prototype.querySelectorAll.call(document, 'frame')].every(isShown)) report('ready');
    else if (++polls < MAX_POLLS) setTimeout(look, POLL_MS);
    else {
      report('error');
      onError();
    }
  };
  report('pending');
  setTimeout(look, POLL_MS);
  signal.addEventListener('abort', () => delete shownIn.dataset['vitrineFrameset']);
}

function isShown(frame: Element): boolean {
  const inner = read(HTMLFrameElement, frame as HTMLFrameElement, 'contentDocument'); // by its name
  if (!inner || !read(Document, inner, 'URL').includes(TEMPLATES)) return false;
  return !!(read(Document, inner, 'documentElement') as Element | null); // none before its content arrives
}
