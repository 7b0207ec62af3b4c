/** Runs the command line once: parses the arguments, runs the command, and turns the result into an exit code. */
import { CommandError, type RawArgs } from "../commands/base/define-command.ts";
import { CommanderError } from "commander";
import { fillArgs, assignPositionals, NotAChannel } from "../commands/base/args.ts";
import { commands } from "../commands/table.gen.ts";
import type { Extension } from "../config/extensions.ts";
import { DEFAULTS } from "../config/settings.ts";
import type { Host, HostHooks } from "../open.ts";
import { useColor } from "../text/color.ts";
import type { Audit } from "./base/audit.ts";
import { DONE_HINT, ExitError } from "./base/exit.ts";
import { closeOptionalValues, settingFlags, slurpFlags, wordAfterJson, type Flags } from "./base/globals.ts";
import { markValues, unmark } from "./base/dash-words.ts";
import { runPaged, showLong } from "./run/paged-output.ts";
import { problemJson, problemText, readProblem, type Problem } from "./base/problem.ts";
import { type InnerRun, printNotice, type Shell, wantsJson } from "./base/shell.ts";
import { type Streams, write } from "./base/stdio.ts";
import { commandHelp, nounHelp, rootHelp } from "./help/help.ts";
import { buildProgram, helpFor, rewordUsage } from "./program.ts";
import { shellCommands } from "./shell-commands/table.gen.ts";
import { tree } from "./tree.ts";

interface ShellContext extends Pick<
  Shell,
  "env" | "signal" | "lendInterrupt" | "confirmer" | "readOnly" | "onMore"
> {
  version: string;
  streams: Streams;
  /** Receives the function that words what a failure of standard output means for this run. */
  onLostOutput?(report: (reason: string) => string | undefined): void;
  /** Throws `ConfigError` when the settings cannot be read. */
  host(flags: Record<string, unknown>, options: HostHooks): Promise<Host>;
}

/** A line that runs an extension: the flags before its name, and what follows it. */
interface ExtensionLine {
  extension: Extension;
  flags: readonly string[];
  args: readonly string[];
}

/** Commands whose output goes through the pager on a terminal. */
const PAGED = new Set(["message list", "message replies"]);

/** Runs argv (without node and script). Resolves to the exit code and never rejects. */
export async function runShell(argv: readonly string[], context: ShellContext): Promise<number> {
  return new CommandLineRun(argv, context).start();
}

class CommandLineRun {
  readonly #argv: readonly string[];
  readonly #context: ShellContext;
  readonly #counts = { requests: 0, items: 0, writes: 0 };
  readonly #changed: Shell["changed"] = {};
  /** Created with the first command: it loads Node's crypto, 3 ms that help does not need. */
  #audit: Audit | undefined;
  readonly #startedAt = performance.now();
  /** The path of the command once the line is parsed; empty before that and for plain `parley`. */
  #path = "";
  /** Prints errors as JSON. */
  #json: boolean;
  #code = 0;

  constructor(argv: readonly string[], context: ShellContext) {
    this.#argv = argv;
    this.#context = context;
    this.#json = argv.some((word) => /^--(nd)?json(=|$)/.test(word));
  }

  async start(): Promise<number> {
    const { version, streams } = this.#context;
    this.#context.onLostOutput?.((reason) => this.#lostOutput(reason));
    try {
      const argv = await this.#expandAliases();
      const extension = await this.#extensionIn(argv);
      const program = buildProgram(
        tree,
        version,
        (path, raw, words, flags) =>
          extension
            ? this.#runExtension(extension, flags)
            : this.#runParsed(path, raw, unmark(raw, words, flags), flags),
        (noun) => this.#showNounHelp(noun),
      );
      program.configureOutput({
        writeOut: (text) => void streams.out.write(text),
        writeErr: () => {},
        outputError: () => {},
      });
      // Only the flags before an extension's name are Parley's.
      const line = markValues(tree, closeOptionalValues(extension ? extension.flags : argv));
      await program.parseAsync(line, { from: "user" });
    } catch (error) {
      this.#code = await this.#reportFailure(error);
    }
    this.#audit?.end(this.#code);
    this.#printSummary();
    return this.#code;
  }

