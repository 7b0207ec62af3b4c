/** Limits what one query may cost: rows examined, rows returned and time. */
import type { DatabaseSync } from "node:sqlite";
import { ApiProblem } from "../base/handler.ts";

export interface BudgetLimits {
  /** Rows that conditions and orders of callers are tried on. */
  rows: number;
  /** Messages drawn for the answer. */
  views: number;
  /** Of work: a busy machine makes nobody's question longer. */
  ms: number;
}

/** Wherever a long question may run to its end: on a thread of its own, or where there is nobody else to wait. */
export const LONG: BudgetLimits = { rows: 300_000, views: Number.MAX_SAFE_INTEGER, ms: 2500 };
/** On the thread that answers everybody: what needs more goes elsewhere. */
export const SHORT: BudgetLimits = { rows: LONG.rows, views: 1000, ms: 50 };
/** There too, for what can go nowhere else. */
export const LAST: BudgetLimits = { rows: LONG.rows, views: 2000, ms: 80 };

/** Calls of SQL functions between two looks at the clock. */
const LOOK_EVERY = 64;

const SENTENCES = {
  rows: `it would look at more than ${LONG.rows.toLocaleString("en")} rows: add a condition on an id, a time, members or words`,
  time: "it took too long: narrow the filter, or sort by a built-in field",
  views: "it asks for more messages than can be answered at once",
} as const;

/** A question that cost more than it may. Where it was only tried, it is asked again where more is allowed. */
export class TooLong extends ApiProblem {
  readonly what: keyof typeof SENTENCES;
  constructor(what: keyof typeof SENTENCES) {
    super(what === "time" ? 23 : 4, SENTENCES[what]);
    this.what = what;
  }
}

/** Milliseconds this thread has worked. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

class Budget {
  readonly #limits: BudgetLimits;
  readonly #until: number;
  #rows = 0;
  #views = 0;
  #calls = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#until = worked() + limits.ms;
  }

  clock(): void {
    if (++this.#calls % LOOK_EVERY === 0 && worked() > this.#until) throw new TooLong("time");
  }

  row(): void {
    if (++this.#rows > this.#limits.rows) throw new TooLong("rows");
    this.clock();
  }

  draw(count: number): void {
    this.#views += count;
    if (this.#views > this.#limits.views) throw new TooLong("views");
    if (worked() > this.#until) throw new TooLong("time");
  }
}

const running = new WeakMap<DatabaseSync, Budget>();

/** Everything asked of this connection within `run` counts together. */
export function runWithinBudget<T>(raw: DatabaseSync, limits: BudgetLimits, run: () => T): T {
  running.set(raw, new Budget(limits));
  try {
    return run();
  } finally {
    running.delete(raw);
  }
}

/** Called by SQL functions: a throw ends the statement that called them. */
export const spendTime = (raw: DatabaseSync): void => running.get(raw)?.clock();
export const spendViews = (raw: DatabaseSync, count: number): void => running.get(raw)?.draw(count);

/** `within_budget(column)` is true for every row it is asked of, until the budget is spent. */
export function registerBudget(raw: DatabaseSync): void {
  raw.function("within_budget", { varargs: true }, () => {
    running.get(raw)?.row();
    return 1;
  });
}

/** A condition of a statement whose conditions or order come from a caller; `column` is one of the table that is gone through. */
export const withinBudget = (column: string): string => `within_budget(${column})`;
