import { expect, test } from './support/vitrine.ts';

test('[M-003] a page is shown, typed into and answers where no websocket passes', async ({ page, site, open }) => {
  site.on('/form', '<!doctype html><input id="in" oninput="out.textContent = this.value"><output id="out"></output>');
  const refused: string[] = [];
  await page.routeWebSocket(/./, (socket) => {
    refused.push(new URL(socket.url()).pathname);
    void socket.close();
  });
  const polls: string[] = [];
  page.on('request', (request) => polls.push(new URL(request.url()).pathname));
  const frame = await open('/form');
  await frame.locator('#in').click();
  await page.keyboard.type('over the poll');
  await expect(frame.locator('#out')).toHaveText('over the poll');
  expect(refused).toContain('/r/websocket');
  expect(polls).toEqual(expect.arrayContaining(['/r/p', '/r/push']));
});
