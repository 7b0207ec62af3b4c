/** One run of the command line: parses the arguments, runs the command, and turns whatever happens into one exit code. */
import { CommanderError } from "commander";
import { fillArgs, placeWords, type Raw } from "../commands/base/args.ts";
import { commands } from "../commands/index.ts";
import { DEFAULTS } from "../config/settings.ts";
import type { Host, HostWishes } from "../open.ts";
import { useColor } from "../text/color.ts";
import type { Audit } from "./base/audit.ts";
import { ExitError } from "./base/exit.ts";
import { bareOptionals, settingFlags, type Flags } from "./base/globals.ts";
import { paged, showLong } from "./run/long.ts";
import { problemJson, problemText, readProblem } from "./base/problem.ts";
import { type InnerRun, type Shell, wantsJson } from "./base/shell.ts";
import type { ShellCommand } from "./base/shell-command.ts";
import { type Streams, write } from "./base/stdio.ts";
import { commandHelp, nounHelp, rootHelp } from "./help/help.ts";
import { buildProgram, helpFor, rewordUsage } from "./program.ts";
import { tree } from "./shell-commands/index.ts";

interface ShellContext extends Pick<Shell, "env" | "signal" | "lendInterrupt" | "asker" | "readOnly"> {
  version: string;
  streams: Streams;
  /** Throws `ConfigError` when the settings cannot be read. */
  host(flags: Record<string, unknown>, options: HostWishes): Promise<Host>;
}

/** Long reads, which go through the pager on a terminal. */
const PAGED = new Set(["message list", "message replies"]);

/** Runs argv without node and script, and gives the exit code; it never throws. */
export async function runShell(argv: readonly string[], context: ShellContext): Promise<number> {
  return new Run(argv, context).start();
}

class Run {
  readonly #argv: readonly string[];
  readonly #context: ShellContext;
  readonly #counts = { requests: 0, items: 0, writes: 0 };
  /** Made with the first command: its hashes load 3 ms of Node that help does not need. */
  #audit: Audit | undefined;
  readonly #began = performance.now();
  /** The path of the command, once the line is understood; empty before that and for the screen alone. */
  #path = "";
  /** Errors are JSON. */
  #json: boolean;
  #code = 0;

  constructor(argv: readonly string[], context: ShellContext) {
    this.#argv = argv;
    this.#context = context;
    this.#json = argv.some((word) => /^--(nd)?json(=|$)/.test(word));
  }

  async start(): Promise<number> {
    const { version, streams } = this.#context;
    try {
      const program = buildProgram(
        tree,
        version,
        (path, raw, words, flags) => this.#act(path, raw, words, flags),
        (noun) => this.#nounAlone(noun),
      );
      program.configureOutput({
        writeOut: (text) => void streams.out.write(text),
        writeErr: () => {},
        outputError: () => {},
      });
      await program.parseAsync(bareOptionals(await this.#expanded()), { from: "user" });
    } catch (error) {
      this.#code = this.#failed(error);
    }
    this.#audit?.end(this.#code);
    this.#summarize();
    return this.#code;
  }

  /** One command that needs no line to be read. */
  async inner({ path, raw, flags }: InnerRun): Promise<number> {
    try {
      await this.#act(path, raw, [], flags);
    } catch (error) {
      this.#code = this.#failed(error);
    }
    this.#audit?.end(this.#code);
    return this.#code;
  }

  /** The line with a word of one's own replaced by what it stands for; commands are never hidden by one. */
  async #expanded(): Promise<readonly string[]> {
    const [first = ""] = this.#argv;
    if (!/^[a-z]/.test(first) || tree.knows(first)) return this.#argv;
    const { expandAlias } = await import("./shell-commands/alias/expand.ts");
    return expandAlias(this.#context.env, this.#argv);
  }

  /** What was asked for with `-h`, or a noun without a verb: on standard error when nobody asked for help. */
  async #nounAlone(noun: string): Promise<void> {
    const asked = this.#argv.includes("--help") || this.#argv.includes("-h");
    this.#code = asked ? 0 : 2;
    const text = nounHelp(tree, noun);
    if (asked) await this.#help(text, !this.#argv.includes("--no-pager"));
    else this.#context.streams.err.write(text);
  }

  #help(text: string, wanted: boolean): Promise<void> {
    const { env, streams, lendInterrupt } = this.#context;
    return showLong(text, { out: streams.out, env, wanted, lendInterrupt });
  }

