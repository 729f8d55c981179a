import { afterEach, expect, it, vi } from 'vitest';
import { useCredential } from '../client/credential.ts';
import type { WebauthnRequest } from '../protocol.ts';

afterEach(() => void vi.unstubAllGlobals());

const ORIGIN = 'https://site.test';
const CREATE: WebauthnRequest = {
  id: 1,
  origin: ORIGIN,
  ask: {
    kind: 'create',
    options: {
      rp: { id: 'site.test', name: 'Site' },
      user: { id: 'AAEC', name: 'ada', displayName: 'Ada' },
      challenge: '-_8',
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    },
  },
};
const GET: WebauthnRequest = {
  id: 2,
  origin: ORIGIN,
  ask: { kind: 'get', options: { rpId: 'site.test', challenge: '-_8' } },
};

const bytes = (...given: number[]): ArrayBuffer => Uint8Array.from(given).buffer;
const clientData = (origin: string): ArrayBuffer => Uint8Array.from(Buffer.from(JSON.stringify({ origin }))).buffer;
const CREDENTIAL = { id: '-_8', type: 'public-key', rawId: bytes(251, 255), authenticatorAttachment: 'platform' };
const ATTESTED = {
  clientDataJSON: clientData(ORIGIN),
  attestationObject: bytes(1),
  getAuthenticatorData: () => bytes(2),
  getPublicKey: () => bytes(3),
  getPublicKeyAlgorithm: () => -7,
  getTransports: () => ['internal', 'hybrid'],
};
const ASSERTED = {
  clientDataJSON: clientData(ORIGIN),
  authenticatorData: bytes(4),
  signature: bytes(5),
  userHandle: bytes(6),
};

/** Has the browser answer with a credential, and asks it. */
function use(request: WebauthnRequest, response: object, more: object = {}) {
  const answer = async () => ({ ...CREDENTIAL, response, ...more });
  vi.stubGlobal('navigator', { credentials: { create: answer, get: answer } });
  return useCredential(request, new AbortController().signal);
}

const BASE = { success: true, id: '-_8', raw_id: '-_8', type: 'public-key' };
const NAMED = { ...BASE, client_data_json: Buffer.from(ATTESTED.clientDataJSON).toString('base64url') };

it('[R-037] a new passkey has all that a site needs to know it again', async () => {
  const attested = { attestation_object: 'AQ', authenticator_data: 'Ag', public_key_algorithm: -7 };
  const transports = ['internal', 'hybrid'];
  expect(await use(CREATE, ATTESTED)).toEqual({
    ...NAMED,
    ...attested,
    transports,
    authenticator_attachment: 'platform',
    public_key: 'Aw',
  });
  const bare = await use(CREATE, { ...ATTESTED, getPublicKey: () => null }, { authenticatorAttachment: null });
  expect(bare).toEqual({ ...NAMED, ...attested, transports });
});

it('[R-037] a passkey that signs in has signature and user', async () => {
  const signed = { authenticator_data: 'BA', signature: 'BQ' };
  const attachment = { authenticator_attachment: 'platform' };
  expect(await use(GET, ASSERTED)).toEqual({ ...NAMED, ...attachment, ...signed, user_handle: 'Bg' });
  expect(await use(GET, { ...ASSERTED, userHandle: null })).toEqual({ ...NAMED, ...attachment, ...signed });
});

it('[R-037] one in the name of another origin is none of the page', async () => {
  const other = { ...ASSERTED, clientDataJSON: clientData('https://vitrine.test') };
  await expect(use(GET, other)).rejects.toMatchObject({ name: 'SecurityError' });
});
