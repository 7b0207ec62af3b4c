/** Runs several changes one by one; a refused one does not stop the rest, and the final error says which failed and why. */
import { firstFew } from "../../../text/words.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { CommandError } from "../define-command.ts";

interface Refused {
  name?: string;
  status?: number;
  kind?: string;
}

/** Kinds of refusals of our own that are about one thing alone. */
const OF_ONE = new Set(["notFound", "notAllowed", "conflict", "rejected"]);

/** The provider, or a check of ours, says no to this one; what stops everything else is none: no link, no token, a limit. */
function isRefusal(error: unknown): boolean {
  const { name, status = 0, kind = "" } = error as Refused;
  if (name === "CommandError") return OF_ONE.has(kind);
  if (name === "LocalError") return true;
  return name === "ApiError" && status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

/** A call for several was refused for some of them: bad input, something too big or not there; who may not do it at all gets no further. */
export const isOfSome = (error: unknown): boolean =>
  isRefusal(error) && [undefined, 400, 404, 413].includes((error as Refused).status);

/** What a dry run has in place of an answer. */
const isPlan = (error: unknown): boolean => (error as Refused).name === "Plan";

/** Why, as a part of a sentence. */
export const whyOf = (error: unknown): string => reasonOf((error as Error).message).replace(/\.$/, "");

export class Several {
  readonly #failures: { names: readonly string[]; error: unknown }[] = [];
  #failed = 0;
  #done = 0;
  #planned: unknown;

  /** How many are done so far. */
  get written(): number {
    return this.#done;
  }

  get failures(): number {
    return this.#failed;
  }

  /** What came of one; undefined when it was refused, or in a dry run. Throws what would stop the others as well. */
  async try<T>(name: string, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const made = await ask();
      this.done(1);
      return made;
    } catch (error) {
      this.failed([name], error);
      return undefined;
    }
  }

  done(count: number): void {
    this.#done += count;
  }

  /** Notes a refusal of one, or of several by one call, or the plan of a dry run; true for a refusal. Throws everything else. */
  failed(names: readonly string[], error: unknown): boolean {
    if (isPlan(error)) {
      this.#planned = error;
      return false;
    }
    if (!isRefusal(error)) throw error;
    this.#failures.push({ names, error });
    this.#failed += names.length;
    return true;
  }

  /** Throws what was wrong with the only one, or with the only call, `CommandError` (partial) of several, and the plan of a dry run. */
  end(): void {
    const [first] = this.#failures;
    if (first === undefined) {
      if (this.#planned !== undefined) throw this.#planned;
      return;
    }
    const isOnly = this.#done === 0 && this.#failures.length === 1;
    if (isOnly && this.#planned === undefined) throw first.error;
    const all = this.#done + this.#failed;
    const count = this.#planned === undefined ? `${this.#failed} of ${all}` : this.#failed;
    throw new CommandError("partial", `${count} failed: ${this.#told()}.`);
  }

  /** Each reason once, behind those whom it met. */
  #told(): string {
    const groups = Map.groupBy(this.#failures, ({ error }) => whyOf(error));
    return firstFew(
      [...groups].map(([why, all]) => `${firstFew(all.flatMap(({ names }) => names))} (${why})`),
    );
  }
}
