/** The command tree: built from commands/ and own/, parsed by commander, run, and ended with one exit code. */
import { Command as Program, CommanderError, Option } from "commander";
import { fillArgs, flagName, placeWords } from "../commands/base/args.ts";
import type { Raw } from "../commands/base/args.ts";
import { NOUNS, NOUN_WORDS, commands } from "../commands/index.ts";
import type { Args } from "../commands/base/define-command.ts";
import type { Host } from "../open.ts";
import { ExitError } from "./base/exit.ts";
import { GLOBALS, bareOptionals, settingFlags } from "./base/globals.ts";
import type { Flags, GlobalFlag } from "./base/globals.ts";
import { commandHelp, nounHelp, rootHelp } from "./help/help.ts";
import { nearest } from "./base/did-you-mean.ts";
import { OWN, OWN_NOUN_WORDS } from "./shell-commands/index.ts";
import { DEFAULTS } from "../config/settings.ts";
import { paged, showLong } from "./base/long.ts";
import { problemJson, problemText, readProblem } from "./base/problem.ts";
import type { Shell } from "./base/shell.ts";
import { wantsJson } from "./base/shell.ts";
import { useColor } from "./base/stdio.ts";
import type { Streams } from "./base/stdio.ts";

interface Outside {
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  streams: Streams;
  signal: AbortSignal;
  /** Gives Ctrl-C to another program that has the terminal, until the returned function is called. */
  lendInterrupt(): () => void;
  /** Throws `ConfigError` when the settings cannot be read. */
  host(
    flags: Record<string, unknown>,
    options: {
      insecure?: boolean;
      trace?(line: string): void;
      waits?(what: string): void;
      notice?(line: string): void;
    },
  ): Promise<Host>;
}

/** All paths, ours and the shell's own, as the tree shows them. */
export function allPaths(): string[] {
  return [...Object.keys(OWN).filter((path) => !OWN[path]!.hidden), ...Object.keys(commands)];
}

export function argsOf(path: string): Args {
  return (OWN[path] ?? commands[path])!.args;
}

function addOptions(program: Program, args: Args): void {
  for (const [name, row] of Object.entries(args)) {
    if (row.place !== "flag") continue;
    const long = `--${flagName(name)}`;
    const flags = `${row.short ? `-${row.short}, ` : ""}${long}${row.kind === "flag" ? "" : " <value>"}`;
    const option = new Option(flags, row.help);
    // `--no-x` would make commander turn x around; ours are plain flags.
    option.negate = false;
    if (row.kind === "list")
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    program.addOption(option);
  }
}

/** What commander says of wrong flags, in the words that arguments have. */
function spoken(message: string): string {
  const flag = "option '(?:-\\w, )?(--[\\w-]+)[^']*' argument";
  return message
    .replace(/^error: /, "")
    .replace(/\n?\(Did you mean ([^?\n]{1,200})\?\)/, "; did you mean $1?")
    .replace(new RegExp(`^${flag} missing$`), "$1 wants a value")
    .replace(
      new RegExp(`^${flag} ('.*') is invalid\\. Allowed choices are (.*?)\\.?$`, "s"),
      "$1 must be one of $3, not $2",
    );
}

/** What commander found, under our names. */
function rawOf(args: Args, given: Record<string, unknown>): Raw {
  const raw: Raw = {};
  for (const [name, row] of Object.entries(args))
    if (row.place === "flag" && given[name] !== undefined) raw[name] = given[name] as Raw[string];
  return raw;
}

/** The screen's flags stand at the root, so that `parley --plain` works; other commands refuse them. */
const SCREEN: Args = Object.fromEntries(
  Object.entries(OWN.chat!.args).filter(([, row]) => row.place === "flag"),
);

/** Long reads, which go through the pager on a terminal. */
const PAGED = new Set(["message list", "message replies"]);

/** Own options and those of the root. */
const optionsOf = (program: Program): Flags => program.optsWithGlobals() as Flags;

type Action = (path: string, raw: Raw, words: string[], flags: Flags) => Promise<void>;

