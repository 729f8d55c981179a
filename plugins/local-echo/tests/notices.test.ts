import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { warnOfMismatch } from '../client/alert.ts';
import { watchDelay } from '../client/bubble-watch.ts';
import { manifest } from '../manifest.ts';
import { Trust } from '../client/trust.ts';
import { PlayedField } from './played-field.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const field = new PlayedField(1, { text: '', start: 0, end: 0 });

it('[S-028] looks every 500 ms, and says at the field that the page has not got what is shown', () => {
  const { client, overlay, events } = pluginHarness(manifest);
  const echo: { field: PlayedField | undefined; waitsSince: number | undefined } = {
    field,
    waitsSince: performance.now(),
  };
  watchDelay(client, echo);
  vi.advanceTimersByTime(1999);
  expect(overlay.filled).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(overlay.filled).toHaveLength(1);
  expect(events.map(({ name }) => name)).toEqual(['tc-lecho-bubble-alert']);
  echo.waitsSince = undefined;
  vi.advanceTimersByTime(500);
  expect(overlay.filled).toEqual([]);
});

const ASKS = [
  [{ show_alert: false, need_confirmation: false }, 0],
  [{ show_alert: true, need_confirmation: false }, 1],
  [{ show_alert: false, need_confirmation: true }, 1],
] as const;
for (const [config, dialogs] of ASKS)
  it(`[M-010] tells of another text ${dialogs === 0 ? 'nobody' : 'the person'} with ${JSON.stringify(config)}`, async () => {
    const { client, overlay } = pluginHarness(manifest);
    const trust = new Trust({ tolerance: 3, toleranceMs: 1000 });
    const warned = warnOfMismatch(client, config, field, trust);
    expect(overlay.asked).toHaveLength(dialogs);
    const act = { kind: 'insert', text: 'a' } as const;
    expect(trust.allows(field, act)).toBe(!config.need_confirmation);
    for (const wanted of [false, true]) {
      if (dialogs === 0) break;
      const asking = wanted ? warnOfMismatch(client, config, field, trust) : warned;
      const [dialog] = overlay.asked;
      expect(dialog?.props).toMatchObject({
        title: 'ID_MODAL_LECHO_ALERT_TITLE',
        text: 'ID_MODAL_LECHO_ALERT_TEXT',
      });
      dialog?.answer(wanted);
      await asking;
      expect(trust.allows(field, act)).toBe(wanted);
    }
    await warned;
  });