  async #act(typed: string, raw: Raw, words: string[], flags: Flags): Promise<void> {
    this.#path = typed;
    this.#json ||= wantsJson(flags);
    // A variable that is empty would have whoever the profile belongs to act.
    if (flags.as !== undefined) flags.as = userOf(flags.as);
    if (flags.debug !== undefined && flags.debug !== "" && flags.debug !== "http")
      throw new ExitError(2, `--debug knows only http, not '${flags.debug}'.`, "Write --debug=http.");
    if (flags.help)
      return this.#help(typed === "" ? rootHelp(tree) : commandHelp(tree, typed), flags.pager !== false);
    const tty = terminalOf(this.#context);
    if (typed === "" && (!tty.in || !tty.out))
      throw new ExitError(
        2,
        "The chat screen needs a terminal.",
        "parley --help shows what works in a pipe.",
      );
    const path = typed === "" ? "chat" : typed;
    if (flags.fields) return this.#fields(path);
    const own = tree.shell[path];
    if (own && flags.dryRun && !own.dry)
      throw new ExitError(
        2,
        `parley ${path} does not support --dry-run: nothing was done.`,
        "Leave --dry-run out.",
      );
    const shell = await this.#shell(path, own?.bare === true, flags, tty);
    const placed = await longValues(shell, path, raw, words);
    this.#code = own ? await runOwn(shell, own, raw, placed) : await runService(shell, path, raw, placed);
  }

  /** `--fields`: what `--json=` may name, a line each. */
  async #fields(path: string): Promise<void> {
    const { knownFields } = await import("./output/fields.ts");
    const fields = knownFields(path === "send" ? "message send" : path);
    if (fields.length === 0)
      throw new ExitError(2, `What parley ${path} prints has no fields of its own.`, `parley ${path} --json`);
    await write(this.#context.streams.out, `${fields.join("\n")}\n`);
  }

  async #shell(path: string, bare: boolean, flags: Flags, tty: Shell["tty"]): Promise<Shell> {
    const { env, streams, signal, lendInterrupt, asker, readOnly } = this.#context;
    const host = bare
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
      ...(asker && { asker }),
      ...(readOnly && { readOnly }),
      run: ({ streams, signal: until, ...inner }) =>
        new Run([], { ...this.#context, streams, signal: until, ...inner }).inner({
          ...inner,
          streams,
          signal: until,
        }),
      audit: (this.#audit ??= new (await import("./base/audit.ts")).Audit()),
      counts: this.#counts,
    };
  }

  #hostOptions(path: string, flags: Flags, tty: Shell["tty"]): HostWishes {
    const line = (text: string): void => void this.#context.streams.err.write(`${text}\n`);
    // A screen says by itself what it waits for.
    const quiet = flags.quiet === true || path === "chat";
    return {
      asks: () => void this.#counts.requests++,
      ...(flags.insecure ? { insecure: true } : {}),
      ...(flags.debug === undefined ? {} : { trace: line }),
      ...(quiet ? {} : { notice: line }),
      ...(tty.err && !quiet ? { waits: line } : {}),
    };
  }

  /** Tells what went wrong; the exit code. */
  #failed(error: unknown): number {
    const { env, signal } = this.#context;
    const { err } = this.#context.streams;
    const said = error instanceof CommanderError ? error.code : "";
    if (said === "commander.version" || said === "commander.helpDisplayed") return 0;
    if (signal.aborted) return 130;
    // Known by its class: a minified bundle has no class names.
    const problem = readProblem(
      error instanceof CommanderError ? new ExitError(2, rewordUsage(error.message)) : error,
    );
    const ofSettings = error instanceof Error && error.name === "ConfigError";
    if (problem.exit === 2 && problem.hint === undefined && !ofSettings)
      problem.hint = this.#path === "" ? helpFor(tree, this.#argv) : `parley ${this.#path} --help`;
    err.write(this.#json ? problemJson(problem) : problemText(problem));
    if (env.PARLEY_DEBUG && error instanceof Error) err.write(`${error.stack}\n`);
    return problem.exit;
  }

  /** One line for whoever measures runs. */
  #summarize(): void {
    const { env, streams } = this.#context;
    if (!env.PARLEY_RUN_SUMMARY || env.PARLEY_RUN_SUMMARY === "0") return;
    const ms = Math.round(performance.now() - this.#began);
    const run = { schema_version: 1, command: this.#path || "chat", exit: this.#code, duration_ms: ms };
    streams.err.write(`${JSON.stringify({ ...run, ...this.#counts })}\n`);
  }
}

/** The id behind `--as`. Throws `CommandError` (usage) for what is none. */
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

/** The words, with what stands in files: loaded only where a value could name one. */
async function longValues(
  shell: Shell,
  path: string,
  raw: Raw,
  words: readonly string[],
): Promise<readonly string[]> {
  const given = [...words, ...Object.values(raw).flat()];
  if (!given.some((one) => typeof one === "string" && /^@|=@/.test(one))) return words;
  const { withFiles } = await import("./run/at-file.ts");
  return withFiles(shell, shell.tree.definition(path).args, raw, words);
}

/** A command of the shell alone. */
async function runOwn(shell: Shell, own: ShellCommand, raw: Raw, words: readonly string[]): Promise<number> {
  const { default: run } = await own.load();
  placeWords(own.args, words, raw);
  const { channelType } = shell.settings;
  return run(shell, fillArgs(own.args, raw, { channelType, now: Date.now() }) as never, raw);
}

/** A command of the service. */
async function runService(shell: Shell, path: string, raw: Raw, words: readonly string[]): Promise<number> {
  const { runCommand } = await import("./run/run.ts");
  const run = (at: Shell): Promise<number> => runCommand(at, path, commands[path]!, raw, words);
  return PAGED.has(path) ? paged(shell, run) : run(shell);
}
