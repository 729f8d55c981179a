import type { LinkLimits } from './limits.ts';

/** The answer of a handler as it goes out. */
export interface EncodedAnswer {
  readonly kind: number;
  readonly json: string;
  /** Whether a repeated call gets it: false for a failure, and for an answer that says so. */
  readonly isFinal: boolean;
}

interface KeptAnswer {
  readonly answer: EncodedAnswer;
  readonly bytes: number;
  readonly until: number;
}

/** First answers by idempotency key, so that a repeated call changes nothing twice. Bounded in number, bytes and time. */
export class AnswerTable {
  readonly #limits: LinkLimits;
  readonly #running = new Map<string, Promise<EncodedAnswer>>();
  readonly #kept = new Map<string, KeptAnswer>();
  #bytes = 0;

  constructor(limits: LinkLimits) {
    this.#limits = limits;
  }

  /** The answer of `start`, or of an earlier start with the same key. `start` never rejects. */
  answer(key: string, start: () => Promise<EncodedAnswer>): Promise<EncodedAnswer> {
    const running = this.#running.get(key);
    if (running) return running;
    const kept = this.#kept.get(key);
    if (kept && kept.until > performance.now()) return Promise.resolve(kept.answer);
    const started = start().then((answer) => {
      this.#running.delete(key);
      if (answer.isFinal) this.#keep(key, answer);
      return answer;
    });
    this.#running.set(key, started);
    return started;
  }

  /** Forgets what is kept past its time. */
  sweep(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#kept) {
      if (until > now) return;
      this.#forget(key);
    }
  }

  #keep(key: string, answer: EncodedAnswer): void {
    this.#forget(key);
    const bytes = (key.length + answer.json.length) * 2;
    this.#kept.set(key, { answer, bytes, until: performance.now() + this.#limits.answerMs });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.answers && this.#bytes <= this.#limits.answerBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
