/** Input: what the person does in the view, on its way to the surrogate (S-001). */
import type { Renderer } from '../contracts/renderer.ts';
import type { Commands } from '../contracts/scope.ts';
import type { Reporter } from '../events/reporter.ts';
import { edited, scrolled } from '../protocol/core-messages.ts';
import { forwardKeyboard } from './keyboard.ts';
import { forwardMouse } from './mouse.ts';
import { forwardWheel } from './wheel.ts';

/**
 * Forwards mouse, wheel, keyboard, scrolling and native edits of every view document, now and later. Runs once the renderer is there.
 * Answers with its undo.
 */
export function startInput(renderer: Renderer, commands: Commands, report: Reporter['report']): () => void {
  const undo = [
    renderer.documents(({ document, frame }) => {
      const parts = [
        forwardMouse(document, renderer, commands),
        forwardWheel(document, renderer, commands, report),
        forwardKeyboard(document, frame, commands),
      ];
      return () => {
        for (const part of parts) part();
      };
    }),
    renderer.onScroll((target, left, top) => {
      commands.send(scrolled, { target, left, top });
    }),
    renderer.onEdit((edit) => {
      commands.send(edited, { target: edit.target, value: edit.value });
    }),
  ];
  return () => {
    for (const each of undo) each();
  };
}
