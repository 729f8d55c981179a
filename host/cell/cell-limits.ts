import { PAGE_BUDGETS } from '../base/page-budgets.ts';
import type { PageBudgets } from '../base/page-budgets.ts';

/** Bounds of a cell; times in ms. */
export interface CellLimits {
  readonly tabsPerPerson: number;
  /** A tab whose client has fallen silent ends after this. */
  readonly idleMs: number;
  /** A tab whose client has said goodbye ends after this: back and reload find it until then. */
  readonly leaveMs: number;
  /** A session without any client sleeps after this: what is left of it are its cookies and the addresses of its tabs. */
  readonly sleepMs: number;
  /** The page of a hidden tab is frozen after this. */
  readonly freezeMs: number;
  /** Maximum age of a session; it ends then. */
  readonly lifetimeMs: number;
  /** A session without tabs ends after this. */
  readonly graceMs: number;
  /** Delay after a page has loaded before a spare page is opened. */
  readonly spareMs: number;
  /** Messages that one tab's page halves may send in a second. */
  readonly pageMessagesPerSecond: number;
  /** Work that the page of one tab may cause. */
  readonly budgets: PageBudgets;
}

export const CELL_LIMITS: CellLimits = {
  tabsPerPerson: 20,
  idleMs: 30 * 60_000,
  leaveMs: 20_000,
  sleepMs: 5 * 60_000,
  freezeMs: 5 * 60_000,
  lifetimeMs: 24 * 60 * 60_000,
  graceMs: 10_000,
  spareMs: 1000,
  pageMessagesPerSecond: 10_000,
  budgets: PAGE_BUDGETS,
};
