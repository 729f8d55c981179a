import { expect, it } from 'vitest';
import { launch } from '../../surrogate/tests/fixture.ts';
import { Targets } from '../session/targets.ts';

it('closes a page of which a nested frame shows a dialog, and the browser goes on', async () => {
  const { surrogate, close } = await launch();
  const targets = new Targets(surrogate.connection, { popup: () => undefined, worker: () => undefined });
  const page = await targets.open();
  await page.send('Page.enable');
  await page.send('Runtime.runIfWaitingForDebugger');
  const asked = new Promise((resolve) => page.on('Page.javascriptDialogOpening', resolve));
  const html = `<iframe srcdoc="<iframe srcdoc='<script>alert(1)</script>'></iframe>"></iframe>`;
  await page.send('Page.navigate', { url: `data:text/html,${encodeURIComponent(html)}` });
  await asked;
  targets.close(page);
  await expect.poll(() => page.closed.aborted).toBe(true);
  await expect(surrogate.connection.root.send('Browser.getVersion')).resolves.toBeDefined();
  await close();
});
