import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { CredentialDesk, credentialDeskToken } from '../host/credentials.ts';
import type { CredentialOutcome, CredentialRequest } from '../host/credentials.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { webauthnCancel, webauthnCrossOrigin, webauthnRequest, webauthnResult } from '../protocol.ts';
import type { WebauthnRequest, WebauthnResult } from '../protocol.ts';

const CHALLENGE = 'c29tZXRoaW5n';
const GET = { rpId: 'site.test', challenge: CHALLENGE, extensions: { remoteDesktopClientOverride: {} }, secret: 1 };
const CREATE = {
  rp: { id: 'site.test', name: 'Site' },
  user: { id: 'AAAA', name: 'ada', displayName: 'Ada' },
  challenge: CHALLENGE,
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
};

const clientData = (more: object = {}): string =>
  Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge: CHALLENGE, origin: 'https://site.test', ...more }),
  ).toString('base64url');
const RESULT: WebauthnResult = {
  success: true,
  id: 'AQID',
  raw_id: 'AQID',
  type: 'public-key',
  authenticator_attachment: 'platform',
  client_data_json: clientData(),
  authenticator_data: 'AAAA',
  signature: 'BBBB',
  user_handle: 'CCCC',
};

const CREATED: WebauthnResult = {
  success: true,
  id: 'AQID',
  raw_id: 'AQID',
  type: 'public-key',
  client_data_json: clientData({ type: 'webauthn.create' }),
  authenticator_data: 'AAAA',
  attestation_object: 'DDDD',
  public_key_algorithm: -7,
};
const without = (result: WebauthnResult, ...names: readonly (keyof WebauthnResult)[]): WebauthnResult =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !names.includes(name as never))) as WebauthnResult; // some are optional

async function start() {
  const harness = pluginHarness(manifest);
  const { client, host, flush } = harness;
  const asked: WebauthnRequest[] = [];
  const received: [string, unknown][] = [];
  client.commands.handle(webauthnRequest, (request) => void asked.push(request));
  client.commands.handle(webauthnCancel, (params) => void received.push(['cancel', params]));
  client.commands.handle(webauthnCrossOrigin, (params) => void received.push(['cross-origin', params]));
  const desk = new CredentialDesk();
  harness.hostServices.provide(credentialDeskToken, desk);
  await activate(host);
  const ask = (more: Partial<CredentialRequest> = {}): Promise<CredentialOutcome> => {
    const { signal } = new AbortController();
    const request = { kind: 'get', origin: 'https://site.test', isSameOrigin: true, options: GET, signal } as const;
    return desk.ask(host.tab.id, { ...request, ...more });
  };
  const answer = async (result: WebauthnResult, request = asked.at(-1)!.id): Promise<void> => {
    client.commands.send(webauthnResult, { request, result });
    await flush();
  };
  return { ...harness, asked, received, ask, answer, hasHandler: () => desk.has(host.tab.id) };
}

