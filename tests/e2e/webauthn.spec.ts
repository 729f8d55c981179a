import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright/test';
import type { BrowserContext, FrameLocator, Page } from 'playwright/test';
import { PERSON_FLAGS } from '../../core/testing/person-browser.ts';
import { answerable, expect, shown, test, view } from './support/vitrine.ts';

const PAGE = `<!doctype html><title>Keys</title><button id=create>create</button><button id=get>get</button><button id=store>store</button><button id=quiet>quiet</button><output id=out></output>
<script>
const bytes = (length) => new Uint8Array(length).fill(7);
const origin = ({ response }) => JSON.parse(new TextDecoder().decode(response.clientDataJSON)).origin;
const run = (what) => async () => {
  out.textContent = 'waits';
  try { out.textContent = await what(); } catch ({ name }) { out.textContent = name; }
  out.dataset.tries = Number(out.dataset.tries ?? 0) + 1;
};
const make = (more) => navigator.credentials.create({ ...more, publicKey: { rp: { name: 'Site' }, user: { id: bytes(8), name: 'ada', displayName: 'Ada' },
  challenge: bytes(32), pubKeyCredParams: [{ type: 'public-key', alg: -7 }], authenticatorSelection: { residentKey: 'required' } } });
const use = (more) => navigator.credentials.get({ ...more, publicKey: { challenge: bytes(32) } });
quiet.onclick = run(async () => {
  const name = (promise) => promise.then(String, ({ name }) => name);
  const { conditionalCreate, immediateGet } = await PublicKeyCredential.getClientCapabilities();
  return [conditionalCreate, immediateGet, await name(make({ mediation: 'conditional' })), await name(use({ mediation: 'silent' })),
    await name(use({ uiMode: 'immediate' })), await name(use({ mediation: 'conditional' })), await name(navigator.credentials.get({ publicKey: {}, get mediation() { throw new RangeError(); } })),
    navigator.credentials.get.name].join(' ');
});
create.onclick = run(async () => {
  const made = window.made = await make();
  const key = made.response.getPublicKey().byteLength > 50 && made.response.getAuthenticatorData().byteLength > 100;
  return [made instanceof PublicKeyCredential, made.type, key, origin(made) === location.origin].join(' ');
});
get.onclick = run(async () => {
  const got = await navigator.credentials.get({ signal: AbortSignal.timeout(10_000), publicKey: { challenge: bytes(32), allowCredentials: [{ type: 'public-key', id: made.rawId }] } });
  return [got instanceof PublicKeyCredential, got.id === made.id, got.response.signature.byteLength > 60, origin(got) === location.origin].join(' ');
});
store.onclick = run(async () => {
  const kept = await Promise.all([new PasswordCredential({ id: 'ada', password: 'x' }), new FederatedCredential({ id: 'ada', provider: 'https://id.example' })]
    .map((credential) => navigator.credentials.store(credential).then(() => credential.type, ({ name }) => name)));
  const key = window.made ? await navigator.credentials.store(made).then(() => 'kept', ({ name }) => name) : '';
  return [...kept, key].join(' ');
});
new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });
</script>`;

/** Adds a virtual authenticator to the person's browser. */
async function addAuthenticator(page: Page): Promise<() => Promise<number>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
}

/** Number of processes of extensions in the browsers of this test: the surrogate's request handler is one. */
async function extensionProcesses(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,ppid=,args='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s(.*)/.exec(line));
  const parents = new Map(all.map((found) => [Number(found?.[1]), Number(found?.[2])]));
  const isOurs = (pid: number | undefined): boolean => pid === process.pid || (!!pid && isOurs(parents.get(pid)));
  return all.filter((found) => found?.[3]?.includes(' --extension-process') && isOurs(Number(found[1]))).length;
}

const localhost = (origin: string): string => origin.replace('127.0.0.1', 'localhost');
const dialog = (page: Page) => page.frameLocator('#vitrine-page-frame').getByRole('dialog');

async function openAt(page: Page, address: string): Promise<FrameLocator> {
  await page.goto(address);
  await shown(page);
  return view(page);
}

