/** Runs an operation of commands/ from the shell: opens what it needs of core, asks, guards, prints, and gives the exit code. */
import { createReadStream, statSync } from "node:fs";
import { fillArgs, placeWords, readChannel, type Raw } from "../../commands/base/args.ts";
import { commands } from "../../commands/index.ts";
import { startCommand, type Started } from "../../commands/base/start-command.ts";
import type { Args, CommandCall, Command, Machine } from "../../commands/base/define-command.ts";
import type { CallDefaults, Core } from "../../core/core.ts";
import { changeScreenOutbox } from "../../config/screens.ts";
import type { Opened } from "../../open.ts";
import { campaignFolder } from "../../config/paths.ts";
import { isUserId } from "../../wire/ids.ts";
import { ExitError, exitOf } from "../base/exit.ts";
import { Plan, guard, needsUser, type GuardOptions } from "../base/guard.ts";
import { settling, type RunOptions } from "./one-shot.ts";
import { PlaceCheck, readPage } from "./page.ts";
import { jsonText } from "../output/json.ts";
import { outputForm, listExit, neverEnds, openResults } from "../output/results.ts";
import { openProgress } from "../base/progress.ts";
import { confirm, isAnswered } from "../base/prompts.ts";
import { Seen } from "../base/seen.ts";
import { watchLink } from "../base/link.ts";
import { type Shell, say } from "../base/shell.ts";
import { readText, write, type InputStream } from "../base/stdio.ts";

/** What all calls of a run begin with, as the settings say. */
export function callsOf({ settings, signal }: Shell): CallDefaults {
  return { timeout: settings.timeout, retries: settings.retries, signal };
}

const readOnly = (what: string): ExitError =>
  new ExitError(5, `${what} would change something, and only reads are allowed.`, "parley mcp --write");

/** The core that was opened, guarded as the flags and the profile say. */
export function guardedCore(
  shell: Shell,
  opened: Opened,
  what: string,
  more: Partial<Pick<GuardOptions, "seen" | "settle" | "planned" | "dry">> & { file?: string } = {},
): Core {
  const { flags, audit } = shell;
  const { file } = more;
  audit.of({ ...shell, profile: opened.profile.name, user: opened.user.id, command: what, file });
  guard(opened.core, {
    dry: () => flags.dryRun === true,
    ...more,
    writes(change) {
      shell.counts.writes++;
      audit.changes(change);
    },
    told: (op, outcome, ms) => {
      if (flags.verbose) say(shell, `${op} ${outcome} ${Math.round(ms)} ms`);
    },
    ...(shell.readOnly ? { beforeWrite: () => Promise.reject(readOnly(what)) } : {}),
    ...(opened.profile.protected && !shell.readOnly
      ? {
          beforeWrite: () =>
            confirm(shell, {
              level: "moderate",
              question: `Profile ${opened.profile.name} is protected: ${what}?`,
            }),
        }
      : {}),
  });
  return opened.core;
}

/** Where the caller stands: `-c` is filled by the row itself; environment, project, config and profile follow. */
export function argDefaults(shell: Shell): { here?: string; channelType: string; now: number } {
  const here = shell.settings.channel || shell.host.profileOf(shell.settings.profile)?.channel;
  return { ...(here ? { here } : {}), channelType: shell.settings.channelType, now: shell.host.now() };
}

/** The same as a cid, for commands that ask where they are only when nothing else was named. */
function hereOf(shell: Shell): { here?: string } {
  const { here, channelType } = argDefaults(shell);
  return here === undefined ? {} : { here: readChannel(here, channelType) };
}

