import * as v from 'valibot';
import { message } from '../../core/protocol/message.ts';

const counted = {
  lane: 'control',
  params: v.object({}),
  result: v.object({ perSecond: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)) }),
} as const;

/** The frames that the surrogate draws in the second from now. */
export const surrogateFrames = message('hud.surrogate-frames', { direction: 'client-to-host', ...counted });

/** The same, asked of the main frame's page half. What it says is untrusted. */
export const countFrames = message('hud.count-frames', { direction: 'host-to-page', ...counted });
