/** Answers and logs failures of the database or of background work. */
import { ApiProblem } from "../base/handler.ts";
import type { OpenedDatabase } from "./open.ts";
import { storageProblem } from "./storage-problem.ts";

export class Failures {
  readonly #db: Pick<OpenedDatabase, "damaged">;
  readonly #warn: (sentence: string, stack?: string) => void;
  #isDamageTold = false;

  constructor(db: Pick<OpenedDatabase, "damaged">, warn: (sentence: string, stack?: string) => void) {
    this.#db = db;
    this.#warn = warn;
  }

  /** Every call that meets damage is refused with the sentence about it instead of a fault of ours. */
  problemOf(error: unknown): ApiProblem | undefined {
    const damage = this.#damageIn(error);
    return damage === undefined ? storageProblem(error) : new ApiProblem(-1, damage);
  }

  /** Tells the operator what failed where no call gets an answer. */
  readonly inBackground = (error: unknown): void => {
    if (this.#damageIn(error) !== undefined) return;
    this.#warn("the provider failed in the background", String((error as Error)?.stack ?? error));
  };

  /** What to say of damage, which the operator is told once; undefined for any other failure. */
  #damageIn(error: unknown): string | undefined {
    const sentence = this.#db.damaged(error);
    if (sentence !== undefined && !this.#isDamageTold) this.#warn(sentence);
    this.#isDamageTold ||= sentence !== undefined;
    return sentence;
  }
}
