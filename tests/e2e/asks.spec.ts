import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright/test';
import { answerable, expect, shown, test, view } from './support/vitrine.ts';

/** Origin of a site whose certificate is its own. */
let secureSite = '';

/** A site with a certificate that nobody has issued. */
async function startSecureSite(folder: string): Promise<https.Server> {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=Its own', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert, '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...files, ...subject],
    {
      stdio: 'ignore',
    },
  );
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><h1>Secure ${request.url}</h1>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

test.use({
  samePerson: false,
  hostOptions: async ({ folder }, use) => {
    const server = await startSecureSite(folder);
    const { port } = server.address() as AddressInfo; // it listens on TCP
    secureSite = `https://127.0.0.1:${port}`;
    const policyFile = path.join(folder, 'vitrine.policy.yaml');
    const policy = {
      certificates: { accept_invalid: true },
      egress: { block: ['blocked.example'], message: 'Not at work.' },
      limits: { tabs: 2 },
    };
    writeFileSync(policyFile, JSON.stringify({ tenants: { default: { policy } } }));
    await use(['--policy', policyFile, '--allow-network', `127.0.0.1:${port}`]);
    server.close();
    server.closeAllConnections();
  },
});

const overlay = (page: Page): FrameLocator => page.frameLocator('#vitrine-page-frame');
const dialogOf = (page: Page): Locator => overlay(page).locator('.vitrine-dialog');
/** Number of tabs whose clients are connected, as the host counts them. */
async function attachedTabs(vitrine: string): Promise<number> {
  const text = await (await fetch(`${vitrine}/metrics`)).text();
  return Number(/^vitrine_tabs_attached (\d+)$/m.exec(text)?.[1]);
}
const SECRET = 'correct horse';
const RIGHT = `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`;

