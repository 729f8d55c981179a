import { toAppError } from '../../../core/protocol/errors.ts';
import { validate } from '../../../core/protocol/message.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import { attachSchema, CHANNEL_STREAM, jsonBody, upstreamMessages } from '../../cells/protocol.ts';
import type { Attached } from '../../cells/protocol.ts';
import type { ChannelNames } from '../../contracts/link.ts';
import type { LinkStream } from '../../link/api.ts';
import type { ChannelEnd, ChannelTransport } from './channel-transport.ts';

/**
 * Attaches the transport at the other end of a stream to a tab's channel; `onChange` is called when it is attached and
 * detached.
 */
export function serveChannel(
  attachTo: (names: ChannelNames, transport: ChannelTransport) => ChannelEnd | undefined,
  params: unknown,
  stream: LinkStream,
  onChange: () => void = () => undefined,
): void {
  const answer = (attached: Attached): void => stream.send(jsonBody(attached));
  try {
    const { ackDelayMs, ...names } = validate(attachSchema, params, CHANNEL_STREAM);
    let isAnswered = false;
    const early: Uint8Array[] = [];
    /** Reason of a close while it was being attached: the gateway hears it after the answer. */
    let ended: string | undefined;
    const transport: ChannelTransport = {
      // The answer must be sent before the frames of the attachment.
      send: (frame) => (isAnswered ? stream.send(frame) : void early.push(frame)),
      get pending() {
        return stream.pending;
      },
      onPending: (listener) => stream.onPending(listener),
      ...(ackDelayMs !== undefined && { ackDelayMs }),
      close: (reason) => {
        if (isAnswered) stream.close(reason);
        else ended ??= reason;
      },
    };
    const attached = attachTo(names, transport);
    answer({ state: attached ? 'attached' : 'unknown' });
    isAnswered = true;
    for (const frame of early) stream.send(frame);
    if (!attached) {
      stream.close('unknown');
      return;
    }
    stream.onChunk((chunk) => {
      try {
        for (const message of upstreamMessages(chunk)) attached.receive(message);
      } catch (thrown) {
        stream.close(toAppError(thrown).code);
      }
    });
    onChange();
    onAbort(stream.closed, () => {
      attached.detach(stream.closeReason ?? 'closed');
      onChange();
    });
    if (ended !== undefined) stream.close(ended);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    answer({ state: 'refused', code, message });
    stream.close(code);
  }
}