  /** Runs one command whose arguments are parsed already. */
  async inner({ path, raw, flags }: InnerRun): Promise<number> {
    try {
      await this.#runParsed(path, raw, [], flags);
    } catch (error) {
      this.#code = await this.#reportFailure(error);
    }
    this.#audit?.end(this.#code);
    return this.#code;
  }

  /** The arguments with a user's alias expanded; an alias never hides a command. */
  async #expandAliases(): Promise<readonly string[]> {
    const [first = ""] = this.#argv;
    if (!/^[a-z]/.test(first) || tree.hasWord(first)) return this.#argv;
    const { expandAlias } = await import("./shell-commands/alias/expand.ts");
    return expandAlias(this.#context.env, this.#argv);
  }

  /** The extension that a line names; the module is loaded only if it names no command. */
  async #extensionIn(argv: readonly string[]): Promise<ExtensionLine | undefined> {
    const at = tree.firstWordAt(argv);
    if (at < 0 || tree.hasWord(argv[at]!) || argv.lastIndexOf("--", at) >= 0) return undefined;
    const { findExtension } = await import("../config/extensions.ts");
    const extension = findExtension(this.#context.env, argv[at]!);
    return extension && { extension, flags: argv.slice(0, at), args: argv.slice(at + 1) };
  }

