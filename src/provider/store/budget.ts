/** Limits the cost of one call: rows examined, messages returned and time. */
import type { DatabaseSync } from "node:sqlite";
import { ApiProblem } from "../base/handler.ts";

export interface BudgetLimits {
  /** Rows examined for a caller's filter or order. */
  rows: number;
  /** Messages built for the answer. */
  views: number;
  /** CPU time of the thread in milliseconds, so that a busy machine does not shorten the budget. */
  ms: number;
}

/** The full budget: on a reading thread, or with a database in memory. */
export const FULL_BUDGET: BudgetLimits = { rows: 300_000, views: Number.MAX_SAFE_INTEGER, ms: 2500 };
/** For the first try on the main thread; a call that needs more moves to a reading thread. */
export const TRY_BUDGET: BudgetLimits = { rows: FULL_BUDGET.rows, views: 1000, ms: 50 };
/** On the main thread, for a call that a reading thread cannot run. */
export const MAIN_THREAD_BUDGET: BudgetLimits = { rows: FULL_BUDGET.rows, views: 2000, ms: 80 };

/** Calls of SQL functions between two checks of the time. */
const CALLS_PER_CHECK = 64;

const MESSAGES = {
  rows: `it would look at more than ${FULL_BUDGET.rows.toLocaleString("en")} rows: add a condition on an id, a time, members or words`,
  time: "it took too long: narrow the filter, or sort by a built-in field",
  views: "it asks for more messages than can be answered at once",
} as const;

/** The call exceeded its budget. After a try with a small budget it is repeated with a larger one. */
export class BudgetExceeded extends ApiProblem {
  readonly limit: keyof typeof MESSAGES;
  constructor(what: keyof typeof MESSAGES) {
    super(what === "time" ? 23 : 4, MESSAGES[what]);
    this.limit = what;
  }
}

/** CPU time of this thread, milliseconds: a busy machine does not increase it. */
export const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

class Budget {
  readonly #limits: BudgetLimits;
  readonly #deadline: number;
  #rows = 0;
  #views = 0;
  #calls = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#deadline = cpuTime() + limits.ms;
  }

  countCall(): void {
    if (++this.#calls % CALLS_PER_CHECK === 0 && cpuTime() > this.#deadline) throw new BudgetExceeded("time");
  }

  countRow(): void {
    if (++this.#rows > this.#limits.rows) throw new BudgetExceeded("rows");
    this.countCall();
  }

  countViews(count: number): void {
    this.#views += count;
    if (this.#views > this.#limits.views) throw new BudgetExceeded("views");
    if (cpuTime() > this.#deadline) throw new BudgetExceeded("time");
  }
}

const running = new WeakMap<DatabaseSync, Budget>();

/** Counts all statements on this connection during `run` together. */
export function runWithinBudget<T>(raw: DatabaseSync, limits: BudgetLimits, run: () => T): T {
  running.set(raw, new Budget(limits));
  try {
    return run();
  } finally {
    running.delete(raw);
  }
}

/** Called by SQL functions; a throw ends the statement that called them. */
export const spendTime = (raw: DatabaseSync): void => running.get(raw)?.countCall();
export const spendViews = (raw: DatabaseSync, count: number): void => running.get(raw)?.countViews(count);

/** Registers `within_budget(column)`, which is true for every row and throws once the budget is spent. */
export function registerBudget(raw: DatabaseSync): void {
  raw.function("within_budget", { varargs: true }, () => {
    running.get(raw)?.countRow();
    return 1;
  });
}

/** The SQL condition that counts rows, for statements with a caller's filter or order; `column` is of the scanned table. */
export const withinBudget = (column: string): string => `within_budget(${column})`;
