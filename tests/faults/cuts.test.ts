import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Lane } from '../../core/protocol/lanes.ts';
import { LANES } from '../../core/protocol/lanes.ts';
import { ChannelStage } from './channel-stage.ts';
import { Random } from '../../core/testing/random.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const SEEDS = process.env['VITRINE_LONG'] ? 500 : 20;
/** Per seed. */
const CUTS = 3;
const MESSAGES = 120;
const MAX_MESSAGES = 1500;
const MAX_OUTSTANDING = 150;

const lanes = Object.keys(LANES) as [Lane, ...Lane[]]; // the literal's own keys
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });

let stage: ChannelStage;
beforeAll(async () => {
  stage = await ChannelStage.start();
});
afterAll(() => stage.close());

/** Sizes that fit in a frame, fill one, and are split. */
const sizeOf = (random: Random): number => random.below(random.below(20) === 0 ? 300_000 : 3000);

describe.each(['websocket', 'xhr'] as const)(
  'a channel over %s that is cut at random bytes, in both directions',
  (only) => {
    it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
      '[M-003][M-073][M-077][R-019] delivers every message once, in its lane’s order (seed %i)',
      async (seed) => {
        const random = new Random(seed);
        const cid = `${only}-${seed}`;
        const tab = stage.tab(cid);
        const client = stage.client({
          cid,
          only,
          config: { wsMaxRetries: only === 'xhr' ? 0 : 1000, pollMaxRetries: 1000 },
        });
        const sent: Record<Lane, number[]> = { control: [], view: [], input: [], feature: [], bulk: [] };
        let cuts = 0;
        const cut = (): void => {
          const direction = random.of(['up', 'down', 'down']);
          void stage.shaper.cutAfter(direction, 1 + random.below(direction === 'up' ? 3000 : 80_000)).then(() => {
            if ((cuts += 1) < CUTS) cut();
          });
        };
        cut();
        let count = 0;
        while (count < MESSAGES || (cuts < CUTS && count < MAX_MESSAGES)) {
          const n = (count += 1);
          const lane = random.of(lanes);
          sent[lane].push(n);
          tab.channel.send(lane, ['down', [n, random.text(sizeOf(random))]]);
          client.channel.send('input', ['up', [n, random.text(random.below(200))]]);
          // Unacknowledged messages have their own bound, which is not tested here. Those that only lead to the last cut pass one by one.
          const most = n < MESSAGES ? MAX_OUTSTANDING : 0;
          const isAhead = (): boolean => n - Math.min(client.packets.length, tab.packets.length) > most;
          if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
          if (isAhead()) await vi.waitUntil(() => !isAhead(), { timeout: PATIENCE_MS, interval: 5 });
        }
        await until(() => {
          expect(client.packets).toHaveLength(count);
          expect(tab.packets).toHaveLength(count);
        });
        for (const lane of lanes) {
          const arrived = client.packets
            .filter(([each]) => each === lane)
            .map(([, [, params]]) => (params as [number])[0]);
          expect(arrived, lane).toEqual(sent[lane]);
        }
        expect(tab.packets.map(([, params]) => (params as [number])[0])).toEqual(
          Array.from({ length: count }, (_, index) => index + 1),
        );
        expect(cuts).toBe(CUTS);
        expect(tab.attached.filter((fresh) => fresh)).toEqual([]);
        expect([...client.faults, ...tab.faults]).toEqual([]);
        client.channel.close();
        tab.channel.close('over');
      },
    );
  },
);
