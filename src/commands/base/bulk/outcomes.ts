/** Collects the outcomes of several changes: refusals do not stop the others, and the final error lists them. */
import { firstFew } from "../../../text/words.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { CommandError } from "../define-command.ts";

interface FailedRequest {
  name?: string;
  status?: number;
  kind?: string;
}

/** Kinds of `CommandError` that concern a single item. */
const ITEM_ERRORS = new Set(["notFound", "notAllowed", "conflict", "rejected", "unknown"]);

/** Whether the error refuses this item only; network, token and rate limit errors concern the whole run. */
function isRefusal(error: unknown): boolean {
  const { name, status = 0, kind = "" } = error as FailedRequest;
  if (name === "CommandError") return ITEM_ERRORS.has(kind);
  if (name === "LocalError") return true;
  return name === "ApiError" && status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

/** Whether a request for several items may have failed because of some: bad input, not found, too large; but not forbidden. */
export const mayConcernSome = (error: unknown): boolean =>
  isRefusal(error) && [undefined, 400, 404, 413].includes((error as FailedRequest).status);

/** The error that carries the plan of a dry run. */
const isPlan = (error: unknown): boolean => (error as FailedRequest).name === "Plan";

/** The reason of an error as part of a sentence. */
export const reasonText = (error: unknown): string => reasonOf((error as Error).message).replace(/\.$/, "");

export class Outcomes {
  readonly #failures: { names: readonly string[]; error: unknown }[] = [];
  #failed = 0;
  #done = 0;
  #planned: unknown;

  /** Number of items done so far. */
  get written(): number {
    return this.#done;
  }

  get failures(): number {
    return this.#failed;
  }

  /** Runs one change; undefined when it was refused or in a dry run. Throws errors that concern the whole run. */
  async try<T>(name: string, change: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await change();
      this.done(1);
      return result;
    } catch (error) {
      this.failed([name], error);
      return undefined;
    }
  }

  done(count: number): void {
    this.#done += count;
  }

  /** Records a refusal (returns true) or the plan of a dry run (false). Throws any other error. */
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

  /** Throws the error of a single failed item, `CommandError` (partial) for several, or the plan of a dry run. */
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
    throw new CommandError("partial", `${count} failed: ${this.#summary()}.`);
  }

  /** The failed names grouped by reason. */
  #summary(): string {
    const groups = Map.groupBy(this.#failures, ({ error }) => reasonText(error));
    return firstFew(
      [...groups].map(([reason, all]) => `${firstFew(all.flatMap(({ names }) => names))} (${reason})`),
    );
  }
}
