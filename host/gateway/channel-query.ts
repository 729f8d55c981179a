import * as v from 'valibot';

/** An id from the host, or one that a client has generated for a channel or a connection. */
export const id = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));

/** A whole number with a maximum number of digits. */
export const number = (digits: number): v.GenericSchema<unknown, number> =>
  v.pipe(v.string(), v.regex(/^\d+$/), v.maxLength(digits), v.transform(Number));

/** Query of every request of a channel (M-073, M-074). */
export const channelQuery = {
  cid: id,
  tab_id: id,
  chid: id,
  /** The last downstream sequence number that the client has received. */
  msg_nr: number(10),
};

/** Query of a websocket that its client opens while it still pairs, by the name of that attempt in place of the session's. */
export const attemptQuery = { attempt: id, chid: id };
