import { AppError } from '../../core/protocol/errors.ts';

/** Kinds of work that a page causes in its cell and in the network. */
export const WORK_KINDS = ['sanitizing', 'messages', 'fonts', 'pictures', 'names', 'requests'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Past `soft` a page is slowed; past `hard`, for several seconds, it is ended. */
interface Budget {
  readonly soft: number;
  readonly hard: number;
}
export type PageBudgets = Readonly<Record<WorkKind, Budget>>;

const MIB = 1024 * 1024;

/** Budgets of one tab's page, for each second. */
export const PAGE_BUDGETS: PageBudgets = {
  /** Processor time of the cell for making content safe, in ms: a cell has one thread. */
  sanitizing: { soft: 800, hard: 850 },
  /** Bytes that its processes send to the host. */
  messages: { soft: 16 * MIB, hard: 40 * MIB },
  /** Bytes of fonts, and of pictures, that are fetched for the person's browser. */
  fonts: { soft: 8 * MIB, hard: 24 * MIB },
  pictures: { soft: 24 * MIB, hard: 64 * MIB },
  /** Host names that it requests something of. */
  names: { soft: 100, hard: 300 },
  /** Requests of the last minute that are not answered. This one is a number at a time. */
  requests: { soft: 500, hard: 2000 },
};

const FORM = /^([a-z]{1,20})=(\d{1,12})\/(\d{1,12})$/;

/** Reads budgets that replace the defaults: `KIND=SOFT/HARD`. @throws AppError `bad-option` */
export function parsePageBudgets(texts: readonly string[]): PageBudgets {
  const budgets: Record<WorkKind, Budget> = { ...PAGE_BUDGETS };
  for (const text of texts) {
    const [, name, ...numbers] = FORM.exec(text) ?? [];
    const kind = WORK_KINDS.find((each) => each === name);
    const [soft = 0, hard = 0] = numbers.map(Number);
    if (!kind || soft < 1 || hard < soft)
      throw new AppError('bad-option', `--page-budget: write KIND=SOFT/HARD, with a kind of ${WORK_KINDS.join(', ')}`);
    budgets[kind] = { soft, hard };
  }
  return budgets;
}
