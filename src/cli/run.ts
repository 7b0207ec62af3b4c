/** Runs an operation of commands/ from the shell: wakes as much of core as it needs, asks, guards, prints, and ends with a code. */
import { fillArgs, placeWords } from "../commands/args.ts";
import type { Raw } from "../commands/args.ts";
import type { Args, Call, Command, Page } from "../commands/kit.ts";
import type { Core } from "../core/core.ts";
import type { Opened } from "../open.ts";
import type { Message } from "../wire/message.ts";
import { ExitError } from "./exit.ts";
import { Plan, guardCore } from "./guard.ts";
import { jsonText } from "./paint/json.ts";
import { formOf, openResults } from "./paint/results.ts";
import { openProgress } from "./progress.ts";
import { confirm } from "./prompts.ts";
import type { Shell } from "./shell.ts";
import { say } from "./shell.ts";
import { readStdin, write } from "./stdio.ts";

/** The paging flags. Throws `ExitError` 2 for numbers that are none. */
export function readPage(shell: Shell): Page {
  const { flags, settings } = shell;
  const size = flags.pageSize === undefined ? undefined : Number(flags.pageSize);
  if (size !== undefined && !(Number.isInteger(size) && size > 0))
    throw new ExitError(2, `--page-size must be a whole number from 1, not '${flags.pageSize}'.`);
  if (flags.all && flags.limit !== undefined) throw new ExitError(2, "--all and --limit exclude each other.");
  if (!flags.all && settings.limit < 1) throw new ExitError(2, "--limit must be a whole number from 1.");
  return {
    limit: flags.all ? Infinity : settings.limit,
    ...(size === undefined ? {} : { size }),
    ...(flags.next === undefined ? {} : { next: flags.next }),
    more: (next) => say(shell, `more with --next ${next}`),
  };
}

/** A core behind the guard, as the flags say. */
export function guarded(shell: Shell, opened: Opened, what: string): Core {
  const { flags, settings } = shell;
  return guardCore(opened.core, {
    dry: flags.dryRun === true,
    timeout: settings.timeout,
    retries: settings.retries,
    signal: shell.signal,
    now: () => Date.now(),
    told: (op, outcome, ms) => {
      shell.counts.requests++;
      if (flags.verbose) say(shell, `${op} ${outcome} ${Math.round(ms)} ms`);
    },
    ...(opened.profile.protected
      ? {
          beforeWrite: () =>
            confirm(shell, {
              level: "moderate",
              question: `Profile ${opened.profile.name} is protected: ${what}?`,
            }),
        }
      : {}),
  });
}

/** Where the caller stands: `-c` is filled by the row itself; environment, project, config and profile follow. */
export function standing(shell: Shell): { here?: string; channelType: string; now: number } {
  const here = shell.settings.channel || shell.host.profileOf(shell.settings.profile)?.channel;
  return { ...(here ? { here } : {}), channelType: shell.settings.channelType, now: Date.now() };
}

/** The plan of a dry run: the same forms as a real result, with `dry_run: true`. */
export async function showPlan(shell: Shell, plan: Plan): Promise<void> {
  const form = formOf(shell);
  if (form === "json" || form === "ndjson" || form === "jq")
    return write(shell.out, `${jsonText({ dry_run: true, ...plan.plan }, false)}\n`);
  const { operation, method, path, body } = plan.plan;
  const lines = [`would send ${operation}: ${method} ${path}`];
  if (body !== undefined) lines.push(jsonText(body, true));
  lines.push("nothing was sent");
  await write(shell.out, `${lines.join("\n")}\n`);
}

export interface RunOptions {
  /** Stays in the outbox and counts as done when it cannot be sent now. */
  queue?: boolean;
}

const OUTBOX = new Set(["send", "message send"]);