/** The plan of a dry run: the same forms as a real result, with `dry_run: true`; several calls are a list. */
export async function showPlan(shell: Shell, ...plans: readonly Plan["plan"][]): Promise<void> {
  const form = outputForm(shell);
  const told = plans.map((plan) => ({ dry_run: true, ...plan }));
  if (form === "jq" || form === "template") {
    const results = openResults(shell, told.length > 1);
    for (const plan of told) await results.item(plan, undefined);
    return results.end();
  }
  if (form === "json" && told.length > 1) return write(shell.out, `${jsonText(told, false)}\n`);
  if (form === "json" || form === "ndjson") {
    for (const plan of told) await write(shell.out, `${jsonText(plan, false)}\n`);
    return;
  }
  for (const { operation, method, path, body } of plans) {
    const lines = [`would send ${operation}: ${method} ${path}`];
    if (body !== undefined) lines.push(jsonText(body, true));
    await write(shell.out, `${lines.join("\n")}\n`);
  }
  await write(shell.out, "nothing was sent\n");
}

/** Nothing of this machine's is read or kept. */
function isForgetful(shell: Shell, { keeps }: Command, args: never, path: string, raw: Raw): boolean {
  if (typeof keeps === "function") return !keeps(args);
  return keeps !== "to look" && (!(keeps || sends(path, raw)) || shell.flags.dryRun === true);
}

/** Only what is really sent as a message goes through the outbox on disk. */
const sends = (path: string, raw: Raw): boolean =>
  path === "send" || path === "message send" || (path === "upload" && raw.message === true);

/**
 * Where the app's secret speaks, a user is one who is named. Throws `ExitError` 2 for a `--as` that would change nothing:
 * whoever gives it means the rights of that user.
 */
async function actor(shell: Shell, path: string, command: Command, raw: Raw): Promise<void> {
  if (command.needs !== "secret") return;
  const by = Object.entries(command.args).find(([, row]) => row.acts)?.[0];
  const { as } = shell.flags;
  if (by === undefined && as !== undefined)
    throw new ExitError(2, `parley ${path} acts for the app, not for a user: leave --as out.`);
  if (by === undefined || raw[by] !== undefined) return;
  const { user } = await shell.host.identity();
  if (as !== undefined || isUserId(user)) raw[by] = as ?? user;
}

/** One operation, start to end; the exit code. */
export async function runCommand(
  shell: Shell,
  path: string,
  command: Command,
  raw: Raw,
  words: readonly string[],
): Promise<number> {
  placeWords(command.args, words, raw);
  const takes = { id: path === "message send" };
  return runMany(shell, path, command, raw, (run) => run(raw), { takes });
}

/** One operation as often as `use` runs it, by one client; `raw` is what all its runs have in common. */
export async function runMany(
  shell: Shell,
  path: string,
  command: Command,
  raw: Raw,
  use: (run: (raw: Raw) => Promise<number>) => Promise<number>,
  options: RunOptions = {},
): Promise<number> {
  await actor(shell, path, command, raw);
  const args = fillArgs(command.args, raw, argDefaults(shell)) as never;
  readPage(shell);
  const form = outputForm(shell);
  if (
    command.streams?.(args) === "endless" &&
    (form === "json" || (form === "jq" && shell.flags.json !== undefined))
  )
    throw neverEnds();
  const question = command.confirm?.(args);
  const asks = question !== undefined && !shell.flags.dryRun && !isAnswered(shell, question);
  const input = spoolOf(shell, path === "upload" ? (raw.name as string | undefined) : undefined);
  const opened = await shell.host.open({
    calls: callsOf(shell),
    fileOf: input.fileOf,
    ...(command.needs === "secret" || command.asApp?.(args) ? { server: true } : {}),
    forgetful: isForgetful(shell, command, args, path, raw),
    sendWait: { waitMs: shell.settings.maxWait, withdraw: !options.queue },
    ...(options.queue ? { queue: true } : {}),
  });
  const seen = new Seen(shell.env);
  const plans: Plan["plan"][] = [];
  let rehearsed = !asks;
  const core = guardedCore(shell, opened, path, {
    dry: () => !rehearsed || shell.flags.dryRun === true,
    planned: (plan) => void (rehearsed && plans.push(plan)),
    seen: (reply, asked) => seen.look(reply, asked),
    settle: settling(shell, opened, options),
    ...fileIn(raw),
  });
  try {
    if (asks) {
      await rehearse(shell, command, args, { core, machine: machineOf(shell, opened), fileOf: input.fileOf });
      rehearsed = true;
      await confirm(shell, question);
    }
    return await use((given) => {
      opened.again();
      const values = fillArgs(command.args, given, argDefaults(shell)) as never;
      return runOn(shell, command, values, {
        core,
        plans,
        machine: machineOf(shell, opened),
        fileOf: input.fileOf,
      });
    });
  } finally {
    seen.end();
    await opened.close();
    await input.remove();
  }
}

