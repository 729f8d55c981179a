import { createHash } from 'node:crypto';
import { expect, shown, test, view } from './support/vitrine.ts';

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('base64url');

test('[S-038] a page that is asked for by POST gets a form of 4 MiB whole, and the tab goes on', async ({
  page,
  vitrine,
  site,
}) => {
  const taken: { readonly type: string | undefined; readonly digest: string }[] = [];
  site.on('/form', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.push({ type: request.headers['content-type'], digest: digest(Buffer.concat(chunks)) });
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><h1>Taken</h1><button onclick="this.textContent = 1 + 1">Add</button>');
    });
  });
  const text = '0123456789abcdef'.repeat(256 * 1024 - 1);
  // A document of the shell's origin that may post forms: a sign-in page.
  await page.route('**/healthz', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${vitrine}/healthz`);
  await page.evaluate(
    ([action = '', value = '']) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action });
      const field = Object.assign(document.createElement('textarea'), { name: 'text', value });
      form.append(field);
      document.body.append(form);
      form.submit();
    },
    [`${vitrine}/${site.origin}/form`, text],
  );
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Taken');
  expect(taken).toEqual([{ type: 'application/x-www-form-urlencoded', digest: digest(`text=${text}`) }]);
  await view(page).getByRole('button').click();
  await expect(view(page).getByRole('button')).toHaveText('2');
});
