import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { duration, fileSize } from './amounts.ts';

/** Time over which the speed is measured, and between two measures, in ms. */
const SPAN_MS = 5000;
const STEP_MS = 1000;

/** `of`: `{received} of {total}`; `at`: `{amount}, {speed}/s`; `left`: `{amount}, {time} left`. */
type AmountWord = 'of' | 'at' | 'left';

interface AmountTextProps {
  readonly bytes: number;
  /** Undefined while nobody knows. */
  readonly total: number | undefined;
  readonly language: string;
  /** The words around amounts. */
  readonly word: (id: AmountWord, amounts: Readonly<Record<string, string>>) => string;
}

/** How much of a transfer is done, how fast it is, and how long it still takes, as far as that is known. */
export function AmountText({ bytes, total, language, word }: AmountTextProps): ReactElement {
  const speed = useSpeed(bytes);
  const received = fileSize(bytes, language);
  const amount = total === undefined ? received : word('of', { received, total: fileSize(total, language) });
  if (speed === undefined) return <>{amount}</>;
  const withSpeed = word('at', { amount, speed: fileSize(speed, language) });
  if (total === undefined || speed === 0 || bytes >= total) return <>{withSpeed}</>;
  return <>{word('left', { amount: withSpeed, time: duration((total - bytes) / speed, language) })}</>;
}

interface Measure {
  readonly at: number;
  readonly bytes: number;
}

/** Bytes per second over the last seconds, measured anew each second; undefined in the first one. */
function useSpeed(bytes: number): number | undefined {
  const [speed, setSpeed] = useState<number>();
  const now = useRef(bytes);
  useEffect(() => {
    now.current = bytes;
  }, [bytes]);
  useEffect(() => {
    const measure = (): Measure => ({ at: performance.now(), bytes: now.current });
    let measures = [measure()];
    const timer = setInterval(() => {
      const latest = measure();
      measures = [...measures.filter(({ at }) => latest.at - at <= SPAN_MS), latest];
      const [first = latest] = measures;
      // A part that is sent anew has fewer bytes than before.
      if (latest.at > first.at) setSpeed(Math.max(0, (1000 * (latest.bytes - first.bytes)) / (latest.at - first.at)));
    }, STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return speed;
}
