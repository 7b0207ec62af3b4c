/** Runs a shared command from the shell: opens the client, confirms, guards writes, prints results, and returns the exit code. */
import { createReadStream, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { fillArgs, assignPositionals, readChannel, type ArgDefaults } from "../../commands/base/args.ts";
import { startCommand, type StartedCommand } from "../../commands/base/start-command.ts";
import { targetOf } from "../../commands/base/bulk/report-run.ts";
import type {
  Args,
  Call,
  Command,
  Machine,
  RunIdentity,
  RawArgs,
} from "../../commands/base/define-command.ts";
import type { CallDefaults, Core } from "../../core/core.ts";
import { changeScreenOutbox } from "../../config/screens.ts";
import type { Host, Opened, ReadSource } from "../../open.ts";
import { campaignFolder, storeFiles } from "../../config/app-folders.ts";
import { cacheDir, stateDir } from "../../config/paths.ts";
import { CAMPAIGNS_ARE_SERVER_SIDE } from "../../wire/entities/campaign.ts";
import { SETTINGS } from "../../config/settings.ts";
import { DEFAULT_UPLOAD_SIZE_LIMIT, RATE_PATIENCE } from "../../wire/constants.ts";
import { isUserId } from "../../wire/ids.ts";
import { ExitError, exitOf } from "../base/exit.ts";
import { guard, addActingUserHint, type GuardOptions } from "../base/guard.ts";
import { Plan } from "../base/plan.ts";
import { settleSend, type RunOptions } from "./one-shot.ts";
import { CursorCheck, readPage } from "./page.ts";
import { PlannedRun } from "./planned-run.ts";
import { outputForm, listExit, endlessOutput, openResults } from "../output/results.ts";
import { printLostValues } from "../base/odd-answers.ts";
import { openProgress } from "../base/progress.ts";
import { confirm, isAnsweredByFlag } from "../base/prompts.ts";
import { NameCollector } from "../base/name-collector.ts";
import { watchConnection } from "../base/watch-connection.ts";
import { type Shell, printNotice } from "../base/shell.ts";
import { readText, write, type InputStream } from "../base/stdio.ts";

/** A call waits for its rate within `--max-wait`; where nobody set that, longer than the minute of a rate limit. */
export function patienceOf({ maxWait, retries }: Shell["settings"]): number {
  if (retries === 0) return 0;
  return maxWait === SETTINGS.maxWait.default ? RATE_PATIENCE : maxWait;
}

export function callDefaults(shell: Shell): CallDefaults {
  const { settings, signal } = shell;
  return {
    timeout: settings.timeout,
    retries: settings.retries,
    signal,
    patience: patienceOf(settings),
    onPatience: waitNotice(shell),
  };
}

/** Says once how long calls wait for their rate, also where several wait for the same moment. */
export function waitNotice(shell: Shell): (ms: number) => void {
  let until = 0;
  return (ms) => {
    const end = shell.host.now() + ms;
    if (end <= until + 1000) return;
    until = end;
    printNotice(shell, `the provider limits calls: waiting ${Math.ceil(ms / 1000)} s`);
  };
}

const readOnlyError = (command: string): ExitError =>
  new ExitError(5, `${command} would change something, and only reads are allowed.`, "parley mcp --write");

export const isProtected = ({ readOnly }: Shell, { profile }: Opened): boolean =>
  profile.protected === true && !readOnly;

/** Guards the writes of an opened core as the flags and the profile require. */
export function guardedCore(
  shell: Shell,
  opened: Opened,
  command: string,
  options: Partial<Pick<GuardOptions, "isDryRun" | "onReply" | "settle" | "onPlanned" | "maxWait">> & {
    file?: string;
  } = {},
): Core {
  const { flags, audit } = shell;
  const { file } = options;
  audit.setContext({ ...shell, profile: opened.profile.name, user: opened.user.id, command, file });
  guard(opened.core, {
    isDryRun: () => flags.dryRun === true,
    ...options,
    onWrite(change) {
      shell.counts.writes++;
      audit.recordChange(change);
    },
    onCall: (op, outcome, ms) => {
      if (flags.verbose) printNotice(shell, `${op} ${outcome} ${Math.round(ms)} ms`);
    },
    ...(shell.readOnly ? { beforeWrite: () => Promise.reject(readOnlyError(command)) } : {}),
    ...(isProtected(shell, opened)
      ? {
          beforeWrite: () =>
            confirm(shell, {
              level: "moderate",
              question: `Profile ${opened.profile.name} is protected: ${command}?`,
            }),
        }
      : {}),
  });
  return opened.core;
}

/** The channels of profiles, read from the file once a run: `send --lines` needs it for every line. */
const profileChannels = new WeakMap<Shell, string | undefined>();

function profileChannel(shell: Shell): string | undefined {
  if (!profileChannels.has(shell))
    profileChannels.set(shell, shell.host.profileOf(shell.settings.profile)?.channel);
  return profileChannels.get(shell);
}

/** Defaults for arguments; the channel is that of the environment, the project, the config file or the profile. */
export function argDefaults(shell: Shell): ArgDefaults {
  const { channelType, channel } = shell.settings;
  const currentChannel = channel || profileChannel(shell);
  return { ...(currentChannel ? { currentChannel } : {}), channelType, now: shell.host.now() };
}

/** The current channel as a cid, for commands that use it only if no channel is named. */
function currentCid(shell: Shell): { currentChannel?: string } {
  const { currentChannel, channelType } = argDefaults(shell);
  return currentChannel === undefined ? {} : { currentChannel: readChannel(currentChannel, channelType) };
}

/** True if the command needs neither the cache nor the outbox of this machine. */
function usesNoStorage(
  shell: Shell,
  { needsStore }: Command,
  args: never,
  path: string,
  raw: RawArgs,
): boolean {
  if (typeof needsStore === "function") return !needsStore(args);
  return needsStore !== "alsoInDryRun" && (!(needsStore || sends(path, raw)) || shell.flags.dryRun === true);
}

/** Whether the command sends a message, which goes through the outbox on disk. */
const sends = (path: string, raw: RawArgs): boolean =>
  path === "send" || path === "message send" || (path === "upload" && raw.message === true);

/**
 * Fills the acting user of a command that runs with the app's secret. Throws `ExitError` 2 for a `--as` without effect,
 * since the user expects it to restrict permissions.
 */
async function fillActingUser(shell: Shell, path: string, command: Command, raw: RawArgs): Promise<void> {
  if (command.needs !== "secret") return;
  const actingArg = Object.entries(command.args).find(([, row]) => row.actingUser)?.[0];
  const { as } = shell.flags;
  if (actingArg === undefined && as !== undefined)
    throw new ExitError(
      2,
      `parley ${path} acts for the app, not for a user.`,
      "Leave --as out; parley api calls an operation as a user.",
    );
  if (actingArg === undefined || raw[actingArg] !== undefined) return;
  const { user } = await shell.host.identity();
  if (as !== undefined || isUserId(user)) raw[actingArg] = as ?? user;
}

/** Runs a command once and returns its exit code. */
export async function runCommand(
  shell: Shell,
  path: string,
  command: Command,
  raw: RawArgs,
  words: readonly string[],
): Promise<number> {
  assignPositionals(command.args, words, raw, argDefaults(shell));
  return runMany(shell, path, command, raw, (run) => run(raw), { accepts: { id: path === "message send" } });
}

/** What the calls of one run share: a client, and the machine it runs on. */
export type RunSession = Pick<
  Call<Args>,
  "core" | "channelType" | "dry" | "random" | "localFile" | "input"
> & {
  machine: Machine;
};

/** Runs a command once; `input` takes the place of standard input, for an argument `-`. */
export type RunOnce = (raw: RawArgs, input?: string) => Promise<number>;

/** In the place of a provider for a command that uses none. */
const NO_PROVIDER: ReadSource = {
  name: "no provider",
  user: { id: "nobody" },
  request: ({ url }) => Promise.reject(new Error(`a command without a provider asked for ${url}`)),
  socket() {
    throw new Error("a command without a provider connected");
  },
};

/** Runs a command as often as `use` calls `run`, with one client; `raw` holds the arguments that all runs share. */
export async function runMany(
  shell: Shell,
  path: string,
  command: Command,
  raw: RawArgs,
  use: (run: RunOnce, session: RunSession) => Promise<number>,
  options: RunOptions = {},
): Promise<number> {
  await fillActingUser(shell, path, command, raw);
  const args = fillArgs(command.args, raw, argDefaults(shell)) as never;
  readPage(shell);
  outputForm(shell);
  if (command.streams?.(args) === "endless") shell = endlessOutput(shell);
  const question = command.confirm?.(args);
  const mustConfirm = question !== undefined && !shell.flags.dryRun && !isAnsweredByFlag(shell, question);
  const input = inputFiles(shell, inputOptions(path, raw));
  const opened = command.offline
    ? await shell.host.openSource(NO_PROVIDER)
    : await shell.host.open({
        calls: callDefaults(shell),
        fileOf: input.fileOf,
        ...serverOptions(shell, path, command, args),
        inMemory: usesNoStorage(shell, command, args, path, raw),
        needsPlaces: true,
        sendWait: { waitMs: shell.settings.maxWait, withdraw: !options.queue },
        ...(options.queue ? { queue: true } : {}),
      });
  const names = new NameCollector(opened.places.cache);
  const needsSecret = isAsApp(command, args);
  const plan = new PlannedRun(shell, { isProtected: isProtected(shell, opened), needsSecret, question });
  let triesFirst = mustConfirm;
  const core = guardedCore(shell, opened, path, {
    isDryRun: () => triesFirst || shell.flags.dryRun === true,
    onPlanned: (call) => triesFirst || plan.add(call),
    maxWait: options.queue ? Infinity : shell.settings.maxWait,
    onReply: (reply, endpoint, args) =>
      names.collect(reply, endpoint, args as Parameters<NameCollector["collect"]>[2]),
    settle: settleSend(shell, opened, options),
    ...fileIn(raw),
  });
  try {
    const work = { operation: path, target: targetOf(command.args, args) };
    const machine = machineOf(shell, opened, { names, work, plan });
    const session = {
      core,
      machine,
      localFile: input.fileOf,
      channelType: shell.settings.channelType,
      dry: shell.flags.dryRun === true,
      random: () => crypto.randomUUID(),
    };
    if (mustConfirm) {
      await dryRunFirst(shell, command, args, session);
      triesFirst = false;
      await confirm(shell, question);
    }
    return await use((runArgs, given) => {
      opened.resetSend();
      const values = fillArgs(command.args, runArgs, argDefaults(shell)) as never;
      const read = given === undefined ? {} : { input: () => Readable.from([given]) };
      return runOn(shell, command, values, {
        ...session,
        path: path === "send" ? "message send" : path,
        plan,
        ...read,
      });
    }, session);
  } catch (error) {
    throw await input.named(error);
  } finally {
    // The calls planned before a failure are shown, too.
    if (!plan.isEmpty) await plan.show();
    names.save();
    printLostValues(shell, opened.core);
    await opened.close();
    await input.remove();
  }
}

/** Exit codes that end a command whatever its user would answer, so nobody is asked. */
const FATAL_BEFORE_QUESTION: ReadonlySet<number> = new Set([3, 4, 5, 10]);

/** Before a question, makes a silent dry run; throws if the command fails whatever the answer. */
async function dryRunFirst(
  shell: Shell,
  command: Command,
  args: never,
  { machine, ...session }: RunSession & { machine: Machine },
): Promise<void> {
  // Standard input can be read only once, and the real run needs it.
  if (Object.values(args).includes("-" as never)) return;
  const progress = openProgress(shell);
  const silent = { requireAnswer: () => {}, ask: () => Promise.resolve(undefined) };
  const { page } = new CursorCheck(readPage(shell));
  const tried = { ...session, dry: true, machine: { ...machine, ...silent } };
  const call = callOf(shell, args, tried, { progress, page });
  const quiet = { note: () => {}, output: () => Promise.resolve() };
  try {
    for await (const _ of startCommand(command, { ...call, ...quiet }).items);
  } catch (error) {
    if (FATAL_BEFORE_QUESTION.has(exitOf(error))) throw error;
  } finally {
    progress.end();
  }
}

/** Whether only the app itself can do this. */
const isAsApp = (command: Command, args: never): boolean =>
  command.needs === "secret" || command.asApp?.(args) === true;

/** Whether the app itself acts. */
function serverOptions(
  shell: Shell,
  path: string,
  command: Command,
  args: never,
): Pick<NonNullable<Parameters<Host["open"]>[0]>, "server" | "serverOnly"> {
  if (isAsApp(command, args)) return { server: true, ...serverOnlyOf(path) };
  return shell.flags.as === undefined && command.prefersApp?.(args) ? { server: "ifPossible" } : {};
}

/** What the specification says without a secret (CA-1). */
const serverOnlyOf = (path: string): { serverOnly?: string } =>
  /^(?:campaign|segment) /.test(path) ? { serverOnly: CAMPAIGNS_ARE_SERVER_SIDE } : {};

/** How the files of a command are read. */
const inputOptions = (path: string, raw: RawArgs): Parameters<typeof inputFiles>[1] => ({
  name: path === "upload" ? (raw.name as string | undefined) : undefined,
  // No provider takes a larger file.
  maxBytes: path === "upload" || sends(path, raw) ? DEFAULT_UPLOAD_SIZE_LIMIT : undefined,
});

/** A named pipe, such as `<(…)` of a shell. */
function isPipe(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    // The code that reads the file reports the error.
    return false;
  }
}

