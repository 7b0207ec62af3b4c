/** Combines the problems of a checked file into one error: the first few in full, and their number. */
import { CommandError } from "../define-command.ts";

const TOLD = 5;

export class WrongRecords {
  readonly #told: CommandError[] = [];
  #count = 0;

  add(fault: CommandError): void {
    this.#count++;
    if (this.#told.length < TOLD) this.#told.push(fault);
  }

  /** Throws `CommandError` (rejected) when there was one. */
  end(): void {
    const [first] = this.#told;
    if (!first) return;
    if (this.#count === 1) throw first;
    const words = this.#told.map(({ message }) => message.replace(/\.$/, ""));
    const more = this.#count > TOLD ? `; and ${this.#count - TOLD} more` : "";
    throw new CommandError("rejected", `${this.#count} records are wrong: ${words.join("; ")}${more}.`);
  }
}
