import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { PageBudgets, WorkKind } from '../../base/page-budgets.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { setTargetDefaults } from '../page/target-defaults.ts';
import { PageMeter } from './page-meter.ts';

/** A worker that is past a hard budget. */
interface PastWorker {
  readonly worker: CdpSession;
  readonly kind: WorkKind;
}

/** Meters shared and service workers against the budgets of a page, each by itself: they belong to no single one. */
export class WorkerMeters {
  readonly #budgets: PageBudgets;
  readonly #meters = new Map<CdpSession, PageMeter>();

  constructor(budgets: PageBudgets) {
    this.#budgets = budgets;
  }

  /** Meters a worker, which waits for the debugger, with the workers that it starts, and lets it run. */
  add(worker: CdpSession): void {
    const added: ((session: CdpSession) => void)[] = [];
    const meter = new PageMeter(
      {
        listen: (listener) =>
          void added.push((session) => {
            const opened = { session, kind: 'worker', targetId: session.targetInfo?.targetId ?? '' } as const;
            listener.added(opened);
            onAbort(session.closed, () => listener.removed?.(opened));
          }),
      },
      this.#budgets,
    );
    const open = (session: CdpSession): void => {
      if (session.closed.aborted) return;
      session.onAttached(({ session: child }) => open(child));
      for (const each of added) each(session);
      void setTargetDefaults(session, 'worker');
    };
    this.#meters.set(worker, meter);
    onAbort(worker.closed, () => this.#meters.delete(worker));
    open(worker);
  }

  /** Workers to end now. Call it about once a second. */
  past(): PastWorker[] {
    return [...this.#meters].flatMap(([worker, meter]) => {
      const verdict = meter.look();
      return verdict?.action === 'end' ? [{ worker, kind: verdict.kind }] : [];
    });
  }
}

/** Origin of a worker's script, which is that of its pages; undefined where the address has none. */
export function originOfWorker({ targetInfo }: CdpSession): string | undefined {
  const url = URL.parse(targetInfo?.url ?? '');
  return url === null || url.origin === 'null' ? undefined : url.origin;
}
