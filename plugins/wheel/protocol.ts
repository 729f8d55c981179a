import * as v from 'valibot';
import { px } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

/** Wheel input, in CSS px, and in the older unit of 120 to a notch, upwards; `handled` when the view has scrolled by itself already. */
export const wheel = message('CM-wheel', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    target: targetSchema,
    delta_x: px,
    delta_y: px,
    wheel_delta_x: px,
    wheel_delta_y: px,
    handled: v.boolean(),
    modifiers: inputFlags,
  }),
});
