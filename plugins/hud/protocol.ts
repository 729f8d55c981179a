import * as v from 'valibot';
import { message } from '../../core/protocol/message.ts';

const counted = {
  lane: 'control',
  params: v.object({}),
  result: v.object({ perSecond: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)) }),
} as const;

/** The number of frames that the surrogate draws in the next second. */
export const surrogateFrames = message('hud.surrogate-frames', { direction: 'client-to-host', ...counted });

/** The same, from the main frame's page half. Untrusted. */
export const countFrames = message('hud.count-frames', { direction: 'host-to-page', ...counted });
