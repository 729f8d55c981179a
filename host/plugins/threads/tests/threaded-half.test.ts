import { afterEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { serviceMethod } from '../../../contracts/service-scope.ts';
import { untilHeld as until } from '../../../../core/testing/until-held.ts';
import { TURN_MS } from '../input-slots.ts';
import { UNITS_PER_SECOND } from '../wire.ts';
import { look, seen, start, turn } from './started-half.ts';
import type { Started } from './started-half.ts';

/** Time passes as the test says, for timers of the host alone: those of threads go on. */
const holdTimers = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], fakeNodeBuiltins: true });
afterEach(() => void vi.useRealTimers());

const ends = (started: Started): Promise<void> => expect.poll(() => started.ended.length).toBe(1);

describe('a host half in a thread', () => {
  it('has the scope that it would have beside the host', async () => {
    const {
      harness,
      ask: asked,
      told,
      faults,
    } = await start(
      `
      import { createHash } from 'node:crypto';
      export const activate = ({ commands, page, frames, hooks, tab, cdp, plugin, onDispose }) => {
        page.handle(seen, ({ count }, frame) => commands.send(tell, { text: \`seen \${count} in \${frame.url}\` }));
        hooks.tap(tab.hooks.navigated, ({ url }) => commands.send(tell, { text: \`at \${url}\` }));
        frames.onReady((frame) => commands.send(tell, { text: \`ready \${frame.id}\` }));
        commands.handle(ask, async ({ text }) => {
          if (text === 'facts') return { text: [plugin.id, tab.person, tab.url(), frames.get(1).origin, tab.resource('i', 'x', 1)].join(' ') };
          if (text === 'look') return { text: String((await page.call(1, look, { text })).count) };
          if (text === 'cdp') return { text: JSON.stringify(await cdp.send(0, 'Page.reload', {})) };
          if (text === 'policy') return { text: [tab.policy(), tab.policy('https://b.test/'), tab.policy(['https://a.test/', 'https://b.test/'])].map(({ pictures }) => pictures.format).join(' ') };
          if (text === 'hash') return { text: createHash('sha256').update('x').digest('hex').slice(0, 8) };
          throw Object.assign(new Error('who knows'));
        });
      };`,
      { cdp: ['Page.reload'] },
    );
    harness.cdp.answer('Page.reload', () => ({ done: true }));
    harness.page.in(1).handle(look, ({ text: given }) => ({ count: given.length }));
    expect(await asked({ text: 'facts' })).toBe('probe person https://site.test/ https://site.test /c/i/1');
    expect(await asked({ text: 'look' })).toBe('4');
    expect(await asked({ text: 'cdp' })).toBe('{"done":true}');
    expect(await asked({ text: 'policy' })).toBe('webp webp webp');
    expect(await asked({ text: 'hash' })).toBe('2d711642');
    await expect(asked({ text: 'nothing' })).rejects.toMatchObject({ code: 'internal', message: 'who knows' });
    harness.page.in(1).send(seen, { count: 3 });
    harness.hostHooks.navigated.call({ frame: 1, url: 'https://site.test/2', sameDocument: true });
    await expect
      .poll(() => told.toSorted())
      .toEqual(['at https://site.test/2', 'ready 1', 'seen 3 in https://site.test/']);
    expect(faults).toEqual([]);
  });

  it('calls the service half of its plugin, with bodies both ways, and aborts', async () => {
    const { harness, ask: asked } = await start(`
      import { serviceMethod } from 'vitrine/host';
      import * as v from 'vitrine/protocol/schema';
      const echo = serviceMethod('echo', { params: v.object({ times: v.number() }), result: v.object({ sent: v.number() }) });
      const hang = serviceMethod('hang', { params: v.object({}), result: v.string() });
      async function* source(chunks, bytes) {
        for (let at = 0; at < chunks; at += 1) yield new Uint8Array(bytes).fill(at);
      }
      export const activate = ({ commands, service }) => {
        const left = new AbortController();
        commands.handle(ask, async ({ text }) => {
          if (text === 'leave') left.abort();
          if (text === 'leave') return { text };
          if (text === 'bodies') {
            const { value, body } = await service.call(echo, { times: 2 }, { body: source(3, 300_000) });
            let [bytes, last] = [0, 0];
            for await (const chunk of body) { bytes += chunk.length; last = chunk.at(-1); }
            return { text: [value.sent, bytes, last].join(' ') };
          }
          if (text === 'left') {
            const { body } = await service.call(echo, { times: 1000 }, { body: new Uint8Array(100_000) });
            for await (const chunk of body) return { text: String(chunk.length > 0 && chunk.length <= 100_000) };
          }
          if (text === 'wrong') return { text: String((await service.call(echo, { times: 'x' })).value.sent) };
          return { text: (await service.call(hang, {}, { signal: left.signal })).value };
        });
      };`);
    const aborted: string[] = [];
    let hanging = 0;
    const echo = serviceMethod('echo', {
      params: v.object({ times: v.number() }),
      result: v.object({ sent: v.number() }),
    });
    const hang = serviceMethod('hang', { params: v.object({}), result: v.string() });
    harness.service.handle(echo, async ({ params: { times }, body, signal }) => {
      signal.addEventListener('abort', () => aborted.push('echo'));
      const chunks: Uint8Array[] = [];
      for await (const chunk of body ?? []) chunks.push(chunk);
      const all = Buffer.concat(chunks);
      const answer = async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < times; at += 1) yield all;
      };
      return { value: { sent: all.length }, body: answer() };
    });
    harness.service.handle(hang, ({ signal }) => {
      hanging += 1;
      const ended = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
      signal.addEventListener('abort', () => aborted.push('hang'));
      return ended;
    });
    expect(await asked({ text: 'bodies' })).toBe('900000 1800000 2');
    expect(await asked({ text: 'left' })).toBe('true');
    await expect.poll(() => aborted).toEqual(['echo']);
    await expect(asked({ text: 'wrong' })).rejects.toMatchObject({ code: 'bad-message' });
    const refused = expect(asked({ text: 'hang' })).rejects.toMatchObject({ code: 'link-aborted' });
    await expect.poll(() => hanging).toBe(1);
    await asked({ text: 'leave' });
    await refused;
    await expect.poll(() => aborted).toEqual(['echo', 'hang']);
  });

  it('checks itself what comes from client and page, which the host does not look into', async () => {
    const started = await start(`
      export const activate = ({ commands, page }) => {
        commands.handle(ask, ({ text }) => ({ text: text.toUpperCase() }));
        page.handle(seen, ({ count }) => commands.send(tell, { text: count.toFixed(0) }));
      };`);
    await expect(started.ask({ text: 7 })).rejects.toMatchObject({ code: 'bad-message' });
    started.harness.page.in(1).send(seen, { count: 'many' });
    await expect.poll(() => started.harness.faults.map(({ code }) => code)).toContain('bad-message');
    expect(await started.ask({ text: 'still here' })).toBe('STILL HERE');
  });

  it('undoes what it has registered, and what it has begun, when it is disposed', async () => {
    const {
      harness,
      ask: asked,
      told,
      ended,
    } = await start(`
      export const activate = ({ commands, hooks, tab, onDispose, signal }) => {
        commands.handle(ask, () => ({ text: 'yes' }));
        const undo = hooks.tap(tab.hooks.lagging, () => commands.send(tell, { text: 'lagging' }));
        hooks.tap(tab.hooks.clientAttached, () => undo());
      };`);
    harness.hostHooks.lagging.call({ lagging: true });
    await expect.poll(() => told).toEqual(['lagging']);
    harness.hostHooks.clientAttached.call({ fresh: false });
    expect(await asked({ text: '' })).toBe('yes');
    harness.hostHooks.lagging.call({ lagging: true });
    expect(await asked({ text: '' })).toBe('yes');
    expect(told).toEqual(['lagging']);
    harness.disposeHost();
    await expect(asked({ text: '' })).rejects.toMatchObject({ code: 'unknown-message' });
    expect(ended).toEqual([]);
  });
});

