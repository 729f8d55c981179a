import * as v from 'valibot';
import type { WebauthnResult } from '../protocol.ts';

const clientData = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ type: v.string(), challenge: v.string(), origin: v.string() }),
);

/** Values of the request that a response must match. */
interface Expected {
  readonly kind: 'create' | 'get';
  readonly origin: string;
  readonly challenge: string;
}

/**
 * Converts a result to the form of `PublicKeyCredential.toJSON()`, from which the page's browser creates a credential. Undefined where the
 * result is not valid for this page: incomplete, of another type, with parts of a password or of a federated account, or signed for another
 * origin, as by a browser that does not act on behalf of others.
 */
export function responseOf(result: WebauthnResult, { kind, origin, challenge }: Expected): object | undefined {
  const { id, raw_id, type, client_data_json, authenticator_data } = result;
  if (!result.success || type !== 'public-key' || !id || raw_id !== id || !client_data_json || !authenticator_data)
    return undefined;
  if ([result.password, result.name, result.provider].some((part) => part !== undefined)) return undefined;
  const parsed = v.safeParse(clientData, Buffer.from(client_data_json, 'base64url').toString());
  if (!parsed.success || parsed.output.type !== `webauthn.${kind}`) return undefined;
  if (parsed.output.origin !== origin || parsed.output.challenge !== challenge) return undefined;
  const whole = (response: object): object => ({
    id,
    rawId: raw_id,
    type,
    ...(result.authenticator_attachment && { authenticatorAttachment: result.authenticator_attachment }),
    clientExtensionResults: {},
    response: { clientDataJSON: client_data_json, authenticatorData: authenticator_data, ...response },
  });
  if (kind === 'get')
    return result.signature === undefined
      ? undefined
      : whole({ signature: result.signature, ...(result.user_handle && { userHandle: result.user_handle }) });
  const { attestation_object, public_key, public_key_algorithm, transports = [] } = result;
  if (attestation_object === undefined || public_key_algorithm === undefined) return undefined;
  return whole({
    attestationObject: attestation_object,
    publicKeyAlgorithm: public_key_algorithm,
    ...(public_key && { publicKey: public_key }),
    transports,
  });
}