/** A named pipe, and what `<(…)` of a shell stands for. */
function isPipe(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    // Whoever reads it says what is wrong with it.
    return false;
  }
}

/**
 * Files that are none yet: `-` is standard input, a pipe is read to its end, an address is fetched, and `name` is what a
 * file is called. They go away with the run.
 */
function spoolOf(
  shell: Shell,
  name: string | undefined,
): { fileOf(file: string): Promise<string>; remove(): Promise<void> } {
  const spools: Promise<{ file: string; remove(): void }>[] = [];
  const spooled = async (make: Promise<{ file: string; remove(): void }>): Promise<string> => {
    spools.push(make);
    return (await make).file;
  };
  // What can be read once is kept for those who read it again.
  const streams = new Map<string, Promise<string>>();
  const bytesOf = async (file: string): Promise<string> => {
    const isUrl = /^https?:\/\//.test(file);
    if (file !== "-" && !isUrl && !isPipe(file)) return file;
    const { spoolInput, spoolUrl } = await import("../base/spool.ts");
    if (isUrl) return spooled(spoolUrl(file, shell.signal));
    const input = (): InputStream => (file === "-" ? shell.in : createReadStream(file));
    const kept = streams.get(file) ?? spooled(spoolInput(input(), shell.signal));
    streams.set(file, kept);
    return kept;
  };
  return {
    async fileOf(file) {
      const there = await bytesOf(file);
      if (name === undefined) return there;
      const { renamed } = await import("../base/spool.ts");
      return spooled(renamed(there, name));
    },
    async remove() {
      for (const spool of spools) (await spool.catch(() => undefined))?.remove();
    },
  };
}

/** The file that a command reads its input from. */
const fileIn = ({ file }: Raw): { file?: string } => (typeof file === "string" ? { file } : {});

/** The command's own name, whatever it was called by. */
const pathOf = (command: Command): string =>
  Object.keys(commands).find((path) => commands[path] === command) ?? "";

/** A dry run changes nothing, so it asks nothing. */
function machineOf(shell: Shell, opened: Opened): Machine {
  const { profile, user, runsLong } = opened;
  const dry = shell.flags.dryRun === true;
  const { host } = shell;
  return {
    profile: profile.name,
    folder: campaignFolder(shell.env, profile.name),
    version: host.version,
    terminal: shell.tty.out,
    runsLong,
    about: async () => ({
      profile: profile.name,
      user: user.id,
      provider: profile.kind === "local" ? (await host.startProvider()).url : (profile.url ?? ""),
    }),
    needAnswer: (question) => void (dry || isAnswered(shell, question)),
    ask: async (question) => (dry ? undefined : confirm(shell, question)),
    askScreens: (act, id) => changeScreenOutbox(shell.env, profile.name, act, id),
    live: () => connected(shell, opened),
  };
}

/** The live connection, until the run closes it. */
async function connected(shell: Shell, opened: Opened): Promise<{ stopped: Promise<never> }> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  watchLink(shell, opened.core, reject);
  await opened.connect();
  return { stopped: promise };
}

/** What a command is given of a run. */
type Given = Pick<CommandCall<Args>, "core" | "fileOf"> & { machine: Machine };