describe('a host half that', () => {
  it.each<[string, string, string]>([
    ['throws later', 'setTimeout(() => { throw new Error("later"); }, 1);', 'plugin-crashed'],
    ['rejects later', 'void Promise.reject(new Error("later"));', 'plugin-crashed'],
    ['floods with messages', 'while (true) commands.send(tell, { text: "x" });', 'plugin-flood'],
    [
      'floods with lines',
      'const on = () => { console.log("x".repeat(1e5)); setImmediate(on); }; for (let i = 0; i < 999; i++) on();',
      'plugin-flood',
    ],
    [
      'floods with long messages',
      'const long = "x".repeat(4e6); setInterval(() => { for (let i = 0; i < 50; i++) commands.send(tell, { text: long }); }, 1);',
      'plugin-flood',
    ],
    [
      'keeps everything',
      'const kept = []; while (true) kept.push(new Array(1e5).fill(kept.length));',
      'plugin-(memory|hung)',
    ],
    [
      'fills buffers',
      'const kept = []; setInterval(() => kept.push(new Uint8Array(8 << 20).fill(1)), 50);',
      'plugin-memory',
    ],
    [
      'fills buffers and stands still',
      'const kept = []; while (kept.length < 20) kept.push(Buffer.alloc(8 << 20, 1)); while (true);',
      'plugin-memory',
    ],
    ['sends one thing that is too much', 'commands.send(tell, { text: "x".repeat(20e6) });', 'message-too-large'],
  ])('%s is ended, and its calls are answered', async (_what, does, code) => {
    const bystander = await start(
      `export const activate = ({ commands }) => commands.handle(ask, () => ({ text: 'here' }));`,
    );
    const started = await start(`
      export const activate = ({ commands }) => {
        commands.handle(ask, ({ text }) => { ${does} return new Promise(() => undefined); });
      };`);
    const before = performance.now();
    const answer = started.ask({ text: 'go' });
    const isCode: unknown = expect.stringMatching(`^${code}$`);
    await expect(answer).rejects.toMatchObject({ code: isCode });
    await ends(started);
    expect(started.ended[0]?.code).toEqual(isCode);
    // A busy machine gives the half more than one second.
    const seconds = Math.ceil((performance.now() - before) / 1000);
    expect(started.told.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(UNITS_PER_SECOND * seconds);
    expect(await bystander.ask({ text: '' })).toBe('here');
    expect(bystander.ended).toEqual([]);
  });

  it('hangs is ended, whatever it hangs in', async () => {
    const bystander = await start(
      `export const activate = ({ commands }) => commands.handle(ask, () => ({ text: 'here' }));`,
    );
    const hanging = [
      'while (true);',
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
      '/^(a+)+$/.test("a".repeat(60) + "b");',
    ];
    await Promise.all([
      expect(start('export const activate = () => { while (true); };')).rejects.toMatchObject({ code: 'plugin-hung' }),
      ...hanging.map(async (does) => {
        const started = await start(
          `export const activate = ({ commands }) => commands.handle(ask, () => { ${does} });`,
        );
        await expect(started.ask({ text: 'go' })).rejects.toMatchObject({ code: 'plugin-hung' });
        expect(started.ended.map(({ code }) => code)).toEqual(['plugin-hung']);
      }),
    ]);
    expect(await bystander.ask({ text: '' })).toBe('here');
    expect(bystander.ended).toEqual([]);
  });

  it('takes part in the person’s input, in its turn and within its manifest', async () => {
    const {
      harness,
      ask: asked,
      faults,
    } = await start(
      `
      export const activate = ({ commands, input, cdp }) => {
        let kept;
        commands.handle(ask, async ({ text }) => {
          const place = await input.place({ frame: 2, x: 3, y: 4 });
          const { session, x, y } = place;
          const send = (turn, method = 'Input.dispatchMouseEvent') =>
            void turn.send(method, { type: 'mouseWheel', x, y, deltaX: 0, deltaY: 5 }, { session });
          if (text === 'turn') {
            const ran = await Promise.all([
              input.enqueue((turn) => { kept = turn; send(turn); turn.leave(7); }, { isPress: true }),
              input.enqueue((turn) => send(turn)),
            ]);
            return { text: JSON.stringify([ran, input.gesture.isActive(), performance.now() - input.gesture.actedAt < 90_000]) };
          }
          if (text === 'late') await kept.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
          if (text === 'other') await input.enqueue((turn) => turn.send('Input.insertText', { text: 'x' }));
          if (text === 'cdp') await cdp.send(0, 'Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
          return { text: '' };
        });
      };`,
      { cdp: ['Input.dispatchMouseEvent'] },
    );
    holdTimers(); // a turn lasts as long as it takes
    expect(await asked({ text: 'turn' })).toBe('[[true,true],true,true]');
    const turned = { type: 'mouseWheel', x: 3, y: 4, deltaX: 0, deltaY: 5 };
    expect(harness.cdp.sent.map(({ frame, params }) => [frame, params])).toEqual([
      [2, turned],
      [7, { type: 'mouseMoved', button: 'none', buttons: 0, x: -1, y: -1 }],
      [2, turned],
    ]);
    for (const text of ['late', 'cdp']) await expect(asked({ text })).rejects.toMatchObject({ name: 'AppError' });
    await asked({ text: 'other' });
    expect(harness.faults.map(({ code }) => code)).toEqual(['turn-over', 'cdp-not-permitted', 'cdp-not-permitted']);
    expect(faults).toEqual([]);
    expect(harness.cdp.sent).toHaveLength(3);
  });

  it('enqueues what a message on the lane of input says takes that message’s place in the order', async () => {
    const { harness } = await start(
      `const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
      export const activate = ({ commands, input }) => {
        commands.handle(turn, async ({ text }) => {
          await pause();
          if (text !== 'nothing') await input.enqueue((turn) => void turn.send('Input.insertText', { text }));
        });
      };`,
      { cdp: ['Input.insertText'] },
    );
    holdTimers(); // a turn lasts as long as it takes
    const { commands } = harness.client;
    const type = (text: string): void =>
      void harness.host.input.enqueue((ours) => void ours.send('Input.insertText', { text }));
    for (const name of ['first', 'nothing', 'second']) {
      commands.send(turn, { text: name });
      await harness.flush();
      type(`after ${name}`);
    }
    const texts = (): unknown[] => harness.cdp.sent.map(({ params }) => (params as { text: unknown }).text);
    await until(() => texts().length === 5);
    expect(texts()).toEqual(['first', 'after first', 'after nothing', 'second', 'after second']);
  });

  it('does not end its turn holds the person’s input up for 1 s at most', async () => {
    const started = await start(`
      export const activate = ({ commands, input }) => commands.handle(ask, async () => {
        await input.enqueue(() => {
          commands.send(tell, { text: 'its turn' });
          return new Promise(() => undefined);
        });
        return { text: 'over' };
      });`);
    holdTimers();
    const { harness, told } = started;
    const over = started.ask({ text: '' });
    await until(() => told.length > 0);
    const next = vi.fn();
    void harness.host.input.enqueue(next);
    await vi.advanceTimersByTimeAsync(TURN_MS - 1);
    await harness.flush();
    expect(next).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await over).toBe('over');
    expect(next).toHaveBeenCalledOnce();
    expect(TURN_MS).toBe(1000);
  });

  it('uses what its manifest does not name is refused', async () => {
    for (const [imports, module] of [
      ['import { readFileSync } from "node:fs";', 'fs'],
      ['import "fs";', 'fs'],
      ['import { Worker } from "node:worker_threads";', 'worker_threads'],
    ] as const)
      await expect(start(`${imports} export const activate = () => undefined;`)).rejects.toThrow(
        `does not permit node:${module}`,
      );
    const started = await start(`
      export const activate = ({ commands, cdp }) => {
        commands.handle(ask, async ({ text }) => {
          if (text === 'cdp') await cdp.send(0, 'Runtime.evaluate', { expression: '1' });
          if (text === 'late') await import('node:child_process');
          return { text: [typeof fetch, typeof WebSocket, JSON.stringify(process.env), typeof process.exit, typeof process.binding].join(' ') };
        });
      };`);
    await expect(started.ask({ text: 'cdp' })).rejects.toMatchObject({ code: 'cdp-not-permitted' });
    await expect(started.ask({ text: 'late' })).rejects.toMatchObject({ code: 'not-permitted' });
    expect(await started.ask({ text: '' })).toBe('undefined undefined {} undefined undefined');
  });

  it('names modules of Node in its manifest gets these', async () => {
    const started = await start(
      `import { readFileSync } from 'node:fs';
      export const activate = ({ commands }) => {
        commands.handle(ask, () => ({ text: typeof readFileSync + typeof fetch }));
      };`,
      { node: ['fs', 'fetch'] },
    );
    expect(await started.ask({ text: '' })).toBe('functionfunction');
  });
});
