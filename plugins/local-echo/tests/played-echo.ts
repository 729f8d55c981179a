import type { TextState } from '../../../core/index.ts';
import type { Act } from '../client/acts.ts';
import { LocalEcho } from '../client/local-echo.ts';
import { Trust } from '../client/trust.ts';
import { PlayedField } from './played-field.ts';

export const at = (text: string, start = text.length, end = start): TextState => ({ text, start, end });
export const type = (text: string): Act => ({ kind: 'insert', text });
export const OTHER: Act = { kind: 'other' };

/** The echo over a field of a page that the test plays. */
export function start({ text = '', maxTypeahead = 200, tolerance = 3, isRich = false } = {}) {
  let field: PlayedField | undefined = new PlayedField(4, at(text), { kind: isRich ? 'rich' : 'control' });
  const asked: number[] = [];
  const exact = new Set<number>();
  const wrong: Act[] = [];
  const settled: unknown[] = [];
  let now = 0;
  const trust = new Trust({ tolerance, toleranceMs: 10_000, now: () => now });
  const echo = new LocalEcho({
    focused: () => field,
    trust,
    maxTypeahead,
    ask: (seq, _field, isExact) => {
      asked.push(seq);
      if (isExact) exact.add(seq);
    },
    wrong: (_, act) => wrong.push(act),
    settled: (of) => settled.push(of),
    now: () => now,
  });
  const first = field;
  return {
    ...{ echo, trust, asked, exact, wrong, settled, field: first },
    focus: (next: PlayedField | undefined) => (field = next),
    pass: (ms: number) => (now += ms),
    /** The page draws, and has handled the acts up to one. */
    answer: (page: TextState, seq?: number) => {
      first.draw(page);
      echo.drawn();
      if (seq !== undefined) echo.handled(seq);
    },
  };
}