/**
 * Turns inputs into files: `-` is standard input, a pipe is read to its end, an address is downloaded, and `name` renames
 * the file. `remove` deletes the temporary files, `named` puts what was given into an error in place of their names.
 */
function inputFiles(
  shell: Shell,
  { name, maxBytes }: { name: string | undefined; maxBytes: number | undefined },
): {
  fileOf(file: string): Promise<string>;
  named(error: unknown): Promise<unknown>;
  remove(): Promise<void>;
} {
  const spools: Promise<{ file: string; remove(): void }>[] = [];
  const given = new Map<string, string>();
  const spooled = async (make: Promise<{ file: string; remove(): void }>, from: string): Promise<string> => {
    spools.push(make);
    const { file } = await make;
    given.set(file, from);
    return file;
  };
  // A stream can be read only once, so its copy is reused.
  const streams = new Map<string, Promise<string>>();
  const bytesOf = async (file: string): Promise<string> => {
    const isUrl = /^https?:\/\//.test(file);
    if (file !== "-" && !isUrl && !isPipe(file)) return file;
    const { spoolInput, spoolUrl } = await import("../base/spool.ts");
    if (isUrl) return spooled(spoolUrl(file, { signal: shell.signal, maxBytes }), file);
    const input = (): InputStream => (file === "-" ? shell.in : createReadStream(file));
    const copy = streams.get(file) ?? spooled(spoolInput(input(), { signal: shell.signal, maxBytes }), file);
    streams.set(file, copy);
    return copy;
  };
  return {
    async fileOf(file) {
      const source = await bytesOf(file);
      if (name === undefined) return source;
      const { linkAs } = await import("../base/spool.ts");
      return spooled(linkAs(source, name), file);
    },
    async named(error) {
      if (given.size === 0) return error;
      const { aboutGiven } = await import("../base/spool.ts");
      for (const [copy, from] of given) aboutGiven(error, copy, from);
      return error;
    },
    async remove() {
      for (const spool of spools) (await spool.catch(() => undefined))?.remove();
    },
  };
}

