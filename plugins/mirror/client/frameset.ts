import { read } from './dom.ts';
import type { Realm } from './realm.ts';
import { TEMPLATES } from './template.ts';

/** Between two looks at a frameset, in ms, and how many there are (S-074). */
const POLL_MS = 100;
const MAX_POLLS = 100;

/**
 * Says of a document whose body is a frameset, at the element that shows it, how far that is: `data-vitrine-frameset` is `pending` until
 * each of its frames shows something, then `ready`; `error` when that takes too long, which `onError` is told of.
 */
export function watchFrameset({ document, window }: Realm, signal: AbortSignal, onError: () => void): void {
  const shownIn = window.frameElement as HTMLElement; // a frame of the view
  const tell = (state: 'pending' | 'ready' | 'error'): void => {
    shownIn.dataset['vitrineFrameset'] = state;
  };
  let polls = 0;
  const look = (): void => {
    if (signal.aborted) return;
    if ([...Document.prototype.querySelectorAll.call(document, 'frame')].every(isShown)) tell('ready');
    else if (++polls < MAX_POLLS) setTimeout(look, POLL_MS);
    else {
      tell('error');
      onError();
    }
  };
  tell('pending');
  setTimeout(look, POLL_MS);
  signal.addEventListener('abort', () => delete shownIn.dataset['vitrineFrameset']);
}

function isShown(frame: Element): boolean {
  const inner = read(HTMLFrameElement, frame as HTMLFrameElement, 'contentDocument'); // by its name
  if (!inner || !read(Document, inner, 'URL').includes(TEMPLATES)) return false;
  return !!(read(Document, inner, 'documentElement') as Element | null); // none before its content has come
}
