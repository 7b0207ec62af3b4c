/** The command tree as commander parses it: every command of the tree with its flags, and one action for all of them. */
import { Command as Program, Option } from "commander";
import { flagName, flagRows, type Raw } from "../commands/base/args.ts";
import { NOUNS } from "../commands/index.ts";
import type { Args } from "../commands/base/define-command.ts";
import type { CommandTree } from "./base/command-tree.ts";
import { GLOBALS, type Flags, type GlobalFlag } from "./base/globals.ts";
import { nearest } from "../text/spelling.ts";

/** What is done with a line that was understood; `""` is the path of `parley` by itself. */
type Action = (path: string, raw: Raw, words: string[], flags: Flags) => Promise<void>;

/** Own options and those of the root. */
const optionsOf = (program: Program): Flags => program.optsWithGlobals() as Flags;

/** The whole program; `noun` is asked for the page of a noun that has no verb. */
export function buildProgram(
  tree: CommandTree,
  version: string,
  action: Action,
  noun: (path: string) => Promise<void>,
): Program {
  return new ProgramBuilder(tree, action, noun).build(version);
}

class ProgramBuilder {
  readonly #tree: CommandTree;
  readonly #action: Action;
  readonly #page: (noun: string) => Promise<void>;
  /** The screen's flags stand at the root, so that `parley --plain` works; other commands refuse them. */
  readonly #screen: Args;
  readonly #program = new Program("parley");
  /** What a command gets when it is called, its flags or what stands below it: all of both cost a sixth of a short run. */
  readonly #whenCalled = new Map<Program, () => void>();

  constructor(tree: CommandTree, action: Action, page: (noun: string) => Promise<void>) {
    this.#tree = tree;
    this.#action = action;
    this.#page = page;
    this.#screen = Object.fromEntries(flagRows(tree.definition("chat").args));
  }

