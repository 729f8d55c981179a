import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/** Tells when the page itself checks its controls: `invalid` events of that time do not come from a form that is being sent. */
export const activate: ActivateMain = (line) => {
  const owners = [
    ...[HTMLFormElement, HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement],
    ...[HTMLFieldSetElement, HTMLOutputElement, HTMLObjectElement, ElementInternals],
  ];
  for (const { prototype } of owners)
    interceptMethod(prototype, 'checkValidity', ({ native }) => {
      line.send('check', 'begin');
      try {
        return native();
      } finally {
        line.send('check', 'end');
      }
    });
};
