import type { ActivateHost } from '../../../host/plugin.ts';
import { pageOver, pageReport, validateForm, validationOver } from '../protocol.ts';

/** Passes on what the browser would show at a control of the page, and ends it with the document (M-064). */
export const activate: ActivateHost = ({ commands, frames, hooks, page, tab }) => {
  let shownIn: number | undefined;

  const over = (frame: number): void => {
    if (frame !== shownIn) return;
    shownIn = undefined;
    commands.send(validationOver, undefined);
  };
  page.handle(pageReport, ({ seq, ...report }, { id: frame }) => {
    shownIn = frame;
    commands.send(validateForm, { ...report, frame }, { after: [frame, report.epoch, seq] });
  });
  page.handle(pageOver, (_over, { id: frame }) => over(frame));
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) over(frame);
  });
  frames.onGone(over);
};
