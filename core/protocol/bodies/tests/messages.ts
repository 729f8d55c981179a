import * as v from 'valibot';
import { message } from '../../message.ts';

const text = v.object({ text: v.string() });
export const say = message('test.say', { direction: 'client-to-host', params: text });
export const put = message('test.put', { direction: 'client-to-host', params: text, body: 'bytes' });
export const small = message('test.small', {
  direction: 'client-to-host',
  params: text,
  body: 'bytes',
  maxBytes: 1000,
});
export const feed = message('test.feed', { direction: 'client-to-host', params: text, body: 'stream' });
export const other = message('test.other', { direction: 'client-to-host', lane: 'input', params: text });
export const get = message('test.get', {
  direction: 'client-to-host',
  params: v.object({ size: v.number() }),
  result: v.object({ size: v.number() }),
  resultBody: 'bytes',
});
export const pipe = message('test.pipe', {
  direction: 'client-to-host',
  params: text,
  result: text,
  body: 'stream',
  resultBody: 'stream',
});
/** All of them. */
export const MESSAGES = [say, put, small, feed, other, get, pipe];
