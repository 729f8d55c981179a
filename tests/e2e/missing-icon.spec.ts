import { expect, test } from './support/vitrine.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

test('a missing or invalid icon logs nothing in the person’s console; a valid one is shown', async ({
  page,
  open,
  site,
}) => {
  const errors: string[] = [];
  page.on(
    'console',
    (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`),
  );
  site.on('/icon.svg', (_request, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(SVG));
  site.on('/icon.html', '<!doctype html>');
  site.on('/', '<!doctype html><title>Missing</title><a href="/wrong">on</a>');
  site.on('/wrong', '<!doctype html><title>Wrong</title><link rel=icon href="/icon.html"><a href="/right">on</a>');
  site.on('/right', '<!doctype html><title>Right</title><link rel=icon href="/icon.svg">');
  const mirrored = await open('/');
  const icon = page.locator('link[rel=icon]');
  for (const [title, address, next] of [
    ['Missing', '/favicon.ico', '/wrong'],
    ['Wrong', '/icon.html', '/right'],
  ] as const) {
    await expect(page).toHaveTitle(title);
    await expect.poll(() => site.requests).toContain(`GET ${address}`);
    await expect(icon).toHaveAttribute('href', 'data:,');
    await mirrored.locator(`a[href$="${next}"]`).click(); // the page before is shown for a moment
  }
  await expect(icon).toHaveAttribute('href', /^\/c\/i\//);
  expect(errors).toEqual([]);
});
