import { describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import * as protocol from '../protocol.ts';
import { stopClock, surrogate } from './surrogate.ts';
import { start } from './tab.ts';

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

stopClock();

describe('what the page copies', () => {
  it('[R-127] is told to the client within two seconds of a gesture of the person, once', async () => {
    const { change, state, told } = await start();
    state.content = { text: 'copied', picture: PNG };
    await change();
    await change();
    expect(told).toEqual([{ text: 'copied', picture: PNG }]);
    state.actedAt = performance.now() - 2001;
    state.content = { text: 'later' };
    await change();
    expect(told).toHaveLength(1);
    state.actedAt = performance.now() - 1900;
    await change();
    expect(told.at(-1)).toEqual({ text: 'later' });
    state.content = {};
    await change();
    expect(told).toHaveLength(2);
  });

  it('is told when it is new, or surely copied again: what is there already may be anybody’s', async () => {
    const { change, state, told, clipboard, reads } = await start();
    state.content = { text: 'copied' };
    await change(false);
    state.actedAt += 1;
    await change(false);
    expect(told).toEqual([{ text: 'copied' }]);
    await change(true);
    expect(told).toHaveLength(2);
    const other = await start({}, { clipboard, reads, done: [], held: state });
    other.state.actedAt = state.actedAt + 1;
    for (const isSure of [true, false]) await other.change(isSure);
    expect(other.told).toEqual([]);
  });

  it('is looked at for the tab alone in which the person has acted last', async () => {
    const one = await start();
    const two = await start({ disable_copy: true }, { ...one, held: one.state });
    one.state.actedAt = two.state.actedAt + 1;
    one.state.content = { text: 'copied' };
    await two.change();
    await one.change();
    await vi.waitFor(() => expect(one.told).toEqual([{ text: 'copied' }]), PATIENCE_MS); // later, as the person has acted in both
    expect([two.refusals, one.done]).toEqual([[], []]);
  });

  it('is of the tab whose page says that it was an event there, though the person has gone on to another', async () => {
    const one = await start();
    const two = await start({}, { ...one, held: one.state });
    two.state.actedAt = one.state.actedAt + 1;
    one.state.content = { text: 'cut' };
    await two.change();
    one.page.in(1).send(protocol.changed, { sure: false, here: true });
    await vi.waitFor(() => expect(one.told).toEqual([{ text: 'cut' }]), PATIENCE_MS);
    await vi.waitFor(() => expect(one.reads()).toBe(2), PATIENCE_MS); // of the second tab
    expect(two.told).toEqual([]);
    one.state.content = { text: 'next' };
    await two.change();
    await vi.waitFor(() => expect(two.told).toEqual([{ text: 'next' }]), PATIENCE_MS);
    expect(one.told).toHaveLength(1);
  });

  it('[R-062] is taken away from the other pages of the person where copying is disabled, whenever it is copied', async () => {
    const sealed = await start({ disable_copy: true });
    const { clipboard, reads, done, state } = sealed;
    sealed.state.content = { text: 'secret' };
    await sealed.change();
    expect([state.content, sealed.refusals]).toEqual([{}, [{ action: 'copy', reason: 'policy' }]]);
    sealed.state.actedAt = performance.now() - 2001;
    sealed.state.content = { text: 'late secret' };
    await sealed.change();
    expect([state.content, sealed.refusals.length]).toEqual([{}, 1]);
    const open = await start({}, { clipboard, reads, done, held: state });
    await open.change();
    await open.command('paste');
    expect([open.told, open.modals.length]).toEqual([[], 1]);
  });

  it('[R-062] is nothing where a paste has only been taken out again', async () => {
    const { paste, change, refusals } = await start({ disable_copy: true });
    const pasting = paste({ text: 'text' });
    await change();
    await pasting;
    await change();
    expect(refusals).toEqual([]);
  });

  it('[R-062] is told to nobody where copying is disabled, and pages are kept from it', async () => {
    const { change, page, frames, hostHooks, state, told, refusals, guards, settle, host } = await start({
      disable_copy: true,
    });
    state.content = { text: 'secret' };
    await change();
    page.in(1).send(protocol.held, undefined);
    await settle();
    expect(told).toEqual([]);
    expect(refusals).toEqual([
      { action: 'copy', reason: 'policy' },
      { action: 'copy', reason: 'policy' },
    ]);
    frames.load({ id: 1, url: 'https://site.test/next' });
    await settle();
    const sealed = { copy: false, paste: true };
    expect(guards).toEqual([sealed, sealed]);
    state.rules = {};
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await settle();
    expect(guards).toEqual([sealed, sealed, { copy: true, paste: true }]);
  });
});

it('[R-127] what is copied two seconds after the gesture is still the person’s, and a page that is held back says so until then', async () => {
  const { change, page, state, told, refusals, settle } = await start({ disable_copy: true });
  const hold = async (): Promise<void> => {
    page.in(1).send(protocol.held, undefined);
    await settle();
  };
  state.actedAt = performance.now() - 2000;
  await hold();
  expect(refusals).toEqual([{ action: 'copy', reason: 'policy' }]);
  state.actedAt -= 1;
  await hold();
  expect(refusals).toHaveLength(1);
  state.rules = {};
  state.actedAt = performance.now() - 2000;
  state.content = { text: 'copied' };
  await change();
  expect(told).toEqual([{ text: 'copied' }]);
});

it('what is copied is told with each of its kinds, and is another thing with another picture', async () => {
  const { change, state, told } = await start();
  state.content = { html: '<b>bold</b>' };
  await change();
  state.content = { text: 'bold', html: '<b>bold</b>' };
  await change();
  state.content = { picture: PNG };
  await change();
  const other = Buffer.concat([PNG, Buffer.of(0)]);
  state.content = { picture: other };
  await change();
  expect(told).toEqual([
    { html: '<b>bold</b>' },
    { text: 'bold', html: '<b>bold</b>' },
    { picture: PNG },
    { picture: other },
  ]);
});

it('of reports that come while the clipboard is in use each counts for what it says', async () => {
  const { change, clipboard, state, told } = await start();
  state.content = { text: 'copied' };
  await change();
  state.actedAt += 1;
  const free = Promise.withResolvers<void>();
  void clipboard.use(() => free.promise);
  for (const isSure of [false, true, false]) await change(isSure);
  free.resolve();
  await vi.waitFor(() => expect(told).toEqual([{ text: 'copied' }, { text: 'copied' }]), PATIENCE_MS);

  const late = Promise.withResolvers<void>();
  void clipboard.use(() => late.promise);
  const [before, now] = [performance.now() - 3000, performance.now()];
  for (const actedAt of [before, now, before]) {
    state.actedAt = actedAt;
    await change();
  }
  state.content = { text: 'next' };
  late.resolve();
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ text: 'next' }), PATIENCE_MS);
});