describe('a page that asks an authenticator', () => {
  it('[R-037] [R-108] gets the result of the person’s browser; unknown options are dropped', async () => {
    const { ask, asked, answer, flush } = await start();
    const outcome = ask();
    await flush();
    expect(asked).toEqual([
      {
        id: 1,
        origin: 'https://site.test',
        ask: { kind: 'get', options: { rpId: 'site.test', challenge: CHALLENGE } },
      },
    ]);
    await answer(RESULT);
    expect(await outcome).toEqual({
      ok: true,
      response: {
        id: 'AQID',
        rawId: 'AQID',
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: RESULT.client_data_json,
          authenticatorData: 'AAAA',
          signature: 'BBBB',
          userHandle: 'CCCC',
        },
      },
    });
  });

  it.each<[string, WebauthnResult]>([
    ['it is missing', { success: false }],
    ['it is for another origin', { ...RESULT, client_data_json: clientData({ origin: 'https://vitrine.test' }) }],
    ['it is for another challenge', { ...RESULT, client_data_json: clientData({ challenge: 'b3RoZXI' }) }],
    ['it is of another kind', { ...RESULT, client_data_json: clientData({ type: 'webauthn.create' }) }],
    ['it has two names', { ...RESULT, raw_id: 'AQIE' }],
    ['it is a password', { success: true, type: 'password', id: 'ada', password: 'x' }],
    [
      'it is a federated account',
      { success: true, type: 'federated', id: 'ada', name: 'Ada', provider: 'https://a.test' },
    ],
    ['it is a key with a password', { ...RESULT, password: 'x' }],
    ['it is a key with a name', { ...RESULT, name: 'Ada' }],
    ['it is a key with a provider', { ...RESULT, provider: 'https://a.test' }],
    ['what the browser has signed is garbage', { ...RESULT, client_data_json: 'AAAA' }],
    ['what the browser has signed names no origin', { ...RESULT, client_data_json: clientData({ origin: undefined }) }],
    ['it says that it is none', { ...RESULT, success: false }],
    ['it is of no type', without(RESULT, 'type')],
    ['it has no name', without(RESULT, 'id', 'raw_id')],
    ['it has not been signed by the browser', without(RESULT, 'client_data_json')],
    ['it lacks the word of the authenticator', without(RESULT, 'authenticator_data')],
    ['it has no signature', without(RESULT, 'signature')],
  ])('is refused as if the person had cancelled where %s', async (_why, result) => {
    const { ask, answer, flush } = await start();
    const outcome = ask();
    await flush();
    await answer(result);
    expect(await outcome).toEqual({ ok: false, error: 'NotAllowedError' });
  });

  it('[R-037] has a new passkey with all that the person’s browser says of it, or that it must say', async () => {
    const { ask, asked, answer, flush } = await start();
    const create = async (result: WebauthnResult): Promise<CredentialOutcome> => {
      const outcome = ask({ kind: 'create', options: CREATE });
      await flush();
      await answer(result);
      return outcome;
    };
    const response = {
      clientDataJSON: CREATED.client_data_json,
      authenticatorData: 'AAAA',
      attestationObject: 'DDDD',
      publicKeyAlgorithm: -7,
    };
    const named = { id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {} };
    expect(await create({ ...CREATED, public_key: 'EEEE', transports: ['usb'] })).toEqual({
      ok: true,
      response: { ...named, response: { ...response, publicKey: 'EEEE', transports: ['usb'] } },
    });
    expect(asked[0]?.ask).toEqual({ kind: 'create', options: CREATE });
    const bare = await create(CREATED);
    expect(bare).toEqual({ ok: true, response: { ...named, response: { ...response, transports: [] } } });
    for (const name of ['attestation_object', 'public_key_algorithm'] as const)
      expect(await create(without(CREATED, name))).toEqual({ ok: false, error: 'NotAllowedError' });
  });

  it('[R-037] has a key without user or attachment as it is', async () => {
    const { ask, answer, flush } = await start();
    const outcome = ask();
    await flush();
    await answer(without(RESULT, 'user_handle', 'authenticator_attachment'));
    const signed = { clientDataJSON: RESULT.client_data_json, authenticatorData: 'AAAA', signature: 'BBBB' };
    expect(await outcome).toEqual({
      ok: true,
      response: { id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {}, response: signed },
    });
  });

  it('[R-067] is rejected in a frame of another origin, which is reported', async () => {
    const { ask, asked, received, flush } = await start();
    expect(await ask({ isSameOrigin: false, kind: 'create', options: CREATE })).toEqual({
      ok: false,
      error: 'NotSupportedError',
    });
    await flush();
    expect(asked).toEqual([]);
    expect(received).toEqual([['cross-origin', { origin: 'https://site.test' }]]);
  });

  it('may not claim another origin, nor send invalid options, nor two requests at once', async () => {
    const { ask, asked, flush, answer } = await start();
    expect(await ask({ options: { ...GET, rpId: 'other.test' } })).toEqual({ ok: false, error: 'SecurityError' });
    expect(await ask({ options: { ...GET, challenge: '=+/' } })).toEqual({ ok: false, error: 'NotAllowedError' });
    expect(await ask({ kind: 'create', options: { ...CREATE, pubKeyCredParams: [] } })).toMatchObject({ ok: false });
    const first = ask();
    expect(await ask()).toEqual({ ok: false, error: 'NotAllowedError' });
    await flush();
    expect(asked).toHaveLength(1);
    await answer({ success: false }, 99); // for another request
    await answer(RESULT);
    expect(await first).toMatchObject({ ok: true });
    const next = ask();
    await flush();
    await answer({ success: false });
    expect(await next).toMatchObject({ ok: false });
  });

  it('[R-108] waits on where a frame of the page is another, or its client has only been away', async () => {
    const { ask, received, answer, flush, hostHooks } = await start();
    const outcome = ask();
    await flush();
    hostHooks.navigated.call({ frame: 2, url: '', sameDocument: false });
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: true });
    hostHooks.clientAttached.call({ fresh: false });
    await answer(RESULT);
    expect(await outcome).toMatchObject({ ok: true });
    expect(received).toEqual([]);
  });

  it('[R-108] that is over is not cancelled any more, and is no part of the next one', async () => {
    const { ask, asked, received, answer, flush, hostHooks, client, faults } = await start();
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    client.commands.send(webauthnResult, { request: 1, result: RESULT });
    await flush();
    const aborting = new AbortController();
    const first = ask({ signal: aborting.signal });
    await flush();
    await answer(RESULT);
    expect(await first).toMatchObject({ ok: true });
    const second = ask();
    await flush();
    aborting.abort();
    await answer(RESULT);
    expect(await second).toMatchObject({ ok: true });
    expect([asked.map(({ id }) => id), received, faults]).toEqual([[1, 2], [], []]);
  });

  it('[R-067] of another origin with a long address is reported by the first 300 units of that', async () => {
    const { ask, received, flush, faults } = await start();
    const origin = `https://${'a'.repeat(400)}.test`;
    await ask({ isSameOrigin: false, origin });
    await flush();
    expect([received, faults]).toEqual([[['cross-origin', { origin: origin.slice(0, 300) }]], []]);
  });

  it('is cancelled when the page, the client or the plugin ends', async () => {
    const { ask, received, flush, hostHooks, disposeHost, hasHandler } = await start();
    const aborting = new AbortController();
    const waits = ask({ signal: aborting.signal });
    aborting.abort();
    expect(await waits).toMatchObject({ ok: false });
    const left = ask();
    hostHooks.navigated.call({ frame: 2, url: '', sameDocument: false });
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    expect(await left).toMatchObject({ ok: false });
    const lost = ask();
    hostHooks.clientAttached.call({ fresh: false });
    hostHooks.clientAttached.call({ fresh: true });
    expect(await lost).toMatchObject({ ok: false });
    const crashed = ask();
    hostHooks.replaced.call({ reason: 'crashed' });
    expect(await crashed).toMatchObject({ ok: false });
    const withdrawn = ask();
    disposeHost();
    expect(await withdrawn).toMatchObject({ ok: false });
    await flush();
    expect(received.map(([name]) => name).slice(0, 3)).toEqual(['cancel', 'cancel', 'cancel']);
    expect(hasHandler()).toBe(false);
  });
});

it('a tab has one handler, which its own undo takes away alone', async () => {
  const desk = new CredentialDesk();
  const handler = (): Promise<CredentialOutcome> => Promise.resolve({ ok: false, error: 'SecurityError' });
  const undo = desk.handle('T', handler);
  expect(() => desk.handle('T', handler)).toThrow(expect.objectContaining({ code: 'already-handled' }));
  undo();
  expect(desk.has('T')).toBe(false);
  desk.handle('T', () => handler());
  undo();
  expect(desk.has('T')).toBe(true);
});
