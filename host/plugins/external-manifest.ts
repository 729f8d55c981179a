import { BYTES_MAX } from '../../core/protocol/bodies/carrier.ts';
import * as v from 'valibot';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import type { AnyMessage } from '../../core/protocol/message.ts';
import { parseManifest } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { checkNames } from './checks.ts';
import type { CheckedPlugin } from './threads/read-plugin.ts';

type ReadMessage = NonNullable<CheckedPlugin['messages']>[number];

/** Payload of a message. It is validated where it is read: in the client, in the page, in the thread of the host half. */
const anything = v.unknown();

/** The manifest of a plugin that was read from `file`. @throws AppError `bad-plugin`, `api-version` */
export function manifestFrom({ facts, messages }: CheckedPlugin, file: string): AnyManifest {
  const protocol = Object.fromEntries((messages ?? []).map((each) => [each.name, opaque(each)]));
  const twice = messages?.find((each, index) => messages.findIndex((other) => other.name === each.name) !== index);
  const manifest = { ...parseManifest(facts), ...(messages && { protocol }) };
  try {
    if (twice) throw new AppError('bad-manifest', `manifest: protocol: two messages are named ${twice.name}`);
    checkNames(manifest);
    return manifest;
  } catch (thrown) {
    throw new AppError('bad-plugin', `${file}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

/** Bodies pass through the host as streams, so that it keeps none of them whole; the bounds of their kinds stay. */
function opaque({ answers, errors, body, resultBody, ...facts }: ReadMessage): AnyMessage {
  const { maxBytes = body === 'bytes' || resultBody === 'bytes' ? BYTES_MAX : undefined, ...names } = facts;
  return {
    ...names,
    params: anything,
    body: body === 'json' ? body : 'stream',
    resultBody: resultBody === 'json' ? resultBody : 'stream',
    ...(answers && { result: anything }),
    ...(errors && { errors }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}
