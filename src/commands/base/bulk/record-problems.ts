/** Combines the problems of a checked file into one error: the first few in full, and their number. */
import { CommandError } from "../define-command.ts";

const MAX_SHOWN = 5;

export class RecordProblems {
  readonly #shown: CommandError[] = [];
  #count = 0;

  add(fault: CommandError): void {
    this.#count++;
    if (this.#shown.length < MAX_SHOWN) this.#shown.push(fault);
  }

  /** Throws `CommandError` (rejected) when there was one. */
  end(): void {
    const [first] = this.#shown;
    if (!first) return;
    if (this.#count === 1) throw first;
    const words = this.#shown.map(({ message }) => message.replace(/\.$/, ""));
    const suffix = this.#count > MAX_SHOWN ? `; and ${this.#count - MAX_SHOWN} more` : "";
    throw new CommandError("rejected", `${this.#count} records are wrong: ${words.join("; ")}${suffix}.`);
  }
}
