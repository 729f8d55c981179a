import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

const RTF = 'text/rtf';

/**
 * Gives the page the Rich Text of a paste: Chromium says that it is there, and reads it from where no page can have written it. The host
 * has put it beside, under its other name.
 */
export const activate: ActivateMain = () => {
  interceptMethod(DataTransfer.prototype, 'getData', ({ args, native }) => {
    const given = native();
    return given === '' && args[0] === RTF ? native(['application/rtf']) : given;
  });
};
