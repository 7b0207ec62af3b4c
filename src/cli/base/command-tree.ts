/** All commands of the command line by path: the shared ones and those that only the shell has. */
import { NOUNS, NOUN_WORDS, groupOfNoun } from "../../commands/nouns.ts";
import { commands } from "../../commands/table.gen.ts";
import { flagOf } from "../../commands/base/args.ts";
import { takesValue } from "./globals.ts";
import type { CommandTable, DescribedRow } from "../../commands/base/command-table.ts";
import type { HelpGroup, ShellCommand } from "../../commands/base/define-command.ts";

/** What is known of a command that only the shell has before its code is loaded. */
export type ShellRow = DescribedRow & Pick<ShellCommand<never>, "allowsDryRun" | "skipsConfig">;

type ShellTable = CommandTable<ShellRow, unknown>;

export class CommandTree {
  /** The commands that only the shell has. */
  readonly shell: ShellTable;
  /** One sentence per noun, such as `poll` and `poll option`. */
  readonly nouns = NOUN_WORDS;

  constructor(shell: ShellTable) {
    this.shell = shell;
  }

  /** Every path, including hidden ones. */
  allPaths(): string[] {
    return [...this.shell.paths, ...commands.paths];
  }

  /** Without the hidden ones, which only programs call. */
  visiblePaths(): string[] {
    return this.allPaths().filter((path) => !path.startsWith("__"));
  }

  visibleUnder(noun: string): string[] {
    return this.visiblePaths().filter((path) => path.startsWith(`${noun} `));
  }

  find(path: string): DescribedRow | undefined {
    return this.shell.find(path) ?? commands.find(path);
  }

  /** Whether the word is a noun (plural and short forms included) or a command. */
  hasWord(word: string): boolean {
    return (
      word in this.nouns ||
      word in NOUNS ||
      this.find(word) !== undefined ||
      this.visibleUnder(word).length > 0
    );
  }

  /** Where the first word of a line is that is neither a flag before the command nor its value; -1 if there is none. */
  firstWordAt(argv: readonly string[]): number {
    const { args } = this.definition("chat");
    const isValue = (flag = ""): boolean => {
      const row = flagOf(args, flag)?.[1];
      return takesValue(flag) || (row !== undefined && row.kind !== "flag" && !flag.includes("="));
    };
    return argv.findIndex((word, n) => !word.startsWith("-") && !isValue(argv[n - 1]));
  }

  /** Like `find`, for a path known to exist. */
  definition(path: string): DescribedRow {
    return this.find(path)!;
  }

  /** The group of a noun, or of a command of one word. */
  groupOf(word: string): HelpGroup | undefined {
    return groupOfNoun(word) ?? this.find(word)?.group;
  }

  /** The command needs the app's secret; a token is not enough. */
  needsSecret(path: string): boolean {
    return commands.find(path)?.needs === "secret";
  }

  mayAskFirst(path: string): boolean {
    return this.find(path)?.asks === true;
  }

  /** Typed words → path; plural and short nouns, and aliases, are resolved. */
  pathOf(words: readonly string[]): string {
    const [noun = "", ...others] = words;
    return commands.resolve(this.shell.resolve([NOUNS[noun] ?? noun, ...others].join(" ")));
  }

  /** The longest path of a command or a noun at the start of a line. */
  pathAtStart(argv: readonly string[]): string | undefined {
    const words = argv.filter((word, n) => /^[a-z]/.test(word) && !takesValue(argv[n - 1] ?? ""));
    return [3, 2, 1]
      .map((count) => this.pathOf(words.slice(0, count)))
      .find((path) => this.find(path) ?? this.nouns[path]);
  }
}