/** The tree with one action for every leaf. */
export function buildProgram(
  version: string,
  action: Action,
  group: (noun: string) => Promise<void>,
): Program {
  const program = new Program("parley")
    .version(version, "-V, --version")
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .allowExcessArguments();
  program.addOption(new Option("-h, --help"));
  for (const row of GLOBALS as readonly GlobalFlag[]) {
    const option = new Option(row.flags, row.help);
    if (row.choices) option.choices(row.choices);
    if (row.flags === "--no-pager") option.default(true);
    program.addOption(option);
  }
  addOptions(program, SCREEN);
  const nouns = new Map<string, Program>();
  const words: Record<string, string> = { ...NOUN_WORDS, ...OWN_NOUN_WORDS };
  /** The command of a noun such as `poll`, or of a noun within one, such as `poll option`. */
  const under = (noun: string): Program => {
    let found = nouns.get(noun);
    if (!found) {
      const cut = noun.lastIndexOf(" ");
      found = (cut < 0 ? program : under(noun.slice(0, cut)))
        .command(noun.slice(cut + 1))
        .description(words[noun] ?? "")
        .helpOption(false)
        .helpCommand(false)
        .allowExcessArguments();
      for (const [alias, of] of Object.entries(NOUNS)) if (of === noun) found.alias(alias);
      found.argument("[words...]").action((given: string[], _own: object, self: Program) => {
        if (given.length && !optionsOf(self).help)
          self.error(unknown(`${noun} ${given[0]}`, self), { code: "commander.unknownCommand" });
        return group(noun);
      });
      nouns.set(noun, found);
    }
    return found;
  };
  for (const path of [...Object.keys(OWN), ...Object.keys(commands)]) {
    const definition = (OWN[path] ?? commands[path])!;
    const cut = path.lastIndexOf(" ");
    const leaf = cut < 0 ? program.command(path) : under(path.slice(0, cut)).command(path.slice(cut + 1));
    leaf.description(definition.summary).helpOption(false).argument("[words...]");
    for (const alias of definition.aliases ?? []) leaf.alias(alias);
    if (path !== "chat") addOptions(leaf, definition.args);
    if (path === "__complete") leaf.allowUnknownOption();
    leaf.action((given: string[], _own: object, self: Program) => {
      const flags = optionsOf(self);
      for (const name of path === "chat" ? [] : Object.keys(SCREEN))
        if (flags[name] !== undefined && !definition.args[name])
          self.error(`--${name} belongs to the chat screen, not to '${path}'`, {
            code: "commander.unknownOption",
          });
      return action(path, rawOf(definition.args, path === "chat" ? flags : self.opts()), given, flags);
    });
  }
  program.argument("[words...]").action((given: string[], _own: object, self: Program) => {
    if (given.length && !optionsOf(self).help)
      self.error(unknown(given[0]!, self), { code: "commander.unknownCommand" });
    const flags = optionsOf(self);
    return action("", rawOf(SCREEN, flags), [], flags);
  });
  return program;
}

function unknown(name: string, program: Program): string {
  const cut = name.lastIndexOf(" ") + 1;
  const names = program.commands.map((known) => known.name()).filter((known) => !known.startsWith("__"));
  const near = nearest(name.slice(cut), names, cut === 0 ? allPaths() : []).map((one) =>
    one.includes(" ") ? one : name.slice(0, cut) + one,
  );
  const said = [near.slice(0, -1).join(", "), near.at(-1)].filter(Boolean).join(" or ");
  return `unknown command '${name}'${said && `; did you mean ${said}?`}`;
}

/** The page to read after wrong use: that of the command as far as one was named. */
function helpFor(argv: readonly string[]): string {
  const words = argv.filter((word) => /^[a-z]/.test(word));
  const noun = NOUNS[words[0]!] ?? words[0] ?? "";
  const known = [`${noun} ${words[1]} ${words[2]}`, `${noun} ${words[1]}`, noun].find(
    (path) => OWN[path] ?? commands[path] ?? NOUN_WORDS[path] ?? OWN_NOUN_WORDS[path],
  );
  return `parley ${known === undefined ? "" : `${known} `}--help`;
}

