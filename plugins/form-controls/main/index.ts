import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/**
 * Tells when the page itself checks its controls: `invalid` events of that time do not come from a form that is being sent. Within such a check
 * the page may ask for a report nevertheless.
 */
export const activate: ActivateMain = (line) => {
  const owners = [
    ...[HTMLFormElement, HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement],
    ...[HTMLFieldSetElement, HTMLOutputElement, HTMLObjectElement, ElementInternals],
  ];
  for (const { prototype } of owners)
    for (const [name, begin] of [
      ['checkValidity', 'check'],
      ['reportValidity', 'report'],
    ] as const)
      interceptMethod(prototype, name, ({ native }) => {
        line.send('begin', begin);
        try {
          return native();
        } finally {
          line.send('end', '');
        }
      });
};
