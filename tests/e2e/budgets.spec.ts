import { get } from 'node:http';
import { expect, test } from './support/vitrine.ts';

/** Each hostile page is past its own budget at ten runs a second, also on a busy machine, and never past the other's. */
test.use({ hostOptions: ['--page-budget', 'messages=1000000/2000000', '--page-budget', 'sanitizing=4/8'] });

/** Pages that cost too much, with the words that their persons are told. */
const HOSTILE = [
  {
    kind: 'messages',
    says: ' produced more data than can be handled',
    script: `const text = 'x'.repeat(200_000); setInterval(() => console.log(text + Math.random()), 20);`,
  },
  {
    kind: 'sanitizing',
    says: ' changed its content faster than it can be shown',
    script: `const style = document.head.appendChild(document.createElement('style'));
      setInterval(() => {
        style.textContent = Array.from({ length: 3000 }, (_, at) => '.a' + at + ':hover>b{color:rgb(1,2,' + Math.random() + ')}').join('');
      }, 250);`,
  },
] as const;

function metrics(vitrine: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${vitrine}/metrics`, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

for (const { kind, says, script } of HOSTILE) {
  test(`[H7] a page past its budget of ${kind} is ended with the reason, and the person's other tab goes on`, async ({
    context,
    page,
    site,
    vitrine,
  }) => {
    let isHostile = true;
    site.on('/quiet', '<!doctype html><title>quiet</title><input>');
    site.on('/hostile', (_request, response) => {
      const body = isHostile ? `<script>${script}</script>` : '<h1>Better now</h1>';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><head></head><p>hello${body}`);
    });
    const other = await context.newPage();
    await other.goto(`${vitrine}/${site.origin}/quiet`);
    const input = other.frameLocator('iframe[data-vitrine-frame="main"]').locator('input');
    await expect(input).toBeVisible();

    await page.goto(`${vitrine}/${site.origin}/hostile`);
    const failure = page.getByRole('alert');
    await expect(failure).toContainText('This page was stopped');
    await expect(failure).toContainText(says);
    await expect(failure).toContainText(`${site.origin}/hostile`);
    const counted = new RegExp(`vitrine_faults_total\\{from="page",code="budget-${kind}"\\} 1\n`);
    await expect.poll(() => metrics(vitrine)).toMatch(counted);

    await other.bringToFront();
    await input.click();
    await other.keyboard.type('still here');
    await expect(input).toHaveValue('still here');
    isHostile = false;
    await page.bringToFront();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(page.frameLocator('iframe[data-vitrine-frame="main"]').locator('h1')).toHaveText('Better now');
    await expect(failure).toBeHidden();
  });
}
