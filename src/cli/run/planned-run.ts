/** The plan of a dry run: the calls that would be made, and what the real run would ask for (specification/command-line.md §5). */
import type { Question } from "../../commands/base/define-command.ts";
import { count } from "../../text/words.ts";
import { isObject } from "../../wire/json-object.ts";
import type { PlannedCall } from "../base/plan.ts";
import { type Shell, printNotice } from "../base/shell.ts";
import { write } from "../base/stdio.ts";
import { jsonText } from "../output/json.ts";
import { openResults, outputForm } from "../output/results.ts";

/** A plan of more calls is shown as a count and its first calls, unless `--all-calls` is given. */
const LONGEST_SHOWN = 20;
const SHOWN_OF_LONG = 2;

const NOT_CHECKED =
  "not checked: rights, names and states that only the provider knows, because a hosted provider answers no dry run";

/** What a run needs besides its arguments, as JSON names it. */
interface RunNeeds {
  dry_run: true;
  requires_confirmation: boolean;
  /** The word for `--confirm`. */
  confirm_word: string | null;
  needs_secret: boolean;
}

export class PlannedRun {
  readonly #shell: Shell;
  readonly #isProtected: boolean;
  readonly #needsSecret: boolean;
  #question: Question | undefined;
  #calls: PlannedCall[] = [];
  #count = 0;
  #unchecked = false;

  constructor(
    shell: Shell,
    options: { isProtected: boolean; needsSecret: boolean; question?: Question | undefined },
  ) {
    this.#shell = shell;
    this.#isProtected = options.isProtected;
    this.#needsSecret = options.needsSecret;
    this.#question = options.question;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Notes a question that the real run would ask; one with a word needs the most of its user. */
  readonly asked = (question: Question): void => {
    if (this.#question?.word === undefined) this.#question = question;
  };

  readonly add = (call: PlannedCall): void => {
    this.#count++;
    this.#unchecked ||= !call.checked;
    if (this.#calls.length < LONGEST_SHOWN || this.#shell.flags.allCalls) this.#calls.push(call);
  };

  #needs(secret = this.#needsSecret): RunNeeds {
    const { level, word } = this.#question ?? {};
    return {
      dry_run: true,
      requires_confirmation: this.#question !== undefined || this.#isProtected,
      confirm_word: level === "severe" ? (word ?? null) : null,
      needs_secret: secret,
    };
  }

  /** A result of a command that made its own plan, with what the run needs. */
  readonly describe = (value: unknown): unknown =>
    isObject(value) && value.dry_run === true ? { ...value, ...this.#needs() } : value;

  /** Prints the plan in the requested form; several calls are a list. */
  async show(): Promise<void> {
    const shell = this.#shell;
    const isLong = this.#count > LONGEST_SHOWN && !shell.flags.allCalls;
    const calls = isLong ? this.#calls.slice(0, SHOWN_OF_LONG) : this.#calls;
    const rest = `… and ${this.#count - calls.length} more, ${count(this.#count, "call")} in all: --all-calls shows them`;
    const form = outputForm(shell);
    if (form !== "json" && form !== "ndjson" && form !== "jq" && form !== "template") {
      for (const call of calls) await write(shell.out, textOf(call));
      if (isLong) await write(shell.out, `${rest}\n`);
      await write(shell.out, `nothing was sent\n${this.#unchecked ? `${NOT_CHECKED}\n` : ""}`);
      return;
    }
    const items = calls.map(({ needsSecret, checked: _checked, ...call }) => {
      const { dry_run, ...needs } = this.#needs(this.#needsSecret || needsSecret);
      return { dry_run, ...call, ...needs, ...(isLong && { calls: this.#count }) };
    });
    await this.#print(items, form);
    if (isLong) printNotice(shell, rest);
    if (this.#unchecked) printNotice(shell, NOT_CHECKED);
  }

  async #print(items: readonly object[], form: "json" | "ndjson" | "jq" | "template"): Promise<void> {
    const { out } = this.#shell;
    if (form === "json" && items.length > 1) return write(out, `${jsonText(items, false)}\n`);
    if (form === "json" || form === "ndjson") {
      for (const item of items) await write(out, `${jsonText(item, false)}\n`);
      return;
    }
    const results = openResults(this.#shell, items.length > 1);
    for (const item of items) await results.item(item, undefined);
    return results.end();
  }
}

function textOf({ operation, method, path, body }: PlannedCall): string {
  const line = `would send ${operation}: ${method} ${path}\n`;
  return body === undefined ? line : `${line}${jsonText(body, true)}\n`;
}