/** One run, argv without node and script; the exit code. Nothing is thrown. */
export async function runShell(argv: readonly string[], outside: Outside): Promise<number> {
  const began = performance.now();
  const { env, streams } = outside;
  const { out, err } = streams;
  const counts = { requests: 0, items: 0, writes: 0 };
  let ran = "";
  let json = argv.some((word) => /^--(nd)?json(=|$)/.test(word));
  let code = 0;
  const forced = env.PARLEY_FORCE_TTY;
  const tty = {
    in: streams.in.isTTY === true,
    out: forced !== undefined && forced !== "" ? true : out.isTTY === true,
    err: err.isTTY === true,
    columns: Number(forced) || out.columns || 80,
  };

  const { lendInterrupt } = outside;
  const action: Action = async (path, raw, words, flags) => {
    ran = path;
    json ||= wantsJson(flags);
    if (flags.debug !== undefined && flags.debug !== "" && flags.debug !== "http")
      throw new ExitError(2, `--debug knows only http, not '${flags.debug}'.`, "Write --debug=http.");
    if (flags.help)
      return showLong(path === "" ? rootHelp() : commandHelp(path), {
        out,
        env,
        wanted: flags.pager !== false,
        lendInterrupt,
      });
    if (path === "") {
      if (!tty.in || !tty.out)
        throw new ExitError(
          2,
          "The chat screen needs a terminal.",
          "parley --help shows what works in a pipe.",
        );
      path = "chat";
    }
    const own = OWN[path];
    if (own && flags.dryRun && !own.dry)
      throw new ExitError(2, `parley ${path} has no dry run: nothing was done.`, "Leave --dry-run out.");
    const trace = flags.debug === undefined ? undefined : (line: string) => void err.write(`${line}\n`);
    const host = own?.bare
      ? undefined
      : await outside.host(settingFlags(flags), {
          ...(flags.insecure ? { insecure: true } : {}),
          ...(trace ? { trace } : {}),
          ...(flags.quiet || path === "chat"
            ? {}
            : { notice: (line: string) => void err.write(`${line}\n`) }),
          // A screen says by itself what it waits for.
          ...(tty.err && !flags.quiet && path !== "chat"
            ? { waits: (what: string) => void err.write(`${what}\n`) }
            : {}),
        });
    const color = (host?.settings.color ?? "auto") as "auto" | "always" | "never";
    const shell: Shell = {
      argv,
      flags,
      host: host!,
      settings: host?.settings ?? DEFAULTS,
      env,
      ...streams,
      tty,
      color: { out: useColor(tty.out, color, env), err: useColor(tty.err, color, env) },
      signal: outside.signal,
      lendInterrupt,
      counts,
    };
    if (own) {
      const { default: run } = await own.load();
      placeWords(own.args, words, raw);
      const values = fillArgs(own.args, raw, {
        channelType: shell.settings.channelType,
        now: Date.now(),
      });
      code = await run(shell, values, path);
    } else {
      const { runCommand } = await import("./run/run.ts");
      const run = (at: Shell): Promise<number> => runCommand(at, path, commands[path]!, raw, words);
      code = PAGED.has(path) ? await paged(shell, run) : await run(shell);
    }
  };

  try {
    const program = buildProgram(outside.version, action, async (noun) => {
      const asked = argv.includes("--help") || argv.includes("-h");
      code = asked ? 0 : 2;
      if (!asked) return void err.write(nounHelp(noun));
      await showLong(nounHelp(noun), { out, env, wanted: !argv.includes("--no-pager"), lendInterrupt });
    });
    program.configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: () => {},
      outputError: () => {},
    });
    await program.parseAsync(bareOptionals(argv), { from: "user" });
  } catch (error) {
    if (
      error instanceof CommanderError &&
      (error.code === "commander.version" || error.code === "commander.helpDisplayed")
    ) {
      code = 0;
    } else if (outside.signal.aborted) {
      code = 130;
    } else {
      // Known by its class: a minified bundle has no class names.
      const problem = readProblem(
        error instanceof CommanderError ? new ExitError(2, spoken(error.message)) : error,
      );
      code = problem.exit;
      if (
        code === 2 &&
        problem.hint === undefined &&
        !(error instanceof Error && error.name === "ConfigError")
      )
        problem.hint = ran === "" ? helpFor(argv) : `parley ${ran} --help`;
      if (!(code === 130 && problem.message === "Cancelled."))
        err.write(json ? problemJson(problem) : problemText(problem));
      if (env.PARLEY_DEBUG && error instanceof Error) err.write(`${error.stack}\n`);
    }
  }
  if (env.PARLEY_RUN_SUMMARY && env.PARLEY_RUN_SUMMARY !== "0") {
    const ms = Math.round(performance.now() - began);
    err.write(
      `${JSON.stringify({ schema_version: 1, command: ran || "chat", exit: code, duration_ms: ms, ...counts })}\n`,
    );
  }
  return code;
}
