/** The rate limits as the headers of answers tell them, by operation: the only way for a person to know them (specification/errors.md §5). */
import { budgetOf, rateLimitOf, type CostBudget, type RateLimit } from "../../wire/rate-limits.ts";

export interface AnsweredLimit extends RateLimit {
  operation: string;
  /** Of operations whose cost is limited, too. */
  budget?: CostBudget;
}

export class AnsweredLimits {
  readonly #last = new Map<string, AnsweredLimit>();

  note(operation: string, headers: Readonly<Record<string, string>>): void {
    const limit = rateLimitOf(headers);
    if (limit === undefined) return;
    const budget = budgetOf(headers);
    this.#last.set(operation, { operation, ...limit, ...(budget && { budget }) });
  }

  /** The last of each operation, by name. */
  readonly all = (): AnsweredLimit[] =>
    [...this.#last.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
}