/** One operation, start to end; the exit code. */
export async function runCommand(
  shell: Shell,
  path: string,
  command: Command,
  raw: Raw,
  words: readonly string[],
  options: RunOptions = {},
): Promise<number> {
  placeWords(command.args, words, raw);
  const args = fillArgs(command.args, raw, standing(shell)) as never;
  const page = readPage(shell);
  formOf(shell);
  const question = command.confirm?.(args);
  if (question && !shell.flags.dryRun) await confirm(shell, question);
  const opened = await shell.host.open({
    ...(command.needs === "secret" ? { server: true } : {}),
    // Only a message that is really sent goes through the outbox on disk.
    forgetful: !OUTBOX.has(path) || shell.flags.dryRun === true,
    sendWait: { waitMs: shell.settings.maxWait, withdraw: !options.queue },
  });
  try {
    if (command.needs === "live") await opened.connect();
    return await runOn(shell, path, command, args, page, opened, options);
  } finally {
    await opened.close();
  }
}

async function runOn(
  shell: Shell,
  path: string,
  command: Command,
  args: never,
  page: Page,
  opened: Opened,
  options: RunOptions,
): Promise<number> {
  const core = settledSends(shell, guarded(shell, opened, path), opened.core, options);
  const progress = openProgress(shell);
  const call: Call<Args> = {
    args,
    core,
    channelType: shell.settings.channelType,
    page,
    signal: shell.signal,
    progress: progress.step,
    dry: shell.flags.dryRun === true,
    now: () => Date.now(),
    random: () => crypto.randomUUID(),
    input: readStdin,
  };
  try {
    const result = command.run(call);
    if (Symbol.asyncIterator in result) {
      const results = openResults(shell, true);
      let given = 0;
      for await (const item of result) {
        shell.signal.throwIfAborted();
        await results.item(item, command.show?.(item, args));
        if (++given >= page.limit) break;
      }
      progress.end();
      await results.end();
      return given === 0 && shell.flags.exitStatus ? 3 : 0;
    }
    const value = await result;
    progress.end();
    const results = openResults(shell, false);
    await results.item(value, command.show?.(value, args));
    await results.end();
    return 0;
  } catch (error) {
    progress.end();
    if (!(error instanceof Plan)) throw error;
    await showPlan(shell, error);
    return 0;
  }
}

/** Decisions 17: a send that got no answer is looked up by its id; not there to see → exit 11 with the way to look. */
function settledSends(shell: Shell, core: Core, plain: Core, options: RunOptions): Core {
  return new Proxy(core, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key === "upload")
        return async (...given: Parameters<Core["upload"]>) => {
          if (given[1] !== "-") return target.upload(...given);
          const { spoolStdin } = await import("./spool.ts");
          const spool = await spoolStdin();
          try {
            return await target.upload(given[0], spool.file, given[2]);
          } finally {
            spool.remove();
          }
        };
      if (key !== "send") return value;
      return (...given: Parameters<Core["send"]>) => {
        const sent = target.send(...given);
        const outcome = sent.outcome.then(async (end) => {
          // Checks of our own throw before the outbox holds a row: this one was taken back because nothing could be sent.
          if (end.state === "failed" && end.error.name === "LocalError")
            throw new ExitError(
              10,
              "the message was not sent: the provider cannot be reached",
              "run the same command again, or add --queue",
            );
          if (end.state !== "waiting" || options.queue) return end;
          const found = await lookFor(plain, end.message.id, shell.signal);
          if (found) return { state: "received" as const, message: found };
          throw new ExitError(
            11,
            "no answer came: the message may have been sent",
            `parley message get ${end.message.id}`,
          );
        });
        return {
          get id() {
            return sent.id;
          },
          outcome,
        };
      };
    },
  });
}

async function lookFor(core: Core, id: string, signal: AbortSignal): Promise<Message | undefined> {
  try {
    return (await core.call("getMessage", { path: { id }, signal, retries: 2 })).message;
  } catch {
    return undefined;
  }
}