const fileIn = ({ file }: RawArgs): { file?: string } => (typeof file === "string" ? { file } : {});

/** The local services for a command; a dry run never asks, since it changes nothing. */
function machineOf(
  shell: Shell,
  opened: Opened,
  {
    names,
    work,
    plan,
  }: { names: NameCollector; work: Pick<RunIdentity, "operation" | "target">; plan: PlannedRun },
): Machine {
  const { profile, user, runsLong: announceLongRun } = opened;
  const dry = shell.flags.dryRun === true;
  const { host } = shell;
  return {
    profile: profile.name,
    folder: campaignFolder(opened.places),
    version: host.version,
    terminal: shell.tty.out,
    announceLongRun,
    sleep: async (ms, signal) => (await import("../../commands/base/poll-task.ts")).sleep(ms, signal),
    about: async () => ({
      profile: profile.name,
      user: user.id,
      app: opened.places.app,
      provider: profile.kind === "local" ? (await host.startProvider()).url : (profile.url ?? ""),
    }),
    identity: async () => {
      const { key, address = "embedded" } = opened.places;
      return { ...work, address, key, user: user.id };
    },
    dataFolders: async () => {
      const provider = profile.kind === "local" ? await host.local.erased(shell.signal) : undefined;
      const folders = { state: stateDir(shell.env), cache: cacheDir(shell.env) };
      return { ...folders, ...(provider === undefined ? {} : { provider }) };
    },
    forgetUser: async (id) => {
      names.forget(id);
      for (const file of Object.values(storeFiles(opened.places, id)))
        await rm(path.dirname(file), { recursive: true, force: true });
    },
    requireAnswer: (question) => void (dry ? plan.asked(question) : isAnsweredByFlag(shell, question)),
    ask: async (question) => (dry ? plan.asked(question) : confirm(shell, question)),
    askScreens: (act, id) =>
      changeScreenOutbox(shell.env, { profile: profile.name, folder: opened.places.state }, act, id),
    live: () => connected(shell, opened),
    onEmptyProvider: async (use) =>
      (await import("./empty-provider.ts")).onEmptyProvider(host, callDefaults(shell), use),
  };
}

