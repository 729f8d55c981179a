import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { hasShape } from '../../host/surrogate/cdp-shapes.ts';
import { CdpAttacker, cdpAttacks, frameAttacks } from './renderer/cdp-attack.ts';
import { EVENTS, heardEvents } from './renderer/cdp-events.ts';
import { attack, attackTimeout } from './renderer/runs.ts';
import { until, useHostileStage } from './renderer/stage.ts';
import { worldsOf } from './renderer/worlds.ts';

const AMOUNT = { cases: 3, minutes: 15 };
const FRAME_AMOUNT = { cases: 3, minutes: 5 };
/** Time for the page to answer what the person types, in ms. */
const ECHO_MS = PATIENCE_MS;
const BANK = `<!doctype html><title>bank</title><h1>balance 17</h1><input aria-label="amount" oninput="document.querySelector('output').textContent = 'pays ' + this.value"><output></output><iframe srcdoc="<p>near"></iframe><iframe sandbox="allow-scripts" src="/ad"></iframe>`;
/** Level of errors in the host's log. */
const PINO_ERROR = 50;
const ATTACKED = `<!doctype html><title>attacked</title><style>p{color:red}</style><p>hello<iframe srcdoc="<p>inner"></iframe><input><img src="/none.png">`;

const stage = useHostileStage();

it('knows all events that the host listens for', () => {
  expect(heardEvents().filter((name) => !(name in EVENTS))).toEqual([]);
});

it('takes them as Chromium sends them, and not with other types', () => {
  const ids = { sessionId: 'S', targetId: 'T', frames: ['F'], loaderId: 'L', world: 1 };
  const bare = ['DOM.topLayerElementsUpdated', 'Inspector.targetCrashed', 'Runtime.executionContextsCleared'];
  const unread = [...bare, 'Page.domContentEventFired', 'Page.loadEventFired', 'Page.javascriptDialogClosed'];
  for (const [name, honest] of Object.entries(EVENTS)) {
    expect(hasShape(name, honest(ids)), name).toBe(true);
    const emptied = Object.fromEntries(Object.keys(honest(ids)).map((key) => [key, null]));
    expect(hasShape(name, emptied), `${name} of null`).toBe(unread.includes(name));
  }
});

it(
  'whatever a renderer sends over CDP: its cell lives, others do not notice, and the person has other pages',
  attackTimeout(AMOUNT),
  async () => {
    const { site } = stage();
    let opened = 0;
    await attack(import.meta.filename, cdpAttacks, AMOUNT, async (drawn) => {
      const at = `/attacked${++opened}`;
      site.on(at, ATTACKED);
      const before = stage().cells();
      const page = await stage().open(at);
      const { browser, session } = await stage().tapped(at);
      try {
        await new CdpAttacker(browser, session).play(drawn);
        await stage().expectNoEffect();
      } finally {
        browser.tamper = undefined;
      }
      const next = await stage().open('/quiet');
      await next.close();
      await page.close();
      expect(stage().cells()).toEqual(expect.arrayContaining(before));
    });
    // A message of another shape is refused by name; no code of ours stumbles over it. A command whose answer is forged may fail with a reason.
    const stumbles = await stage().logged(/TypeError|unhandled promise rejection/);
    expect(stumbles.filter((line) => (JSON.parse(line) as { level: number }).level >= PINO_ERROR)).toEqual([]);
    await expect.poll(async () => (await stage().logged(/cdp-malformed/)).length).toBeGreaterThan(0);
  },
);

it(
  'whatever the process of an embedded frame says of others: the page around it stays what it is, and has the person’s input',
  attackTimeout(FRAME_AMOUNT),
  async () => {
    const { site } = stage();
    let opened = 0;
    site.on('/ad', '<!doctype html><p>buy');
    await attack(import.meta.filename, frameAttacks, FRAME_AMOUNT, async (drawn) => {
      const at = `/bank${++opened}`;
      site.on(at, BANK);
      const page = await stage().open(at);
      const view = page.frameLocator('iframe[data-vitrine-frame="main"]');
      const { browser, session } = await stage().tapped(at);
      const ad = await until('the session of the embedded frame', () =>
        [...browser.targets.values()].find(({ parent, type }) => parent === session && type === 'iframe'),
      );
      await until('its world', () => worldsOf(browser, ad.sessionId)[0]);
      const address = page.url();
      const attacker = new CdpAttacker(browser, session, ad.sessionId);
      attacker.claimMain();
      attacker.claimTargets();
      await attacker.play(drawn);
      await view.getByLabel('amount').click({ timeout: ECHO_MS });
      await page.keyboard.type('23');
      await view.locator('output').filter({ hasText: 'pays 23' }).waitFor({ timeout: ECHO_MS });
      await view.locator('h1').filter({ hasText: 'balance 17' }).waitFor({ timeout: ECHO_MS });
      expect(page.url()).toBe(address);
      expect(stage().context.pages()).toContain(page);
      await page.close();
    });
    for (const code of [/foreign-frame/, /cdp-forged/])
      await expect.poll(async () => (await stage().logged(code)).length).toBeGreaterThan(0);
  },
);
