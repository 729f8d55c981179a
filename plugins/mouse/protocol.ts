import * as v from 'valibot';
import { px, upTo } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

/** Buttons of a mouse, by the number that the platform gives them. */
export const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;

/** Mouse input. `click_count` is that of the press; `modifiers` are INPUT_FLAGS of buttons held and keys held. */
export const mouse = message('CM-mouse', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    target: targetSchema,
    type: v.picklist(['move', 'down', 'up', 'leave']),
    screen_x: px,
    screen_y: px,
    button: v.picklist(['none', ...BUTTONS]),
    modifiers: inputFlags,
    click_count: upTo(100),
    movement_x: px,
    movement_y: px,
  }),
});

/**
 * The person has pressed something that the view or the browser answers by itself, and the page hears of no press: a control whose picker
 * opens in the view, or a link for a tab of its own. `flag`: the browser vouches that a person did it.
 */
export const reportUserAction = message('report-user-action', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ action: v.picklist(['picker', 'link-tab']), flag: v.boolean() }),
});
