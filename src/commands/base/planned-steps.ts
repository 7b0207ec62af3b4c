/** Lets a dry run plan several steps, where normally the first plan ends the run. */
import { NOT_FOUND } from "../../wire/errors.ts";

/** What is read of a plan, and of the refusal of a write that was tried. */
interface PlanFacts {
  name?: string;
  code?: unknown;
  reply?: unknown;
  tried?: boolean;
}

/** The answer that the provider would give to the planned write; undefined for any other error, and where it cannot be asked. */
export function plannedReply<A>(error: unknown): A | undefined {
  const { name, reply } = error as PlanFacts;
  return name === "Plan" ? (reply as A | undefined) : undefined;
}

export class PlannedSteps {
  readonly #dry: boolean;
  #plan: unknown;

  constructor(dry: boolean) {
    this.#dry = dry;
  }

  /** The result of a step; in a dry run what `answered` makes of the answer that the provider would give, if it can be asked. */
  async take<T, A = unknown>(step: () => Promise<T>, answered?: (reply: A) => T): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      const { name, code, reply, tried } = error as PlanFacts;
      // A later step may need something that an earlier one would have created.
      if (!this.#dry || (name !== "Plan" && (tried || code !== NOT_FOUND))) throw error;
      if (name === "Plan") this.#plan = error;
      return reply === undefined ? undefined : answered?.(reply as A);
    }
  }

  /** Ends a dry run with the last plan. */
  end(): void {
    if (this.#plan !== undefined) throw this.#plan;
  }
}
