import { expect, test } from './support/vitrine.ts';

const PAGE = `<!doctype html><title>Page</title>
<style>
  @keyframes fade { to { opacity: 0.25 } }
  #styled { color: rgb(1, 2, 3) }
  #moving.runs { animation: fade 1s paused; animation-delay: -500ms; animation-timing-function: linear }
</style>
<p id="dom">before</p><p id="styled">styled</p><p id="moving">moving</p>
<dialog id="dialog">dialog</dialog><div id="popover" popover>popover</div>
<div id="host"></div><div id="shut"></div>
<button>change</button>
<script>
  const steps = [
    () => { dom.textContent = 'after'; dom.after(Object.assign(document.createElement('ul'), { id: 'list', innerHTML: '<li>1<li>2' })); },
    () => document.styleSheets[0].insertRule('#styled { color: rgb(4, 5, 6) !important }', document.styleSheets[0].cssRules.length),
    () => moving.classList.add('runs'),
    () => dialog.showModal(),
    () => { dialog.close(); popover.showPopover(); },
    () => {
      popover.hidePopover();
      host.attachShadow({ mode: 'open' }).innerHTML = '<style>b { color: rgb(7, 8, 9) }</style><b>open</b>';
      shut.attachShadow({ mode: 'closed' }).innerHTML = '<i>closed</i>';
    },
  ];
  document.querySelector('button').onclick = () => next();
  const next = () => steps.shift()?.();
  addEventListener('keydown', next);
</script>`;

test('[M-002] the surrogate streams changes of its page: nodes, styles, animations, dialogs, popovers, shadow trees', async ({
  page,
  site,
  open,
}) => {
  site.on('/', PAGE);
  const frame = await open('/');
  const step = (): Promise<void> => page.keyboard.press('Shift'); // a modal dialog makes the button inert
  const style = (selector: string, property: string): Promise<string> =>
    frame.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  await frame.locator('button').focus();
  await expect(frame.locator('#dom')).toHaveText('before');
  await expect.poll(() => style('#styled', 'color')).toBe('rgb(1, 2, 3)');

  await frame.locator('button').click();
  await expect(frame.locator('#dom')).toHaveText('after');
  await expect(frame.locator('#list li')).toHaveText(['1', '2']);
  await step();
  await expect.poll(() => style('#styled', 'color')).toBe('rgb(4, 5, 6)');
  await step();
  await expect.poll(() => style('#moving', 'opacity')).toBe('0.625');
  await step();
  await expect(frame.locator('#dialog')).toBeVisible();
  await expect(frame.locator('#dialog:modal')).toHaveCount(1);
  await step();
  await expect(frame.locator('#dialog')).toBeHidden();
  await expect(frame.locator('#popover')).toBeVisible();
  await expect(frame.locator('#popover:popover-open')).toHaveCount(1);
  await step();
  await expect(frame.locator('#popover')).toBeHidden();
  await expect(frame.locator('#host b')).toHaveText('open');
  await expect.poll(() => style('#host b', 'color')).toBe('rgb(7, 8, 9)');
  await expect(frame.locator('#shut i')).toHaveText('closed');
});