/** Not there, not signed in, not allowed, not reached: whatever one answers, it ends so. */
const SPARES_QUESTION: ReadonlySet<number> = new Set([3, 4, 5, 10]);

/** Throws what is not there before anybody is asked about it: a dry run of what is to come, which prints nothing. */
async function rehearse(shell: Shell, command: Command, args: never, given: Given): Promise<void> {
  // Standard input can be read only once, and the real run needs it.
  if (Object.values(args).includes("-" as never)) return;
  const progress = openProgress(shell);
  const { page } = new PlaceCheck(readPage(shell));
  const machine: Machine = { ...given.machine, needAnswer: () => {}, ask: () => Promise.resolve(undefined) };
  const call = callOf(shell, args, { ...given, machine }, { progress, page });
  try {
    for await (const _ of startCommand(command, {
      ...call,
      dry: true,
      tell: () => {},
      output: () => Promise.resolve(),
    }).items);
  } catch (error) {
    if (SPARES_QUESTION.has(exitOf(error))) throw error;
  } finally {
    progress.end();
  }
}

function callOf(
  shell: Shell,
  args: never,
  { core, machine, fileOf }: Given,
  { progress, page }: { progress: ReturnType<typeof openProgress>; page: PlaceCheck["page"] },
): CommandCall<Args> {
  return {
    args,
    core,
    ...hereOf(shell),
    channelType: shell.settings.channelType,
    page,
    signal: shell.signal,
    progress: progress.step,
    tell: (text) => say(shell, text),
    dry: shell.flags.dryRun === true,
    now: () => shell.host.now(),
    random: () => crypto.randomUUID(),
    input: () => readText(shell.in, shell.signal),
    ...(fileOf && { fileOf }),
    output(bytes) {
      progress.end();
      return write(shell.out, bytes);
    },
    machine,
  };
}

async function runOn(
  shell: Shell,
  command: Command,
  args: never,
  { plans, ...given }: Given & { plans: Plan["plan"][] },
): Promise<number> {
  const progress = openProgress(shell);
  const place = new PlaceCheck(readPage(shell));
  const { core } = given;
  try {
    const call = callOf(shell, args, given, { progress, page: place.page });
    const { list, items } = startCommand(command, call);
    const streams = command.streams?.(args) !== undefined;
    const path = pathOf(command);
    const printed = await printItems(shell, { list, items }, progress.end, { place, streams, path });
    return list ? listExit(shell, printed) : 0;
  } catch (error) {
    progress.end();
    // What would happen is shown also where something of it would fail.
    if (plans.length > 0) await showPlan(shell, ...plans.splice(0));
    if (exitOf(error) === 3 && shell.argv.some((word) => word.startsWith("#")))
      await (await import("./meant-channel.ts")).hintMeant(core, shell, error);
    if (core.userId === undefined && command.needs !== "secret") needsUser(error);
    if (!(error instanceof Plan)) throw place.meant(error);
    return 0;
  }
}

/** Prints what comes, and says how much it was. */
async function printItems(
  shell: Shell,
  { list, items }: Started,
  progressEnd: () => void,
  { place, streams, path }: { place: PlaceCheck; streams: boolean; path: string },
): Promise<number> {
  const results = openResults(shell, list, list && streams, path);
  const { page } = place;
  let given = 0;
  try {
    for await (const { value, view } of items) {
      if (list) {
        shell.signal.throwIfAborted();
        place.needTaken();
      }
      // A list ends where enough was seen, and was asked once more, so that it could say where the next run goes on, or
      // that there is more; what changes things as it goes is not left half done.
      if (given >= page.limit && shell.counts.writes === 0 && !streams) {
        page.more?.();
        break;
      }
      given++;
      if (!list) progressEnd();
      await results.item(value, view);
    }
  } catch (error) {
    // What came before it is a whole document too.
    if (given > 0 && !(error instanceof Plan)) await results.end();
    throw error;
  }
  if (list) place.needTaken();
  progressEnd();
  await results.end();
  return given;
}
