import * as v from 'valibot';

/** A name that the host has given, or that a client has drawn for a channel or a connection. */
export const id = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));

/** A whole number of so many digits at most. */
export const number = (digits: number): v.GenericSchema<unknown, number> =>
  v.pipe(v.string(), v.regex(/^\d+$/), v.maxLength(digits), v.transform(Number));

/** What every request of a channel names (M-073, M-074). */
export const channelQuery = {
  cid: id,
  tab_id: id,
  chid: id,
  /** The last downstream sequence number that the client has. */
  msg_nr: number(10),
};
