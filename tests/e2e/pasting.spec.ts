import { expect, test } from './support/vitrine.ts';

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test('pastes what was copied just now where the browser gives no text, as its clipboard is being written', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/racing',
    `<!doctype html><textarea>text</textarea><script>
    document.querySelector('textarea').oncopy = (event) => {
      event.preventDefault();
      event.clipboardData.setData('text/plain', 'the page’s own');
    };
    </script>`,
  );
  const frame = await open('/racing');
  await frame.locator('textarea').click();
  await page.keyboard.press('Control+a');
  // Chromium gives a paste that is made before a write of another frame, and read after it, no text.
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const write = clipboard.write.bind(clipboard);
    clipboard.write = async (items) => {
      await write(items);
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '');
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
      view?.contentDocument?.activeElement?.dispatchEvent(event);
    };
  });
  await page.keyboard.press('Control+c');
  await expect(frame.locator('textarea')).toHaveValue('the page’s own');
});
