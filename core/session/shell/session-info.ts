import * as v from 'valibot';
import { text } from '../../protocol/atoms.ts';
import { AppError } from '../../protocol/errors.ts';

const short = text(1000);
const schema = v.object({
  DEBUG: v.boolean(),
  TC_API_VERSION: v.number(),
  TC_BUNDLED: v.boolean(),
  INSPECT_DOMAIN: short,
  CLUSTER_DOMAIN: short,
  BUILD_ID: short,
  HOST: short,
  TPROXY_ENABLED: v.boolean(),
  FRAMEBUST: v.object({ enabled: v.boolean(), domains: v.array(short) }),
  /** `Sec-Fetch-Site` of the request for this document, which pairing passes on. */
  FETCH_SITE: v.exactOptional(short),
  /** The body of an isolated POST navigation, where this page is one. */
  POST: v.exactOptional(v.object({ body: v.string(), content_type: short })),
});

/** Data in the shell before pairing (S-035). */
export type SessionInfo = v.InferOutput<typeof schema>;

/** Reads the attribute `data-session`: JSON in base64. @throws AppError `bad-session-info`. */
export function parseSessionInfo(attribute: string | null | undefined): SessionInfo {
  try {
    const bytes = Uint8Array.from(atob(attribute ?? ''), (character) => character.charCodeAt(0));
    return v.parse(schema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new AppError('bad-session-info', 'the session info of the page is not valid', { cause });
  }
}
