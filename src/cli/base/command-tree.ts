/** All commands of the command line, the service's and those only a shell has: found by path, listed, described. */
import { NOUNS, NOUN_WORDS, commands } from "../../commands/index.ts";
import type { Args } from "../../commands/base/define-command.ts";

/** What both kinds of commands have. */
interface Definition<A extends Args = Args> {
  summary: string;
  /** Without the leading `parley`. */
  examples?: readonly string[];
  args: A;
  aliases?: readonly string[];
}

/** What a command of the shell alone says of itself. */
export interface ShellDefinition<A extends Args = Args> extends Definition<A> {
  group: "Daily" | "Setup" | "Local" | "Scripts";
  hidden?: boolean;
  /** `--dry-run` may stand beside it: it shows what it would send, or it changes nothing anyhow. The others refuse it. */
  dry?: true;
  /** Needs no settings and no profile; it runs even where the config file is damaged. */
  bare?: boolean;
}

export class CommandTree<Own extends ShellDefinition = ShellDefinition> {
  /** The commands of the shell alone, by path. */
  readonly shell: Readonly<Record<string, Own>>;
  /** One sentence per noun, such as `poll` and `poll option`. */
  readonly nouns: Readonly<Record<string, string>>;

  constructor(shell: Readonly<Record<string, Own>>, shellNouns: Readonly<Record<string, string>>) {
    this.shell = shell;
    this.nouns = { ...NOUN_WORDS, ...shellNouns };
  }

  /** Every path, those that help does not show included. */
  all(): string[] {
    return [...Object.keys(this.shell), ...Object.keys(commands)];
  }

  /** Every path that help shows. */
  paths(): string[] {
    return this.all().filter((path) => !this.shell[path]?.hidden);
  }

  /** The shown paths below a noun. */
  under(noun: string): string[] {
    return this.paths().filter((path) => path.startsWith(`${noun} `));
  }

  find(path: string): Definition | undefined {
    if (Object.hasOwn(this.shell, path)) return this.shell[path];
    return Object.hasOwn(commands, path) ? commands[path] : undefined;
  }

  /** A first word of the tree, a noun's other forms among them. */
  knows(word: string): boolean {
    return (
      word in this.nouns || word in NOUNS || this.find(word) !== undefined || this.under(word).length > 0
    );
  }

  /** Of a path that is there. */
  definition(path: string): Definition {
    return this.find(path)!;
  }

  /** A token alone cannot do it. */
  needsSecret(path: string): boolean {
    return commands[path]?.needs === "secret";
  }

  /** It asks before it does anything. */
  asks(path: string): boolean {
    const { confirm, asksLater } = commands[path] ?? {};
    return confirm !== undefined || asksLater === true;
  }

  /** Words as typed → a path, plural and short nouns taken for what they stand for. */
  pathOf(words: readonly string[]): string {
    const [first = "", ...more] = words;
    return [NOUNS[first] ?? first, ...more].join(" ");
  }
}
