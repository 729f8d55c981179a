import { question, rendererToken, slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, QuestionProps } from '../../../core/index.ts';
import { fullscreen, fullscreenOver, fullscreenRequest, fullscreenShown } from '../protocol.ts';

const permission = slot<QuestionProps>('fullscreen.permission', 'dialog');

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/**
 * Asks the person before the page enters full screen. Then the whole shell is in full screen: the mirror shows the page's element
 * on top of everything in the view, and the shell's own dialogs and notices stay visible.
 */
export const activate: ActivateClient = async ({ commands, events, services, slots, onDispose }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  const { documentElement: shell } = document;
  let asking = new AbortController();
  /** Whether this browser is in full screen because of the page. */
  let isFull = false;

  commands.handle(fullscreenRequest, async ({ id, site }) => {
    asking.abort(); // a client that has lost messages is asked once more
    const { signal } = (asking = new AbortController());
    const ask = {
      title: texts.text('fullscreen.title', { site: site || texts.text('fullscreen.this-page') }),
      text: texts.text('fullscreen.text'),
      no: texts.text('fullscreen.block'),
      yes: texts.text('fullscreen.allow'),
    };
    const isAllowed = document.fullscreenEnabled && (await slots.ask(permission, question, ask, signal)) === true;
    if (signal.aborted) return;
    // The person's click on the permission is the gesture that the browser requires.
    const has = isAllowed && (await enter(shell));
    isFull = has;
    if (isOver(signal)) leave();
    else commands.send(fullscreen, { id, is_fullscreen: has });
  });
  commands.handle(fullscreenOver, () => {
    asking.abort();
    leave();
  });
  commands.handle(fullscreenShown, ({ frame, epoch, node }) => {
    const isThere = node !== 0 && services.get(rendererToken).rects({ frame, epoch, node, x: 0, y: 0 }).length > 0;
    if (!isThere) events.report('tc-fullscreen-no-node-error', { frame, node }, { level: 'error' });
  });

  const leave = (): void => {
    if (!isFull) return;
    isFull = false;
    if (document.fullscreenElement === shell) document.exitFullscreen().catch(() => undefined); // the person has already left
  };
  const changed = (): void => {
    if (!isFull || document.fullscreenElement === shell) return;
    isFull = false;
    commands.send(fullscreen, { is_fullscreen: false });
  };
  document.addEventListener('fullscreenchange', changed);
  onDispose(() => {
    document.removeEventListener('fullscreenchange', changed);
    asking.abort();
    leave();
  });
};

/** Whether the signal was aborted. The compiler cannot know that this may change during an await. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}

async function enter(shell: HTMLElement): Promise<boolean> {
  try {
    await shell.requestFullscreen();
    return true;
  } catch {
    return false;
  }
}
