import type { WebauthnRequest, WebauthnResult } from '../protocol.ts';

/**
 * Extension input with the page's origin on whose behalf the browser acts. Browsers that do not support it, or do not allow it, use our own
 * origin.
 */
interface Inputs extends AuthenticationExtensionsClientInputs {
  readonly remoteDesktopClientOverride: { readonly origin: string; readonly sameOriginWithAncestors: boolean };
}

type Listed = { readonly id: string; readonly type: 'public-key'; readonly transports?: readonly string[] };

/**
 * Asks this browser's authenticators on behalf of a page. @throws DOMException as `navigator.credentials` does; `SecurityError` where the
 * browser does not act on behalf of others.
 */
export async function useCredential({ origin, ask }: WebauthnRequest, signal: AbortSignal): Promise<WebauthnResult> {
  const extensions: Inputs = { remoteDesktopClientOverride: { origin, sameOriginWithAncestors: true } };
  const credential =
    ask.kind === 'create'
      ? await navigator.credentials.create({ signal, publicKey: { ...creationOf(ask.options), extensions } })
      : await navigator.credentials.get({ signal, publicKey: { ...requestOf(ask.options), extensions } });
  if (!credential) return { success: false };
  const given = credential as PublicKeyCredential; // the requested type
  // A browser that does not act on behalf of others has signed for this service, where the names of both allow that.
  if (originOf(given) !== origin) throw new DOMException('not in the name of the page', 'SecurityError');
  return resultOf(given);
}

function originOf({ response }: PublicKeyCredential): unknown {
  return (JSON.parse(new TextDecoder().decode(response.clientDataJSON)) as { readonly origin?: unknown }).origin; // from the browser itself
}

function creationOf(
  options: Extract<WebauthnRequest['ask'], { kind: 'create' }>['options'],
): PublicKeyCredentialCreationOptions {
  const { user, challenge, excludeCredentials = [], ...rest } = options;
  return {
    ...rest,
    user: { ...user, id: bytesOf(user.id) },
    challenge: bytesOf(challenge),
    excludeCredentials: excludeCredentials.map(descriptor),
  };
}

function requestOf(
  options: Extract<WebauthnRequest['ask'], { kind: 'get' }>['options'],
): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials = [], ...rest } = options;
  return { ...rest, challenge: bytesOf(challenge), allowCredentials: allowCredentials.map(descriptor) };
}

function descriptor({ id, type, transports }: Listed): PublicKeyCredentialDescriptor {
  // Browsers omit unknown transports.
  return { id: bytesOf(id), type, ...(transports && { transports: transports as AuthenticatorTransport[] }) };
}

function resultOf({ id, type, rawId, authenticatorAttachment, response }: PublicKeyCredential): WebauthnResult {
  const attachment = authenticatorAttachment as WebauthnResult['authenticator_attachment'] | null; // the only two values
  const base = {
    success: true,
    id,
    type: type as 'public-key', // the requested type
    raw_id: textOf(rawId),
    ...(attachment && { authenticator_attachment: attachment }),
    client_data_json: textOf(response.clientDataJSON),
  };
  if ('attestationObject' in response) {
    const attested = response as AuthenticatorAttestationResponse; // only this type has it
    const key = attested.getPublicKey();
    return {
      ...base,
      attestation_object: textOf(attested.attestationObject),
      authenticator_data: textOf(attested.getAuthenticatorData()),
      ...(key && { public_key: textOf(key) }),
      public_key_algorithm: attested.getPublicKeyAlgorithm(),
      transports: attested.getTransports(),
    };
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse; // the other type
  return {
    ...base,
    authenticator_data: textOf(authenticatorData),
    signature: textOf(signature),
    ...(userHandle && { user_handle: textOf(userHandle) }),
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
