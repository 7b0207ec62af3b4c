/** All commands of the command line by path: the shared ones and those that only the shell has. */
import { NOUNS, NOUN_WORDS, groupOfNoun } from "../../commands/nouns.ts";
import { commands } from "../../commands/table.gen.ts";
import type { Args, HelpGroup } from "../../commands/base/define-command.ts";

interface Definition<A extends Args = Args> {
  summary: string;
  /** Without the leading `parley`. */
  examples?: readonly string[];
  args: A;
  aliases?: readonly string[];
  group?: HelpGroup;
}

/** The definition of a command that only the shell has. */
export interface ShellDefinition<A extends Args = Args> extends Definition<A> {
  hidden?: boolean;
  allowsDryRun?: true;
  /** Needs no settings and no profile, so it runs even when the config file is damaged. */
  skipsConfig?: boolean;
}

export class CommandTree<Own extends ShellDefinition = ShellDefinition> {
  /** The commands that only the shell has, by path. */
  readonly shell: Readonly<Record<string, Own>>;
  /** One sentence per noun, such as `poll` and `poll option`. */
  readonly nouns = NOUN_WORDS;

  constructor(shell: Readonly<Record<string, Own>>) {
    this.shell = shell;
  }

  /** Every path, including hidden ones. */
  allPaths(): string[] {
    return [...Object.keys(this.shell), ...commands.paths];
  }

  visiblePaths(): string[] {
    return this.allPaths().filter((path) => !this.shell[path]?.hidden);
  }

  visibleUnder(noun: string): string[] {
    return this.visiblePaths().filter((path) => path.startsWith(`${noun} `));
  }

  find(path: string): Definition | undefined {
    if (Object.hasOwn(this.shell, path)) return this.shell[path];
    return commands.find(path);
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

  /** Like `find`, for a path known to exist. */
  definition(path: string): Definition {
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
    return commands.find(path)?.asks === true;
  }

  /** Typed words → path; plural and short nouns are resolved. */
  pathOf(words: readonly string[]): string {
    const [noun = "", ...others] = words;
    return [NOUNS[noun] ?? noun, ...others].join(" ");
  }
}