/** Opens the live connection; `stopped` rejects when it ends. */
async function connected(shell: Shell, opened: Opened): Promise<{ stopped: Promise<never> }> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  watchConnection(shell, opened.core, reject);
  await opened.connect();
  return { stopped: promise };
}

function callOf(
  shell: Shell,
  args: never,
  session: RunSession,
  { progress, page }: { progress: ReturnType<typeof openProgress>; page: CursorCheck["page"] },
): Call<Args> {
  return {
    ...session,
    args,
    ...currentCid(shell),
    page,
    signal: shell.signal,
    progress: progress.step,
    note: (text) => printNotice(shell, text),
    now: () => shell.host.now(),
    input: session.input ?? (() => readText(shell.in, shell.signal)),
    output(bytes) {
      progress.end();
      return write(shell.out, bytes);
    },
  };
}

async function runOn(
  shell: Shell,
  command: Command,
  args: never,
  { path, plan, ...session }: RunSession & { path: string; plan: PlannedRun },
): Promise<number> {
  const progress = openProgress(shell);
  const cursor = new CursorCheck(readPage(shell));
  const { core } = session;
  try {
    const call = callOf(shell, args, session, { progress, page: cursor.page });
    const { list, ...started } = startCommand(command, call);
    const streams = command.streams?.(args) !== undefined;
    const { describe } = plan;
    const printed = await printItems(shell, { list, ...started }, progress.end, {
      cursor,
      streams,
      changes: command.changes,
      path,
      describe,
    });
    return list ? listExit(shell, printed) : 0;
  } catch (error) {
    progress.end();
    if (exitOf(error) === 3 && shell.argv.some((word) => word.startsWith("#")))
      await (await import("./channel-hint.ts")).hintOtherType(core, shell, error);
    if (core.userId === undefined && !isAsApp(command, args)) addActingUserHint(error);
    if (!(error instanceof Plan)) throw cursor.mapError(error);
    return 0;
  }
}

/** Prints the results and returns their number. */
async function printItems(
  shell: Shell,
  { list, items, emptyView }: StartedCommand,
  progressEnd: () => void,
  {
    cursor,
    streams,
    changes,
    path,
    describe,
  }: {
    cursor: CursorCheck;
    streams: boolean;
    changes: Command["changes"];
    path: string;
    describe(value: unknown): unknown;
  },
): Promise<number> {
  const results = openResults(shell, list, list && streams, path);
  const { page } = cursor;
  let count = 0;
  try {
    for await (const { value, view } of items) {
      if (list) {
        shell.signal.throwIfAborted();
        cursor.requireRead();
      }
      // One item beyond the limit was requested to know whether there are more. A command that changes something is not
      // stopped half-way, whether or not it has found anything to change so far.
      if (count >= page.limit && changes === "nothing" && !streams) {
        page.onMore?.();
        break;
      }
      count++;
      if (!list) progressEnd();
      await results.item(describe(value), view);
    }
  } catch (error) {
    // The items before the error still form a complete document.
    if (count > 0 && !(error instanceof Plan)) await results.end();
    throw error;
  }
  if (list) cursor.requireRead();
  progressEnd();
  await results.end(emptyView);
  return count;
}