  async #runExtension({ extension, args }: ExtensionLine, flags: Flags): Promise<void> {
    this.#path = extension.name;
    if (flags.as !== undefined) flags.as = userOf(flags.as);
    const shell = await this.#makeShell(extension.name, false, flags, terminalOf(this.#context));
    const { runExtension } = await import("./run/extension.ts");
    this.#code = await runExtension(shell, extension, args);
  }

  /** The help of a noun: requested with `-h`, or printed to standard error when the verb is missing. */
  async #showNounHelp(noun: string): Promise<void> {
    const isRequested = this.#argv.includes("--help") || this.#argv.includes("-h");
    this.#code = isRequested ? 0 : 2;
    const text = nounHelp(tree, noun);
    if (isRequested) await this.#showHelp(text, !this.#argv.includes("--no-pager"));
    else {
      const list = tree.find(`${noun} list`) === undefined ? "" : `hint: parley ${noun} list\n`;
      this.#context.streams.err.write(`${text}${list}`);
    }
  }

  #showHelp(text: string, isAllowed: boolean): Promise<void> {
    const { env, streams, lendInterrupt } = this.#context;
    return showLong(text, { out: streams.out, env, isAllowed, lendInterrupt });
  }

  async #runParsed(typed: string, raw: RawArgs, words: string[], flags: Flags): Promise<void> {
    this.#path = typed;
    slurpFlags(flags);
    this.#json ||= wantsJson(flags);
    // An empty --as, as from an unset variable, would otherwise act as the profile's user.
    if (flags.as !== undefined) flags.as = userOf(flags.as);
    if (flags.debug !== undefined && flags.debug !== "" && flags.debug !== "http")
      throw new ExitError(2, `--debug must be http, not '${flags.debug}'.`, "Write --debug=http.");
    if (flags.help)
      return this.#showHelp(typed === "" ? rootHelp(tree) : commandHelp(tree, typed), flags.pager !== false);
    const tty = terminalOf(this.#context);
    if (typed === "" && (!tty.in || !tty.out))
      throw new ExitError(
        2,
        "The chat screen needs a terminal.",
        "Run parley --help to see the commands that work in a pipe.",
      );
    const path = typed === "" ? "chat" : typed;
    if (flags.fields) return this.#printFields(path);
    const shellOnly = tree.shell.find(path);
    if (shellOnly && flags.dryRun && !shellOnly.allowsDryRun)
      throw new ExitError(
        2,
        `parley ${path} does not support --dry-run: nothing was done.`,
        "Leave --dry-run out.",
      );
    const shell = await this.#makeShell(path, shellOnly?.skipsConfig === true, flags, tty);
    if (flags.json === "" || flags.ndjson === "") await this.#noteFields(shell, path, words);
    const values = await readFileValues(shell, path, raw, words);
    if (shellOnly || shell.changes) await requireOutput(shell, path, raw);
    this.#code = shellOnly
      ? await runShellCommand(shell, path, raw, values)
      : await runSharedCommand(shell, path, raw, values);
  }

  /** In other programs `--json` takes the next word; where that would name fields, it is said that here it is an argument. */
  async #noteFields(shell: Shell, path: string, words: readonly string[]): Promise<void> {
    const word = wordAfterJson(this.#argv);
    // A single word is what the command asks for: `search --json text`.
    if (word === undefined || !words.includes(word) || (words.length < 2 && !word.includes(","))) return;
    const { areKnownFields } = await import("./output/fields.ts");
    if (!areKnownFields(path, word)) return;
    const flag = shell.flags.ndjson === "" ? "--ndjson" : "--json";
    printNotice(shell, `${word} is taken as an argument: ${flag}=${word} selects fields`);
  }

  /** `--fields`: prints the names that `--json=` accepts, one per line. */
  async #printFields(path: string): Promise<void> {
    const { knownFields } = await import("./output/fields.ts");
    const fields = knownFields(path === "send" ? "message send" : path);
    if (fields.length === 0)
      throw new ExitError(
        2,
        `parley ${path} has no list of fields.`,
        `Run parley ${path} --json to see its output.`,
      );
    await write(this.#context.streams.out, `${fields.join("\n")}\n`);
  }

  async #makeShell(path: string, skipsConfig: boolean, flags: Flags, tty: Shell["tty"]): Promise<Shell> {
    const { env, streams, signal, lendInterrupt, confirmer, readOnly, onMore } = this.#context;
    const host = skipsConfig
      ? undefined
      : await this.#context.host(settingFlags(flags), this.#hostOptions(path, flags, tty));
    const color = (host?.settings.color ?? "auto") as "auto" | "always" | "never";
    const colored = (isTTY: boolean): boolean => useColor({ isTTY }, color, env);
    return {
      path,
      tree,
      argv: this.#argv,
      flags,
      host: host!,
      settings: host?.settings ?? DEFAULTS,
      env,
      ...streams,
      tty,
      color: { out: colored(tty.out), err: colored(tty.err) },
      signal,
      lendInterrupt,
      ...(confirmer && { confirmer }),
      ...(readOnly && { readOnly }),
      ...(onMore && { onMore }),
      run: ({ streams, signal: innerSignal, ...inner }) =>
        new CommandLineRun([], { ...this.#context, streams, signal: innerSignal, ...inner }).inner({
          ...inner,
          streams,
          signal: innerSignal,
        }),
      audit: (this.#audit ??= new (await import("./base/audit.ts")).Audit()),
      counts: this.#counts,
      changed: this.#changed,
      ...(commands.has(path) && { changes: commands.row(path).changes !== "nothing" }),
    };
  }

  #hostOptions(path: string, flags: Flags, tty: Shell["tty"]): HostHooks {
    const line = (text: string): void => void this.#context.streams.err.write(`${text}\n`);
    // The screen shows by itself what it waits for.
    const quiet = flags.quiet === true || path === "chat";
    return {
      onRequest: () => void this.#counts.requests++,
      ...(flags.insecure ? { insecure: true } : {}),
      ...(flags.debug === undefined ? {} : { trace: line }),
      ...(quiet ? {} : { notice: line }),
      ...(tty.err && !quiet ? { onSlow: line } : {}),
    };
  }

  /** Prints the error and returns its exit code. */
  async #reportFailure(error: unknown): Promise<number> {
    const { env, signal } = this.#context;
    const { err } = this.#context.streams;
    const code = error instanceof CommanderError ? error.code : "";
    if (code === "commander.version" || code === "commander.helpDisplayed") return 0;
    if (signal.aborted) return 130;
    // Recognized by its class, since class names are lost in a minified bundle.
    const problem = readProblem(
      error instanceof CommanderError ? new ExitError(2, rewordUsage(error.message)) : error,
    );
    if (problem.exit === 2) Object.assign(problem, await this.#meant(error));
    const isConfigError = error instanceof Error && error.name === "ConfigError";
    if (problem.exit === 2 && problem.hint === undefined && !isConfigError)
      problem.hint = this.#path === "" ? helpFor(tree, this.#argv) : `parley ${this.#path} --help`;
    err.write(this.#json ? problemJson(problem) : problemText(problem));
    if (env.PARLEY_DEBUG && error instanceof Error) err.write(`${error.stack}\n`);
    return problem.exit;
  }

  /** What was probably meant by a line that names no command, or by a word that is no channel; the module is loaded only then. */
  async #meant(error: unknown): Promise<Partial<Pick<Problem, "message" | "hint">>> {
    const isUnknown =
      error instanceof CommanderError && tree.find(tree.pathAtStart(this.#argv) ?? "") === undefined;
    const isUsage = error instanceof CommanderError || error instanceof CommandError;
    if (!isUsage) return {};
    const { channelHint, otherCommand, sendHint, unknownCommand } = await import("./help/guess.ts");
    if (isUnknown) {
      const { extensionNames } = await import("../config/extensions.ts");
      return unknownCommand(tree, this.#argv, extensionNames(this.#context.env));
    }
    const hint =
      error instanceof NotAChannel
        ? channelHint(this.#argv, error)
        : (sendHint(this.#argv) ?? otherCommand(tree, this.#argv));
    return hint === undefined ? {} : { hint };
  }

  /** The report of a result that could not be written after a change; undefined if nothing was changed. */
  #lostOutput(reason: string): string | undefined {
    const { last } = this.#changed;
    if (last === undefined) return undefined;
    const message = `${last}, but standard output cannot be written: ${reason}`;
    const problem = readProblem(new ExitError(12, message, DONE_HINT));
    return this.#json ? problemJson(problem) : problemText(problem);
  }

  /** Prints measurements of the run as one line of JSON, if `PARLEY_RUN_SUMMARY` is set. */
  #printSummary(): void {
    const { env, streams } = this.#context;
    if (!env.PARLEY_RUN_SUMMARY || env.PARLEY_RUN_SUMMARY === "0") return;
    const ms = Math.round(performance.now() - this.#startedAt);
    const run = { schema_version: 1, command: this.#path || "chat", exit: this.#code, duration_ms: ms };
    streams.err.write(`${JSON.stringify({ ...run, ...this.#counts, writes: this.#audit?.changes ?? 0 })}\n`);
  }
}

/** The id given with `--as`. Throws `CommandError` (usage) for an invalid one. */
const userOf = (as: string): string =>
  fillArgs({ as: { kind: "user", help: "Who acts" } }, { as }, { channelType: "", now: 0 }).as as string;

function terminalOf({ env, streams }: ShellContext): Shell["tty"] {
  const forced = env.PARLEY_FORCE_TTY;
  return {
    in: streams.in.isTTY === true,
    out: forced !== undefined && forced !== "" ? true : streams.out.isTTY === true,
    err: streams.err.isTTY === true,
    columns: Number(forced) || streams.out.columns || 80,
  };
}

/** Replaces values such as `@file` by the content of the file. */
async function readFileValues(
  shell: Shell,
  path: string,
  raw: RawArgs,
  words: readonly string[],
): Promise<readonly string[]> {
  const values = [...words, ...Object.values(raw).flat()];
  // The module is loaded only if a value may name a file.
  if (!values.some((value) => typeof value === "string" && /^@|=@/.test(value))) return words;
  const { expandFileValues: withFiles } = await import("./run/at-file.ts");
  return withFiles(shell, shell.tree.definition(path).args, raw, words);
}

/** Flags that choose what is printed. */
const OUTPUT_FLAGS = ["json", "ndjson", "csv", "table", "jq", "template"] as const;

/** Checks the output of a change, if the line chooses one; the module is loaded only then. */
async function requireOutput(shell: Shell, path: string, { out }: RawArgs): Promise<void> {
  if (out === undefined && OUTPUT_FLAGS.every((flag) => shell.flags[flag] === undefined)) return;
  const { requireShowable } = await import("./run/check-output.ts");
  await requireShowable(shell, path, out);
}

/** Runs a command that only the shell has. */
async function runShellCommand(
  shell: Shell,
  path: string,
  raw: RawArgs,
  words: readonly string[],
): Promise<number> {
  const { args, run } = await shellCommands.load(path);
  assignPositionals(args, words, raw);
  const { channelType } = shell.settings;
  return run(shell, fillArgs(args, raw, { channelType, now: Date.now() }) as never, raw);
}

/** Runs a command that the shell shares with the screen. */
async function runSharedCommand(
  shell: Shell,
  path: string,
  raw: RawArgs,
  words: readonly string[],
): Promise<number> {
  const [{ runCommand }, command] = await Promise.all([import("./run/run.ts"), commands.load(path)]);
  const run = (target: Shell): Promise<number> => runCommand(target, path, command, raw, words);
  return PAGED.has(path) ? runPaged(shell, run) : run(shell);
}
