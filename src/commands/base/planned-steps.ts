/** Collects the plan of each step in a dry run, where the first plan would otherwise end the run. */
import { NOT_FOUND } from "../../wire/errors.ts";

export class PlannedSteps {
  readonly #dry: boolean;
  #plan: unknown;

  constructor(dry: boolean) {
    this.#dry = dry;
  }

  /** What came of a step; undefined in a dry run. */
  async take<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      const { name, code } = error as { name?: string; code?: unknown };
      // What a dry run has not made is not there for the next step.
      if (!this.#dry || (name !== "Plan" && code !== NOT_FOUND)) throw error;
      if (name === "Plan") this.#plan = error;
      return undefined;
    }
  }

  /** Ends a dry run as its last plan does. */
  end(): void {
    if (this.#plan !== undefined) throw this.#plan;
  }
}