  build(version: string): Program {
    const program = this.#program
      .version(version, "-V, --version")
      .helpOption(false)
      .helpCommand(false)
      .exitOverride()
      .configureOutput({ writeErr: () => {}, outputError: () => {} })
      .allowExcessArguments();
    program.addOption(new Option("-h, --help"));
    addGlobals(program);
    addOptions(program, this.#screen);
    program.hook("preSubcommand", this.#prepare);
    this.#addBelow("", program);
    program.argument("[words...]").action((given: string[], _own: object, self: Program) => {
      const flags = optionsOf(self);
      if (given.length) this.#unknown(given[0]!, self);
      return this.#action("", rawOf(this.#screen, flags), [], flags);
    });
    return program;
  }

  /** The commands and nouns one word below a noun; below the root where `noun` is empty. */
  #addBelow(noun: string, parent: Program): void {
    const start = noun && `${noun} `;
    const below = this.#tree.all().filter((path) => path.startsWith(start));
    for (const word of new Set(below.map((path) => path.slice(start.length).split(" ", 1)[0]!)))
      if (this.#tree.find(start + word)) this.#leaf(start + word, parent, word);
      else this.#noun(start + word, parent, word);
  }

  readonly #prepare = (_parent: Program, called: Program): void => {
    this.#whenCalled.get(called)?.();
    this.#whenCalled.delete(called);
  };

  /** The command of a noun such as `poll`, or of a noun within one, such as `poll option`. */
  #noun(noun: string, parent: Program, word: string): void {
    const made = parent
      .command(word)
      .description(this.#tree.nouns[noun] ?? "")
      .helpOption(false)
      .helpCommand(false)
      .allowExcessArguments();
    for (const [alias, of] of Object.entries(NOUNS)) if (of === noun) made.alias(alias);
    made.argument("[words...]").action((given: string[], _own: object, self: Program) => {
      if (given.length) this.#unknown(`${noun} ${given[0]}`, self);
      return this.#page(noun);
    });
    made.hook("preSubcommand", this.#prepare);
    this.#whenCalled.set(made, () => this.#addBelow(noun, made));
  }

  #leaf(path: string, parent: Program, word: string): void {
    const { summary, args, aliases = [] } = this.#tree.definition(path);
    const leaf = parent.command(word).description(summary).helpOption(false).argument("[words...]");
    for (const alias of aliases) leaf.alias(alias);
    const isScreen = path === "chat";
    if (!isScreen) this.#whenCalled.set(leaf, () => addOptions(leaf, args));
    if (path === "__complete") leaf.allowUnknownOption();
    leaf.action((given: string[], _own: object, self: Program) => {
      const flags = optionsOf(self);
      const strange = Object.keys(this.#screen).find((name) => flags[name] !== undefined && !args[name]);
      if (!isScreen && strange !== undefined)
        self.error(`--${strange} belongs to the chat screen, not to '${path}'`, {
          code: "commander.unknownOption",
        });
      return this.#action(path, rawOf(args, isScreen ? flags : self.opts()), given, flags);
    });
  }

  #unknown(name: string, program: Program): void {
    const cut = name.lastIndexOf(" ") + 1;
    const names = program.commands.map((known) => known.name()).filter((known) => !known.startsWith("__"));
    // A channel or a person is what the screen opens with.
    const place = cut === 0 && /^[#@][\w-]+$/.test(name) ? [`chat '${name}'`] : undefined;
    const near =
      place ??
      nearest(name.slice(cut), names, cut === 0 ? this.#tree.paths() : []).map((one) =>
        one.includes(" ") ? one : name.slice(0, cut) + one,
      );
    const said = [near.slice(0, -1).join(", "), near.at(-1)].filter(Boolean).join(" or ");
    program.error(`unknown command '${name}'${said && `; did you mean ${said}?`}`, {
      code: "commander.unknownCommand",
    });
  }
}

function addGlobals(program: Program): void {
  for (const row of GLOBALS as readonly GlobalFlag[]) {
    const option = new Option(row.flags, row.help);
    if (row.choices) option.choices(row.choices);
    if (row.flags === "--no-pager") option.default(true);
    program.addOption(option);
  }
}

function addOptions(program: Program, args: Args): void {
  for (const [name, row] of flagRows(args)) {
    const short = row.short ? `-${row.short}, ` : "";
    const option = new Option(
      `${short}--${flagName(name)}${row.kind === "flag" ? "" : " <value>"}`,
      row.help,
    );
    // `--no-x` would make commander turn x around; ours are plain flags.
    option.negate = false;
    if (row.kind === "list")
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    program.addOption(option);
  }
}

/** What commander found, under our names. */
function rawOf(args: Args, given: Record<string, unknown>): Raw {
  const raw: Raw = {};
  for (const [name] of flagRows(args)) if (given[name] !== undefined) raw[name] = given[name] as Raw[string];
  return raw;
}

/** What commander says of wrong flags, in the words that arguments have. */
export function rewordUsage(message: string): string {
  const flag = "option '(?:-\\w, )?(--[\\w-]+)[^']*' argument";
  return message
    .replace(/^error: /, "")
    .replace(/\n?\(Did you mean ([^?\n]{1,200})\?\)/, "; did you mean $1?")
    .replace(new RegExp(`^${flag} missing$`), "$1 needs a value")
    .replace(
      new RegExp(`^${flag} ('.*') is invalid\\. Allowed choices are (.*?)\\.?$`, "s"),
      "$1 must be one of $3, not $2",
    );
}

/** Flags of every command whose value is the next word: it names no command. */
const TAKES_WORD: ReadonlySet<string> = new Set(
  GLOBALS.flatMap(({ flags }) => (flags.includes("<") ? (flags.match(/-[\w-]+/g) ?? []) : [])),
);

/** The page to read after wrong use: that of the command as far as one was named. */
export function helpFor(tree: CommandTree, argv: readonly string[]): string {
  const words = argv.filter((word, n) => /^[a-z]/.test(word) && !TAKES_WORD.has(argv[n - 1] ?? ""));
  const known = [3, 2, 1]
    .map((count) => tree.pathOf(words.slice(0, count)))
    .find((path) => tree.find(path) ?? tree.nouns[path]);
  return `parley ${known === undefined ? "" : `${known} `}--help`;
}