test.describe('in a browser whose administrator permits this service to act for other sites', () => {
  let folder = '';
  let person: BrowserContext;
  test.beforeEach(async ({ vitrine }) => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-person-'));
    await mkdir(path.join(folder, 'Default'));
    const allowed = { webauthn: { remote_proxied_requests_allowed: true } };
    await writeFile(path.join(folder, 'Default/Preferences'), JSON.stringify(allowed));
    const executablePath = process.env.VITRINE_CHROMIUM ?? '/usr/bin/chromium';
    const flag = `--webauthn-remote-proxied-requests-allowed-additional-origin=${vitrine}`;
    person = await chromium.launchPersistentContext(folder, { executablePath, args: [...PERSON_FLAGS, flag] });
  });
  test.afterEach(async () => {
    await person.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('[R-037] [R-067] [R-108] a page creates a passkey with the person’s authenticator, and signs in with it', async ({
    site,
    vitrine,
  }) => {
    site.on('/keys', PAGE);
    const page = await person.newPage();
    const kept = await addAuthenticator(page);
    const frame = await openAt(page, `${vitrine}/${localhost(site.origin)}/keys`);
    await frame.locator('#create').click();
    await expect(frame.locator('#out')).toHaveText('true public-key true true');
    expect(await kept()).toBe(1);
    // The request handler stops between requests, and starts again.
    expect(await extensionProcesses()).toBeGreaterThan(0);
    await expect.poll(extensionProcesses).toBe(0);
    await frame.locator('#get').click();
    await expect(frame.locator('#out')).toHaveText('true true true true');
    await frame.locator('#store').click();
    await expect(frame.locator('#out')).toHaveText('password federated NotSupportedError');
    await expect(page.locator('#vitrine-page-frame')).toHaveCount(0);
  });
});

test('a browser that does not act for other sites rejects as if cancelled, and the person is notified once', async ({
  page,
  site,
  vitrine,
}) => {
  site.on('/keys', PAGE);
  await addAuthenticator(page);
  const frame = await openAt(page, `${vitrine}/${localhost(site.origin)}/keys`);
  await frame.locator('#create').click();
  await expect(dialog(page)).toContainText('localhost');
  await expect(frame.locator('#out')).toHaveText('NotAllowedError');
  await answerable(page);
  await page.keyboard.press('Enter');
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
  await frame.locator('#create').click();
  await expect(frame.locator('#out')).toHaveAttribute('data-tries', '2');
  await expect(frame.locator('#out')).toHaveText('NotAllowedError');
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
});

test('[R-067] a frame of another origin is refused, and reported', async ({ page, site, vitrine }) => {
  const inner = `${localhost(site.origin)}/keys`;
  const may = 'publickey-credentials-create *; publickey-credentials-get *';
  site.on('/outer', `<!doctype html><iframe id=inner src="${inner}" allow="${may}"></iframe>`);
  site.on('/keys', PAGE);
  const events: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/clientevent')) events.push(request.postData() ?? '');
  });
  await openAt(page, `${vitrine}/${site.origin}/outer`);
  const frame = view(page).frameLocator('#inner');
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(frame.locator('body')).toHaveAttribute('data-painted');
  await frame.locator('#create').click();
  await expect(frame.locator('#out')).toHaveText('NotSupportedError');
  await expect.poll(() => events.join('\n')).toContain('"tc-webauthn-cross-origin"');
});

test('a conditional request without an available passkey is rejected, and the person is not prompted', async ({
  page,
  site,
  vitrine,
}) => {
  site.on('/keys', PAGE);
  const frame = await openAt(page, `${vitrine}/${localhost(site.origin)}/keys`);
  await frame.locator('#quiet').click();
  const refused = 'NotAllowedError NotAllowedError NotAllowedError';
  await expect(frame.locator('#out')).toHaveText(`false false ${refused} NotAllowedError RangeError get`);
  await expect(page.locator('#vitrine-page-frame')).toHaveCount(0);
});

test('a page cannot prompt in the tab of another that has it in a frame', async ({ page, context, site, vitrine }) => {
  const address = `${localhost(site.origin)}/asks`;
  site.on(
    '/asks',
    `${PAGE}<script>(async () => { for (;; await new Promise((next) => setTimeout(next, 200))) await run(make)(); })()</script>`,
  );
  site.on('/keys', PAGE);
  site.on('/outer', `<!doctype html><p>outer</p><iframe src="${localhost(site.origin)}/keys"></iframe>`);
  const asking = await openAt(page, `${vitrine}/${address}`);
  const other = await context.newPage();
  const frame = await openAt(other, `${vitrine}/${site.origin}/outer`);
  await expect(frame.frameLocator('iframe').locator('#create')).toBeVisible();
  await frame.locator('p').click();
  const tries = async () => Number(await asking.locator('#out').getAttribute('data-tries'));
  const before = await tries();
  await expect.poll(tries).toBeGreaterThan(before + 2);
  await expect(other.locator('#vitrine-page-frame')).toHaveCount(0);
});

test('a page cannot prompt without a gesture', async ({ page, site, vitrine }) => {
  // One that comes while the idle worker of the extension is being ended stays without an answer: it is made again.
  const ask = `(async () => { do await run(() => make({ signal: AbortSignal.timeout(10_000) }))();
    while (/^(Timeout|Abort)Error$/.test(out.textContent)); })()`;
  site.on('/keys', `${PAGE}<script>${ask}</script>`);
  const kept = await addAuthenticator(page);
  const frame = await openAt(page, `${vitrine}/${localhost(site.origin)}/keys`);
  await expect(frame.locator('#out')).toHaveText('NotAllowedError');
  expect(await kept()).toBe(0);
});
