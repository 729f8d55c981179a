import { answerable, expect, test } from './support/vitrine.ts';

test.use({ hostOptions: ['--allow-network', 'localhost'] });

for (const kind of ['alert', 'confirm'])
  test(`goes on after a dialog of a frame of another site that takes the place of the page's (${kind})`, async ({
    page,
    site,
    open,
  }) => {
    site.on(
      '/frame',
      `<!doctype html><p></p><script>
        onmessage = () => setTimeout(() => { document.querySelector('p').textContent = 'frame: ' + ${kind}('of the frame'); }, 2000); // the page asks before
      </script>`,
    );
    site.on(
      '/asks',
      `<!doctype html><button id="ask" onclick="frames[0].postMessage('', '*'); setTimeout(() => { said.textContent = 'page: ' + confirm('of the page'); })">ask</button>
      <button id="other" onclick="this.textContent = 'clicked'">other</button><output id="said"></output>
      <iframe src="http://localhost:${site.port}/frame"></iframe>`,
    );
    const frame = await open('/asks');
    await expect(frame.frameLocator('iframe').locator('p')).toBeAttached();
    await frame.locator('#ask').click();
    const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
    if (kind === 'alert') {
      await expect(dialog).toContainText('of the frame');
      await answerable(page);
      await dialog.getByRole('button').click();
    }
    // Chromium takes no answer to the frame's: it is left, as the page's was.
    await expect(frame.frameLocator('iframe').locator('p')).toHaveText(
      kind === 'alert' ? 'frame: undefined' : 'frame: false',
    );
    await expect(frame.locator('#said')).toHaveText('page: false');
    await expect(dialog).toBeHidden();
    await frame.locator('#other').click();
    await expect(frame.locator('#other')).toHaveText('clicked');
  });

test('a dialog of a frame without an address is of the site that wrote the frame', async ({ page, site, open }) => {
  const asks = "<button onclick='alert(1)'>ask</button>";
  site.on(
    '/written',
    `<!doctype html><iframe srcdoc="${asks}"></iframe><iframe sandbox="allow-scripts allow-modals" srcdoc="${asks}"></iframe>`,
  );
  const frame = await open('/written');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  for (const [index, name] of [new URL(site.origin).host, 'A page without an address'].entries()) {
    await frame.frameLocator('iframe').nth(index).getByRole('button').click();
    await expect(dialog).toContainText(name);
    await answerable(page);
    await dialog.getByRole('button').click();
    await expect(dialog).toBeHidden();
  }
});
