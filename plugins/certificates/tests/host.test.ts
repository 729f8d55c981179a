import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { certificateError, faultOf } from '../host/fault.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { acceptCert, certificateClose, certificateInvalid } from '../protocol.ts';
import type { InvalidCertificate } from '../protocol.ts';

const URL_OF = 'https://site.test:8443/x';
const DER = Buffer.from('a certificate');
const STATE = {
  visibleSecurityState: {
    certificateSecurityState: {
      certificate: [DER.toString('base64')],
      subjectName: '\u202esite.test',
      issuer: 'Nobody',
      validFrom: 1,
      validTo: 2,
    },
  },
};

async function start({ overridable = true, accept = true, refusals = 0 } = {}) {
  const harness = pluginHarness(manifest);
  const { client, cdp, host, hostHooks, flush } = harness;
  const policy = { accept };
  const tab = {
    ...host.tab,
    policy: (url?: string) => ({
      ...host.tab.policy(),
      certificates: { accept_invalid: policy.accept && url === URL_OF },
    }),
  };
  const opened: InvalidCertificate[] = [];
  const closed: number[] = [];
  client.commands.handle(certificateInvalid, (invalid) => void opened.push(invalid));
  client.commands.handle(certificateClose, ({ id }) => void closed.push(id));
  cdp.answer('Runtime.evaluate', () => ({ result: { value: overridable } }));
  let left = refusals;
  cdp.answer('Security.enable', () => {
    if (left-- > 0) throw new AppError('cdp-error', 'Security.enable: Not attached to an active page');
    cdp.emit('Security.visibleSecurityStateChanged', STATE);
    return {};
  });
  await activate({ ...host, tab });
  const fail = async (errorText = 'net::ERR_CERT_DATE_INVALID', frame = 1): Promise<void> => {
    hostHooks.navigationFailed.call({ frame, url: URL_OF, errorText });
    await flush();
  };
  const answer = async (accepted: boolean): Promise<void> => {
    client.commands.send(acceptCert, { id: opened.at(-1)?.id ?? 0, accepted });
    await flush();
  };
  const proceeded = () => cdp.sent.filter(({ params }) => JSON.stringify(params ?? '').includes('proceed()')).length;
  return { ...harness, policy, opened, closed, fail, answer, proceeded };
}

describe('a page that fails because of its certificate', () => {
  it('is explained, and goes on when the person accepts', async () => {
    const { fail, opened, answer, proceeded, recorded } = await start();
    await fail();
    const fingerprint = createHash('sha256').update(DER).digest('hex');
    expect(opened).toEqual([
      {
        id: expect.any(Number) as number,
        site: 'site.test:8443',
        fault: 'expired',
        code: 'ERR_CERT_DATE_INVALID',
        certificate: { subject: 'site.test', issuer: 'Nobody', from: 1, to: 2, fingerprint },
        proceed: 'allowed',
      },
    ]);
    await answer(true);
    expect(proceeded()).toBe(1);
    expect(JSON.stringify(recorded)).toContain('accepted');
    await answer(true);
    expect(proceeded()).toBe(1);
  });

  it('is explained no more once it has been left, and where it fails again only as it is then', async () => {
    const { cdp, fail, flush, opened, hostHooks } = await start();
    const offers = [0, 1, 2].map(() => Promise.withResolvers<object>());
    let asked = 0;
    cdp.answer('Runtime.evaluate', () => offers[asked++]?.promise);
    const answered = async (nr: number): Promise<void> => {
      offers[nr]?.resolve({ result: { value: true } });
      for (let turn = 0; turn < 5; turn += 1) await flush();
    };
    await fail();
    hostHooks.navigated.call({ frame: 1, url: 'https://next.test/', sameDocument: false });
    await answered(0);
    expect(opened).toEqual([]);
    await fail();
    await fail('net::ERR_CERT_REVOKED');
    expect(asked).toBe(3);
    await answered(1);
    expect(opened).toEqual([]);
    await answered(2);
    expect(opened.map(({ fault }) => fault)).toEqual(['revoked']);
  });

  it('is explained with its certificate, also when the error page is not there yet', async () => {
    const { fail, opened } = await start({ refusals: 2 });
    await fail();
    await expect.poll(() => opened[0]?.certificate?.issuer, { timeout: PATIENCE_MS }).toBe('Nobody');
  });

  it.each([
    ['the policy does not let them', { accept: false }, 'policy'],
    ['the site does not let them (HSTS)', { overridable: false }, 'site'],
  ])('does not go on where %s, whatever the client says', async (_what, options, proceed) => {
    const { fail, opened, answer, proceeded } = await start(options);
    await fail();
    expect(opened[0]).toMatchObject({ proceed });
    await answer(true);
    expect(proceeded()).toBe(0);
  });

  it('does not go on when the person declines, or the policy has changed meanwhile', async () => {
    const { fail, answer, proceeded, policy } = await start();
    await fail();
    await answer(false);
    await fail();
    policy.accept = false;
    await answer(true);
    expect(proceeded()).toBe(0);
  });

  it('is no longer asked about when another page is shown, and again by a client that has been reloaded', async () => {
    const { fail, opened, closed, hostHooks, flush, answer, proceeded } = await start();
    await fail();
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(opened).toHaveLength(2);
    hostHooks.navigated.call({ frame: 1, url: 'https://other.test/', sameDocument: false });
    await flush();
    expect(closed).toEqual([opened[0]?.id]);
    await answer(true);
    expect(proceeded()).toBe(0);
  });

  it('is told from other failures, and from those of frames', async () => {
    const { fail, opened } = await start();
    await fail('net::ERR_CONNECTION_REFUSED');
    await fail('net::ERR_CERT_DATE_INVALID', 2);
    expect(opened).toEqual([]);
  });
});

it('names what is wrong', () => {
  const now = 1_000_000;
  expect(faultOf('ERR_CERT_DATE_INVALID', 2000, now)).toBe('not-yet');
  expect(faultOf('ERR_CERT_DATE_INVALID', 500, now)).toBe('expired');
  expect(faultOf('ERR_CERT_COMMON_NAME_INVALID', undefined)).toBe('name');
  expect(faultOf('ERR_CERT_AUTHORITY_INVALID', undefined)).toBe('authority');
  expect(faultOf('constructor', undefined)).toBe('other');
  expect(certificateError('net::ERR_CERT_REVOKED')).toBe('ERR_CERT_REVOKED');
  expect(certificateError('net::ERR_FAILED')).toBeUndefined();
});
