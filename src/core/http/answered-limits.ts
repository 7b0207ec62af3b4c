/** The rate limits as the headers of answers tell them, by operation: the only way for a person to know them (specification/errors.md §5). */
import { budgetOf, rateLimitOf, type CostBudget, type RateLimit } from "../../wire/rate-limits.ts";

export interface AnsweredLimit extends RateLimit {
  operation: string;
  /** Of operations whose cost is limited, too. */
  budget?: CostBudget;
}

/** Operation → the headers of its last answer: they are read only when somebody asks. */
export type AnsweredHeaders = Map<string, Readonly<Record<string, string>>>;

function limitOf([operation, headers]: [string, Readonly<Record<string, string>>]): AnsweredLimit[] {
  const limit = rateLimitOf(headers);
  if (limit === undefined) return [];
  const budget = budgetOf(headers);
  return [{ operation, ...limit, ...(budget && { budget }) }];
}

/** The last of each operation, by name. */
export const answeredLimits = (answered: AnsweredHeaders): AnsweredLimit[] =>
  [...answered].flatMap(limitOf).toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