test('[S-016] [S-127] [S-128] [S-141] a site that demands a password by HTTP asks the person, who alone and once tells it', async ({
  page,
  site,
  vitrine,
  hostLog,
}) => {
  site.on('/private', ({ headers }, response) => {
    const isRight = headers.authorization === RIGHT;
    response.writeHead(isRight ? 200 : 401, {
      'content-type': 'text/html',
      ...(!isRight && { 'www-authenticate': Buffer.from('Basic realm="Staff \u202e only"').toString('latin1') }),
    });
    response.end(isRight ? '<!doctype html><h1>Inside</h1>' : '<!doctype html><h1>Refused</h1>');
  });
  const sent: string[] = [];
  page.on('request', (request) => void sent.push(request.postData() ?? ''));
  await page.goto(`${vitrine}/${site.origin}/private`);
  const dialog = dialogOf(page);
  await expect(dialog).toContainText(site.origin);
  await expect(dialog).toContainText('Staff');
  await expect(dialog).toContainText('not encrypted');
  await answerable(page);
  const enter = async (secret: string): Promise<void> => {
    await dialog.getByLabel('Name').fill('ada');
    await dialog.getByLabel('Password', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
  };
  await enter('wrong');
  await expect(dialog).toContainText('did not accept');
  await answerable(page);
  await enter(SECRET);
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Inside');
  // Nothing but the channel has seen it.
  expect(sent.filter((body) => body.includes(SECRET) && body.includes('clientevent'))).toEqual([]);
  expect(readFileSync(hostLog, 'utf8')).not.toContain(SECRET);
});

test('a name and password in an address open the page, and are neither shown nor kept', async ({
  page,
  site,
  vitrine,
}) => {
  const words = (request: http.IncomingMessage): string => request.headers.authorization ?? '';
  site.on('/private', (request, response) => {
    const status = words(request) === `Basic ${btoa('ada:lovelace')}` ? 200 : 401;
    response
      .writeHead(status, { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="Staff"' })
      .end(`<!doctype html><h1>${status}</h1><a href="/other">on</a>`);
  });
  site.on('/other', '<!doctype html><h1>other</h1>');
  const { host } = new URL(site.origin);
  await page.goto(`${vitrine}/http://ada:lovelace@${host}/private`);
  const heading = view(page).locator('h1');
  await expect(heading).toHaveText('200');
  const address = `${vitrine}/${site.origin}/private`;
  await expect(page).toHaveURL(address);
  await view(page).locator('a').click();
  await expect(heading).toHaveText('other');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/other`);
  await page.goBack();
  await expect(heading).toHaveText('200');
  await expect(page).toHaveURL(address);
  await page.reload();
  await expect(heading).toHaveText('200');
  await expect(page).toHaveURL(address);
  expect(JSON.stringify(await page.context().storageState())).not.toContain('lovelace');
});

test('[S-127] [S-128] a person who declines gets the site’s own refusal, of a page and of what it requests', async ({
  page,
  site,
  open,
}) => {
  const refuse = (text: string) => (_: unknown, response: http.ServerResponse) => {
    response.writeHead(401, { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="Staff"' }).end(text);
  };
  site.on('/private', refuse('<!doctype html><h1>Refused</h1>'));
  site.on('/data', refuse('no data'));
  site.on(
    '/open',
    `<!doctype html><a href="/private">private</a><output></output><button>ask</button><script>
      const ask = async () => { document.querySelector('output').textContent += (await fetch('/data')).status + ' '; };
      document.querySelector('button').onclick = ask;
      (async () => { for (let i = 0; i < 5; i++) await ask(); })();</script>`,
  );
  const frame = await open('/open');
  const dialog = dialogOf(page);
  for (let times = 1; times <= 3; times += 1) {
    await expect(dialog).toContainText(site.origin);
    await answerable(page);
    await page.keyboard.press('Escape');
    await expect(frame.locator('output')).toContainText('401 '.repeat(times));
  }
  // The fourth and the fifth ask nobody; the person's own click does.
  await expect(frame.locator('output')).toHaveText('401 '.repeat(5).trim());
  await expect(dialog).toBeHidden();
  await frame.locator('button').click();
  await expect(dialog).toContainText(site.origin);
  await answerable(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await frame.locator('a').click();
  await expect(dialog).toContainText(site.origin);
  await answerable(page);
  await page.keyboard.press('Escape');
  await expect(view(page).locator('h1')).toHaveText('Refused');
});

test('[S-016] [S-127] [S-128] [S-141] an invalid certificate is explained; who declines goes back, who accepts goes on', async ({
  page,
  site,
  open,
  vitrine,
  hostLog,
}) => {
  site.on('/start', '<!doctype html><h1>Start</h1>');
  await open('/start');
  const dialog = dialogOf(page);
  await page.goto(`${vitrine}/${secureSite}/one`);
  await expect(dialog).toContainText('not issued by an authority');
  await expect(dialog).toContainText(new URL(secureSite).host);
  await answerable(page);
  await expect(dialog).toContainText('Its own');
  await expect(dialog.locator('[data-fingerprint]')).toHaveText(/^([0-9a-f]{2} ){31}[0-9a-f]{2}$/);
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/start`);
  await expect(view(page).locator('h1')).toHaveText('Start');
  await page.goto(`${vitrine}/${secureSite}/two`);
  await expect(dialog).toContainText('not issued by an authority');
  await answerable(page);
  await dialog.getByRole('button', { name: 'Proceed anyway' }).click();
  await expect(view(page).locator('h1')).toHaveText('Secure /two');
  await page.goto(`${vitrine}/${secureSite}/three`);
  await expect(view(page).locator('h1')).toHaveText('Secure /three');
  // Chromium asks no other server for the reason: the person would wait for that, and nobody has asked for it.
  expect(readFileSync(hostLog, 'utf8')).not.toContain('connectivitycheck.gstatic.com');
});

test('a page that the policy refuses is said to be refused by it, and gets no surrogate', async ({ page, vitrine }) => {
  await page.goto(`${vitrine}/https://blocked.example/secret?token=1`);
  const error = page.locator('#vitrine-error');
  await expect(error).toContainText('This page is blocked');
  await expect(error).toContainText('Not at work.');
  await expect(error).toContainText('blocked.example is not opened: the policy of your organization');
  await page.goto(`${vitrine}/`);
});

test('[R-005] [S-016] [S-142] a person with too many tabs is told so, and can try again once there is room', async ({
  site,
  open,
  context,
  vitrine,
}) => {
  site.on('/tab', '<!doctype html><h1>Tab</h1>');
  await open('/tab');
  const second = await context.newPage();
  await second.goto(`${vitrine}/${site.origin}/tab`);
  await shown(second);
  // Those of other tests are gone.
  await expect.poll(() => attachedTabs(vitrine)).toBe(2);
  const third = await context.newPage();
  await third.goto(`${vitrine}/${site.origin}/tab`);
  const dialog = dialogOf(third);
  await expect(dialog).toContainText('Too many isolated tabs are open');
  await answerable(third);
  await second.close();
  await expect.poll(() => attachedTabs(vitrine)).toBe(1);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(view(third).locator('h1')).toHaveText('Tab');
});

test('[S-128] a page that shows dialogs without end is stopped by the person', async ({ page, site, open }) => {
  site.on(
    '/flood',
    `<!doctype html><output>-</output><button>go</button><script>
      document.querySelector('button').onclick = () => setTimeout(() => {
        for (let i = 0; i < 50; i++) confirm('n' + i + ' \u202e' + 'x'.repeat(200000));
        document.querySelector('output').textContent = 'over'; }, 300);</script>`,
  );
  const frame = await open('/flood');
  await frame.locator('button').click();
  const dialog = dialogOf(page);
  for (let times = 0; times < 5; times += 1) {
    await expect(dialog).toContainText(`n${times} `);
    await answerable(page);
    await page.keyboard.press('Escape');
  }
  await expect(dialog).toContainText('one dialog after the other');
  await answerable(page);
  await dialog.getByRole('button', { name: 'Show no more' }).click();
  await expect(frame.locator('output')).toHaveText('over');
});

test('a page that asks for the camera or for notifications hears no, and the person is told', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/refused',
    `<!doctype html><output>-</output><button id="media">media</button><button id="notes">notes</button><script>
      const say = (text) => { document.querySelector('output').textContent = text; };
      media.onclick = () => navigator.mediaDevices.getUserMedia({ video: true }).then(() => say('got it'), ({ name }) => say(name));
      notes.onclick = () => Notification.requestPermission().then(say);</script>`,
  );
  const frame = await open('/refused');
  const told = (words: string): Promise<void> => expect(page.locator('#vitrine-overlay')).toContainText(words);
  // Each notice is gone after a while: it is waited for at once.
  await Promise.all([
    frame.locator('#media').click(),
    told('asked for the camera or microphone'),
    // The first where the host's machine has a camera.
    expect(frame.locator('output')).toHaveText(/^(NotAllowedError|NotFoundError)$/),
  ]);
  await Promise.all([
    frame.locator('#notes').click(),
    told('asked to send notifications'),
    expect(frame.locator('output')).toHaveText('denied'),
  ]);
});
