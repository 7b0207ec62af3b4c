/** Builds the commander program from the command tree; all commands share one action. */
import { Command as Program, Option } from "commander";
import { acceptedFlags, flagName, flagRows } from "../commands/base/args.ts";
import { NOUNS } from "../commands/nouns.ts";
import type { Args, RawArgs } from "../commands/base/define-command.ts";
import type { CommandTree } from "./base/command-tree.ts";
import { GLOBALS, type Flags, type GlobalFlag } from "./base/globals.ts";

/** Runs a parsed line; the path of plain `parley` is `""`. */
type Action = (path: string, raw: RawArgs, words: string[], flags: Flags) => Promise<void>;

/** The options of a command and of the root. */
const optionsOf = (program: Program): Flags => program.optsWithGlobals() as Flags;

/** `noun` shows the help of a noun without a verb. */
export function buildProgram(
  tree: CommandTree,
  version: string,
  action: Action,
  showNounHelp: (path: string) => Promise<void>,
): Program {
  return new ProgramBuilder(tree, action, showNounHelp).build(version);
}

class ProgramBuilder {
  readonly #tree: CommandTree;
  readonly #action: Action;
  readonly #showNounHelp: (noun: string) => Promise<void>;
  /** The screen's flags are added to the root so that `parley --plain` works; other commands refuse them. */
  readonly #screenArgs: Args;
  readonly #program = new Program("parley");
  /** Adds a command's flags or subcommands when it is called: adding all of them would take a sixth of a short run. */
  readonly #lazySetup = new Map<Program, () => void>();

  constructor(tree: CommandTree, action: Action, showNounHelp: (noun: string) => Promise<void>) {
    this.#tree = tree;
    this.#action = action;
    this.#showNounHelp = showNounHelp;
    this.#screenArgs = Object.fromEntries(flagRows(tree.definition("chat").args));
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
    addOptions(program, this.#screenArgs);
    program.hook("preSubcommand", this.#setUpLazily);
    this.#addChildren("", program);
    program.argument("[words...]").action((words: string[], _own: object, self: Program) => {
      const flags = optionsOf(self);
      if (words.length) this.#failUnknown(words[0]!, self);
      return this.#action("", rawOf(this.#screenArgs, flags), [], flags);
    });
    return program;
  }

  /** Adds the commands and nouns one word below a noun; an empty noun is the root. */
  #addChildren(noun: string, parent: Program): void {
    const start = noun && `${noun} `;
    const below = this.#tree.allPaths().filter((path) => path.startsWith(start));
    for (const word of new Set(below.map((path) => path.slice(start.length).split(" ", 1)[0]!)))
      if (this.#tree.find(start + word)) this.#addCommand(start + word, parent, word);
      else this.#addNoun(start + word, parent, word);
  }

  readonly #setUpLazily = (_parent: Program, command: Program): void => {
    this.#lazySetup.get(command)?.();
    this.#lazySetup.delete(command);
  };

  /** Adds a noun such as `poll`, or a nested one such as `poll option`. */
  #addNoun(noun: string, parent: Program, word: string): void {
    const command = parent
      .command(word)
      .description(this.#tree.nouns[noun] ?? "")
      .helpOption(false)
      .helpCommand(false)
      .allowExcessArguments();
    for (const [alias, of] of Object.entries(NOUNS)) if (of === noun) command.alias(alias);
    command.argument("[words...]").action((words: string[], _own: object, self: Program) => {
      if (words.length) this.#failUnknown(`${noun} ${words[0]}`, self);
      return this.#showNounHelp(noun);
    });
    command.hook("preSubcommand", this.#setUpLazily);
    this.#lazySetup.set(command, () => this.#addChildren(noun, command));
  }

  #addCommand(path: string, parent: Program, word: string): void {
    const { summary, args, aliases = [] } = this.#tree.definition(path);
    const command = parent.command(word).description(summary).helpOption(false).argument("[words...]");
    for (const alias of aliases) command.alias(alias);
    const isScreen = path === "chat";
    if (!isScreen) this.#lazySetup.set(command, () => addOptions(command, args));
    if (path === "__complete") command.allowUnknownOption();
    command.action((words: string[], _own: object, self: Program) => {
      const flags = optionsOf(self);
      // Flags of the screen are those of the program, also where a command has one of that name.
      const screenFlags = Object.keys(this.#screenArgs).filter((name) => flags[name] !== undefined);
      const screenFlag = screenFlags.find((name) => !args[name]);
      if (!isScreen && screenFlag !== undefined)
        self.error(`--${screenFlag} is a flag of the chat screen, not of '${path}'`, {
          code: "commander.unknownOption",
        });
      const shared = Object.fromEntries(screenFlags.map((name) => [name, flags[name]]));
      return this.#action(path, rawOf(args, isScreen ? flags : { ...shared, ...self.opts() }), words, flags);
    });
  }

  #failUnknown(name: string, program: Program): void {
    program.error(`unknown command '${name}'`, { code: "commander.unknownCommand" });
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
  for (const [name, row] of acceptedFlags(args)) {
    const short = row.short ? `-${row.short}, ` : "";
    const option = new Option(
      `${short}--${flagName(name)}${row.kind === "flag" ? "" : " <value>"}`,
      row.help,
    );
    // Commander would treat `--no-x` as the negation of `--x`; here it is a plain flag.
    option.negate = false;
    if (row.kind === "list")
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    program.addOption(option);
  }
}

/** The parsed options that belong to `args`. */
function rawOf(args: Args, options: Record<string, unknown>): RawArgs {
  const raw: RawArgs = {};
  for (const [name] of acceptedFlags(args))
    if (options[name] !== undefined) raw[name] = options[name] as RawArgs[string];
  return raw;
}

/** Rewords commander's messages about flags to match the messages about arguments. */
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

/** The help command to suggest after a usage error. */
export function helpFor(tree: CommandTree, argv: readonly string[]): string {
  const known = tree.pathAtStart(argv);
  return `parley ${known === undefined ? "" : `${known} `}--help`;
}
