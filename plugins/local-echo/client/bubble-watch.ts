import { SLOTS, textsToken } from '../../../core/index.ts';
import type { ClientScope, SlotContribution } from '../../../core/index.ts';
import type { BubbleProps } from './bubble.tsx';
import type { LocalEcho } from './local-echo.ts';

/** Interval of the look at what the page has not answered, in ms (S-028). */
const LOOK_MS = 500;
/** Time after which the person reads that the page has not answered what they see, in ms: no line is so slow. */
const LATE_MS = 1500;

const bubble: SlotContribution<BubbleProps> = { load: () => import('./bubble.tsx') };

/** Says beside the field that the page has not got yet what the person sees in it: their view and the page's differ (S-028). */
export function watchDelay(
  { events, services, slots, onDispose }: Pick<ClientScope, 'events' | 'services' | 'slots' | 'onDispose'>,
  echo: Pick<LocalEcho, 'field' | 'waitsSince'>,
): void {
  let empty: (() => void) | undefined;
  const hide = (): void => {
    empty?.();
    empty = undefined;
  };
  const timer = setInterval(() => {
    const { field, waitsSince } = echo;
    const isLate = field && waitsSince !== undefined && performance.now() - waitsSince > LATE_MS;
    if (!isLate) hide();
    else if (!empty) {
      const box = field.box() ?? { x: 0, y: 0, width: 0, height: 0 };
      empty = slots.fill(SLOTS.notice, bubble, { box, text: services.get(textsToken).text('local-echo.late') });
      events.report('tc-lecho-bubble-alert', { frame: field.target.frame });
    }
  }, LOOK_MS);
  onDispose(() => {
    clearInterval(timer);
    hide();
  });
}
