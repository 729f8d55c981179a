import type { ActivateHost } from '../../../host/plugin.ts';
import { answered, blocking, pageAnswered, pageBlocking, pageGesture, panned, touch } from '../protocol.ts';
import { PageFingers } from './page-fingers.ts';

/** Brings the person's fingers to the page. */
export const activate: ActivateHost = ({ commands, hooks, input, page, tab }) => {
  const fingers = new PageFingers(input);
  /** The last gesture that has moved. */
  let moved = 0;
  commands.handle(touch, (event) => {
    const { event_id: id, frame, phase, touches } = event;
    if (phase === 'hold') {
      void input.enqueue(() => page.send(frame, pageGesture, { kind: 'hold' }));
      return;
    }
    const at = phase === 'start' ? touches[0]?.target : undefined;
    // The page may keep the gesture for itself by the first movement, which no other replaces.
    const isFirst = phase === 'move' && moved !== id;
    if (isFirst) moved = id;
    void input.enqueue((turn) => fingers.apply(event, turn), {
      isMove: phase === 'move' && !isFirst,
      // As in a browser, a finger that comes up is an act, and one that scrolls is none.
      isPress: phase === 'end' && !fingers.isPanned,
      ...(at && { at }),
    });
  });
  commands.handle(panned, ({ frame, event_id: id }) => {
    void input.enqueue(async () => {
      if (await fingers.pan(id)) page.send(frame, pageGesture, { kind: 'pan' });
    });
  });
  page.handle(pageAnswered, ({ is_kept: isKept }) => {
    if (fingers.gesture !== undefined) commands.send(answered, { event_id: fingers.gesture, is_kept: isKept });
  });
  page.handle(pageBlocking, ({ is_blocking }, { id: frame }) => commands.send(blocking, { frame, is_blocking }));
  hooks.tap(tab.hooks.replaced, () => fingers.forget());
  // Nobody reports where fingers come up then.
  hooks.tap(tab.hooks.inputLost, () => void input.enqueue((turn) => fingers.cancel(turn)));
};
