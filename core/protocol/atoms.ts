/** Basic schemas for the messages of core and plugins. */
import * as v from 'valibot';

/** Any safe integer. */
export const integer = v.pipe(v.number(), v.safeInteger());
/** A frame, a node, or a count: an integer from 0. */
export const id = v.pipe(integer, v.minValue(0));
/** A unique serial number, from 1. */
export const serial = v.pipe(integer, v.minValue(1));
/** Any finite number. */
export const finite = v.pipe(v.number(), v.finite());
/** A position or a distance in CSS px. */
export const px = v.pipe(finite, v.minValue(-1e6), v.maxValue(1e6));
/** A length in CSS px. */
export const extent = v.pipe(finite, v.minValue(0), v.maxValue(1e6));

/** An integer from 0 to `max`. */
export const upTo = (max: number): v.GenericSchema<number> => v.pipe(id, v.maxValue(max));
/** Text of at most `max` UTF-16 units. */
export const text = (max: number): v.GenericSchema<string> => v.pipe(v.string(), v.maxLength(max));
