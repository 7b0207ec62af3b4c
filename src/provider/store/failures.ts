/** Answers and logs failures of the database or of background work. */
import { ApiProblem } from "../base/handler.ts";
import type { OpenedDatabase } from "./open.ts";
import { storageProblem } from "./trouble.ts";

export class Failures {
  readonly #db: Pick<OpenedDatabase, "damaged">;
  readonly #warn: (sentence: string, stack?: string) => void;
  #damage: string | undefined;

  constructor(db: Pick<OpenedDatabase, "damaged">, warn: (sentence: string, stack?: string) => void) {
    this.#db = db;
    this.#warn = warn;
  }

  /** Damage is told once, and every call that meets it is refused with the sentence instead of a fault of ours. */
  problemOf(error: unknown): ApiProblem | undefined {
    const sentence = this.#db.damaged(error);
    if (sentence === undefined) return storageProblem(error);
    if (this.#damage === undefined) this.#warn(sentence);
    this.#damage = sentence;
    return new ApiProblem(-1, sentence);
  }

  /** Tells the operator what failed where no call gets an answer. */
  readonly inBackground = (error: unknown): void => {
    const problem = this.problemOf(error);
    if (problem && problem.message === this.#damage) return;
    this.#warn("the provider failed in the background", String((error as Error)?.stack ?? error));
  };
}
