/** Converts storage failures into answers, and reports failures of background work. */
import { ApiProblem } from "../base/handler.ts";
import type { OpenedDatabase } from "./open.ts";
import { storageProblem } from "./storage-problem.ts";

export class Failures {
  readonly #db: Pick<OpenedDatabase, "damageMessage">;
  readonly #warn: (sentence: string, stack?: string) => void;
  #damageReported = false;

  constructor(db: Pick<OpenedDatabase, "damageMessage">, warn: (sentence: string, stack?: string) => void) {
    this.#db = db;
    this.#warn = warn;
  }

  /** The problem to answer with when storage failed, instead of "internal system error"; undefined for other errors. */
  problemOf(error: unknown): ApiProblem | undefined {
    const damage = this.#damageIn(error);
    return damage === undefined ? storageProblem(error) : new ApiProblem(-1, damage);
  }

  /** Reports an error to the operator when there is no call to answer. */
  readonly inBackground = (error: unknown): void => {
    if (this.#damageIn(error) !== undefined) return;
    this.#warn("the provider failed in the background", String((error as Error)?.stack ?? error));
  };

  /** The sentence about damage, with which the operator is warned once; undefined for other errors. */
  #damageIn(error: unknown): string | undefined {
    const sentence = this.#db.damageMessage(error);
    if (sentence !== undefined && !this.#damageReported) this.#warn(sentence);
    this.#damageReported ||= sentence !== undefined;
    return sentence;
  }
}
