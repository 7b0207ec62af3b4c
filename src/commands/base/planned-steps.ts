/** Lets a dry run plan several steps, where normally the first plan ends the run. */
import { NOT_FOUND } from "../../wire/errors.ts";

export class PlannedSteps {
  readonly #dry: boolean;
  #plan: unknown;

  constructor(dry: boolean) {
    this.#dry = dry;
  }

  /** The result of a step; undefined in a dry run. */
  async take<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      const { name, code } = error as { name?: string; code?: unknown };
      // A later step may need something that an earlier one would have created.
      if (!this.#dry || (name !== "Plan" && code !== NOT_FOUND)) throw error;
      if (name === "Plan") this.#plan = error;
      return undefined;
    }
  }

  /** Ends a dry run with the last plan. */
  end(): void {
    if (this.#plan !== undefined) throw this.#plan;
  }
}
