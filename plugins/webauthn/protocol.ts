import * as v from 'valibot';
import { integer, serial, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

const id = serial;
/** Bytes as base64url, without padding. */
const bytes = (max: number) => v.pipe(text(max), v.regex(/^[\w-]*$/));
const algorithm = integer;
const transport = text(50);
const timeout = v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000)));
const demand = v.exactOptional(v.picklist(['required', 'preferred', 'discouraged']));
const credentials = v.exactOptional(
  v.pipe(
    v.array(
      v.object({
        type: v.literal('public-key'),
        id: bytes(2000),
        transports: v.exactOptional(v.pipe(v.array(transport), v.maxLength(20))),
      }),
    ),
    v.maxLength(200),
  ),
);

/** The options of a page's request that are forwarded; all others are dropped. Bytes are base64url. */
export const creationOptions = v.object({
  rp: v.object({ id: text(253), name: text(500) }),
  user: v.object({ id: bytes(100), name: text(500), displayName: text(500) }),
  challenge: bytes(10_000),
  pubKeyCredParams: v.pipe(
    v.array(v.object({ type: v.literal('public-key'), alg: algorithm })),
    v.minLength(1),
    v.maxLength(50),
  ),
  timeout,
  excludeCredentials: credentials,
  authenticatorSelection: v.exactOptional(
    v.object({
      authenticatorAttachment: v.exactOptional(v.picklist(['platform', 'cross-platform'])),
      residentKey: demand,
      requireResidentKey: v.exactOptional(v.boolean()),
      userVerification: demand,
    }),
  ),
  attestation: v.exactOptional(v.picklist(['none', 'indirect', 'direct', 'enterprise'])),
});

/** The same for requests of an existing credential. */
export const requestOptions = v.object({
  rpId: text(253),
  challenge: bytes(10_000),
  timeout,
  allowCredentials: credentials,
  userVerification: demand,
});

/** The page of an origin asks the person's authenticators. */
export const webauthnRequest = message('webauthn.request', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    id,
    origin: text(300),
    ask: v.variant('kind', [
      v.object({ kind: v.literal('create'), options: creationOptions }),
      v.object({ kind: v.literal('get'), options: requestOptions }),
    ]),
  }),
});
export type WebauthnRequest = v.InferOutput<typeof webauthnRequest.params>;

/** The page has cancelled the request. */
export const webauthnCancel = message('webauthn.cancel', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id }),
});

/** A frame of another origin than the page has asked, and was rejected. */
export const webauthnCrossOrigin = message('webauthn.cross-origin', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ origin: text(300) }),
});

/** The result from the person's browser. Bytes are base64url; fields that a type of credential does not have are absent. */
export const webauthnResult = message('webauthn.result', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({
    request: id,
    result: v.object({
      success: v.boolean(),
      id: v.exactOptional(bytes(2000)),
      type: v.exactOptional(v.picklist(['public-key', 'password', 'federated'])),
      raw_id: v.exactOptional(bytes(2000)),
      authenticator_attachment: v.exactOptional(v.picklist(['platform', 'cross-platform'])),
      client_data_json: v.exactOptional(bytes(50_000)),
      attestation_object: v.exactOptional(bytes(200_000)),
      authenticator_data: v.exactOptional(bytes(50_000)),
      public_key: v.exactOptional(bytes(50_000)),
      public_key_algorithm: v.exactOptional(algorithm),
      transports: v.exactOptional(v.pipe(v.array(transport), v.maxLength(20))),
      signature: v.exactOptional(bytes(50_000)),
      user_handle: v.exactOptional(bytes(200)),
      password: v.exactOptional(text(1000)),
      name: v.exactOptional(text(1000)),
      provider: v.exactOptional(text(1000)),
    }),
  }),
});
export type WebauthnResult = v.InferOutput<typeof webauthnResult.params>['result'];
