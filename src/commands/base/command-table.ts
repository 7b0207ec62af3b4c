/** A table of commands: help, completion and parsing read its rows; a definition with its code is loaded when it runs. */
import type { Command, ShellCommand } from "./define-command.ts";

/** What is known of a command before its code is loaded. */
export type DescribedRow = Pick<
  Command,
  "summary" | "group" | "aliases" | "examples" | "args" | "confirmWord"
> & {
  /** It may ask for confirmation. */
  asks?: true;
};

export interface CommandRow extends DescribedRow, Pick<Command, "changes" | "needs" | "shellOnly"> {}

/** How a definition is loaded, and its row as JSON, which is parsed when it is needed. */
type TableEntry = readonly [load: () => Promise<{ default: unknown }>, row: string];

export class CommandTable<Row extends DescribedRow, Definition> {
  readonly #entries: Readonly<Record<string, TableEntry>>;
  readonly #rows = new Map<string, Row>();
  readonly #definitions = new Map<string, Definition>();

  constructor(entries: Readonly<Record<string, TableEntry>>) {
    this.#entries = entries;
  }

  /** Every path, such as `channel mute`, in the order of lists. */
  get paths(): string[] {
    return Object.keys(this.#entries);
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#entries, path);
  }

  find(path: string): Row | undefined {
    if (!this.has(path)) return undefined;
    let row = this.#rows.get(path);
    if (row === undefined) this.#rows.set(path, (row = JSON.parse(this.#entries[path]![1]) as Row));
    return row;
  }

  /** The path itself, or the one whose alias it is: `app update` is `app set`. */
  resolve(path: string): string {
    const cut = path.lastIndexOf(" ") + 1;
    if (this.has(path) || cut === 0) return path;
    const word = path.slice(cut);
    const isMeant = (other: string): boolean =>
      other.startsWith(path.slice(0, cut)) &&
      !other.includes(" ", cut) &&
      this.row(other).aliases?.includes(word) === true;
    return this.paths.find(isMeant) ?? path;
  }

  /** Like `find`, for a path known to exist. */
  row(path: string): Row {
    return this.find(path)!;
  }

  /** Loads the definition of a path known to exist; argument types are erased, `fillArgs` checks the values. */
  async load(path: string): Promise<Definition> {
    const definition = this.loaded(path) ?? ((await this.#entries[path]![0]()).default as Definition);
    this.#definitions.set(path, definition);
    return definition;
  }

  /** The definition if it is loaded already. */
  loaded(path: string): Definition | undefined {
    return this.#definitions.get(path);
  }
}

/** The row of a definition, for the table: what is data of it. */
export function rowOfCommand(definition: Command | ShellCommand<never>): object {
  const { summary, group, aliases, examples, confirmWord, args } = definition;
  const described = { summary, group, aliases, examples, confirmWord };
  if ("shell" in definition) {
    const { allowsDryRun, skipsConfig, asks } = definition;
    return { ...described, allowsDryRun, skipsConfig, args, asks };
  }
  const { changes, needs, shellOnly } = definition;
  const asks = definition.confirm !== undefined || definition.asksWhileRunning === true;
  return { ...described, changes, needs, shellOnly, args, ...(asks && { asks }) };
}