it('[R-062] what a page has copied that may not is refused, though another page has taken its place since', async () => {
  const { change, clipboard, state, told, refusals, settle } = await start({ disable_copy: true });
  const free = Promise.withResolvers<void>();
  void clipboard.use(() => free.promise);
  state.content = { text: 'secret' };
  await change();
  state.rules = {};
  free.resolve();
  await settle();
  expect([told, refusals, state.content]).toEqual([[], [{ action: 'copy', reason: 'policy' }], {}]);
});

it('a clipboard that cannot be read once is read again with the next copy', async () => {
  const one = surrogate();
  let isBroken = true;
  const use: typeof one.clipboard.use = (run) =>
    isBroken ? Promise.reject(new Error('gone')) : one.clipboard.use(run);
  const { change, state, told, log } = await start({}, { ...one, clipboard: { ...one.clipboard, use } });
  state.content = { text: 'copied' };
  await change();
  expect([told, log]).toEqual([[], [expect.objectContaining({ level: 'warn' })]]);
  isBroken = false;
  await change();
  expect(told).toEqual([{ text: 'copied' }]);
});

it('a tab that has ended keeps no other tab from what its page copies', async () => {
  const one = await start();
  const two = await start({}, { ...one, held: one.state });
  two.state.actedAt = one.state.actedAt + 1;
  one.state.content = { text: 'copied' };
  await one.change();
  expect(one.told).toEqual([]);
  two.disposeHost();
  await one.change();
  expect(one.told).toEqual([{ text: 'copied' }]);
});
