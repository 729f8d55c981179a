import { quotable } from '../../../../../host/plugin.ts';
import { withLastByte } from '../format/file-bytes.ts';
import { Conversation } from './conversation.ts';
import type { ScannerAddress } from './conversation.ts';
import { scannerFailed } from './scanner.ts';
import type { Scanner, ScanResult } from './scanner.ts';

/** Longest answer of clamd, in bytes. */
const MAX_ANSWER = 4096;
const MAX_DETAIL = 200;
/** Longest chunk that is sent, in bytes. */
const CHUNK_BYTES = 65_536;

function answerOf(answer: string, isWhole: boolean, name: string): ScanResult {
  const text = quotable(answer.replace(/\0$/, ''), MAX_ANSWER);
  const found = /^stream: (.+) FOUND$/.exec(text)?.[1];
  if (found !== undefined) return { result: 'infected', detail: quotable(found, MAX_DETAIL) };
  if (text.startsWith('INSTREAM size limit exceeded')) {
    return { result: 'not-scanned', detail: 'longer than the scanner takes (StreamMaxLength)' };
  }
  if (text !== 'stream: OK') throw scannerFailed(name, `answered "${quotable(text, MAX_DETAIL)}"`);
  return isWhole ? { result: 'clean' } : { result: 'not-scanned', detail: 'answered before the last byte' };
}

/** A clamd, asked with INSTREAM (clamd(8)): nothing is shared with it but the bytes. */
export function clamdScanner(address: ScannerAddress, name: string): Scanner {
  return {
    name,
    async scan(stream, options) {
      using conversation = new Conversation(address, name, options);
      let isWhole = await conversation.write('zINSTREAM\0');
      const length = Buffer.alloc(4);
      for await (const { bytes, isLast } of withLastByte(stream, CHUNK_BYTES)) {
        if (isLast) await conversation.pause(true);
        if (conversation.hasAnswered) break;
        length.writeUInt32BE(bytes.length);
        isWhole = (await conversation.write(Buffer.concat([length, bytes]), true)) && isWhole;
      }
      if (conversation.hasAnswered) isWhole = false;
      if (isWhole) await conversation.write(Buffer.alloc(4));
      try {
        return answerOf(await conversation.readUntil('\0', MAX_ANSWER), isWhole, name);
      } catch (thrown) {
        // Past its limit it answers and closes; the answer is lost where bytes of ours were still on their way.
        if (!isWhole && conversation.wasCut)
          return { result: 'not-scanned', detail: `${name}: closed before the last byte`, isCut: true };
        throw thrown;
      }
    },
  };
}
