/** Runs the check of a provider: people and a channel of its own are made, each step is judged, and all is removed. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Core } from "../../../../core/core.ts";
import { makeTemporaryFolder } from "../../../../model/files/temporary-folder.ts";
import { ApiError, TransportError } from "../../../../model/errors.ts";
import { CommandError } from "../../../../commands/base/define-command.ts";
import { isRouteAbsent } from "../../../../wire/errors.ts";
import { rateLimitOf } from "../../../../wire/rate-limits.ts";
import type { Opened, OpenOptions } from "../../../../open.ts";
import { NO_LONG_POLL } from "../../../../model/transport.ts";
import {
  Absence,
  agree,
  Difference,
  FILE_TEXT,
  Made,
  CheckPace,
  Probe,
  Skip,
  type Patience,
} from "./probe.ts";
import { CHECK_STEPS, readStep, type Step } from "./steps.ts";

/** `fits`: as documented; `absent`: the provider has no such call; `refused`: this user may not; `failed`: no answer. */
export type Verdict = "fits" | "differs" | "absent" | "refused" | "failed" | "skipped";

export interface Judged {
  step: string;
  verdict: Verdict;
  ms: number;
  /** What differs, or why it was not done; may quote the provider. */
  why?: string;
  http?: number;
  code?: number;
}

interface CheckOptions extends Patience {
  open(options: OpenOptions): Promise<Opened>;
  /** Whether the profile has the app's secret. */
  hasSecret: boolean;
  /** Whether the connection is to be made by long polling: a setting. */
  polls: boolean;
  /** Who is checked; by default the profile's user, or with the secret a person made for it. */
  as: string | undefined;
  readOnly: boolean;
  signal: AbortSignal;
  /** Lower-case letters and digits that nothing else begins with. */
  random: string;
  onStep(judged: Judged): Promise<void>;
  /** Called in the end with what could not be removed, in words. */
  onLeft(left: readonly string[]): void;
}

const CONNECT = "connect";
const CONNECT_BY_POLLING = "connect by long polling";
const LIMITS = "rate limits in the headers";

/** All that a check would do, in order. */
export function plannedSteps({
  hasSecret,
  readOnly,
}: Pick<CheckOptions, "hasSecret" | "readOnly">): string[] {
  const people = hasSecret && !readOnly ? ["would write: make two people"] : [];
  const steps = CHECK_STEPS.filter(({ kind }) => kind === "read" || !readOnly);
  const end = readOnly ? [] : ["would write: remove what was made"];
  const reads = (name: string): string => `would read: ${name}`;
  return [
    ...people,
    ...[CONNECT, CONNECT_BY_POLLING].map(reads),
    ...steps.map(({ name, kind }) => (kind === "read" ? reads(name) : `would write: ${name}`)),
    reads(LIMITS),
    ...end,
  ];
}

/** Everything that a step names is its own and was just made: a 404 is about the call. */
function refusalOf(error: ApiError): Verdict {
  if (isRouteAbsent(error)) return "absent";
  if (error.status === 401 || error.status === 403) return "refused";
  return error.status >= 500 || error.status === 429 ? "failed" : "differs";
}

function verdictOf(error: unknown): Pick<Judged, "verdict" | "why" | "http" | "code"> {
  if (error instanceof Skip) return { verdict: "skipped", why: error.message };
  if (error instanceof Difference) return { verdict: "differs", why: error.message };
  if (error instanceof Absence) return { verdict: "absent", why: error.message };
  if (error instanceof TransportError)
    return { verdict: error.kind === "badAnswer" ? "differs" : "failed", why: error.message };
  if (!(error instanceof ApiError)) return { verdict: "failed", why: String(error) };
  const { status: http, code, message: why } = error;
  return { verdict: refusalOf(error), why, http, ...(code === undefined ? {} : { code }) };
}

/** What answers and events had so far that is not as documented, with how often. */
const oddCounts = ({ user }: Probe): Map<string, number> =>
  new Map(user.oddities().map(({ field, count }) => [field, count]));

/** The client forgives what it can do without; the check does not. */
function requireNothingOdd(probe: Probe, before: ReadonlyMap<string, number>): void {
  const fields = [...oddCounts(probe)].filter(
    ([field, count]) => count > (before.get(field) ?? 0) && probe.isOfStep(field),
  );
  const named = fields.map(([field]) => field).join(", ");
  agree(named === "", `filled in or left out, because it is not as documented: ${named}`);
}

async function judge({ name, run }: Step, probe: Probe): Promise<Judged> {
  const [began, before] = [performance.now(), oddCounts(probe)];
  probe.begin();
  // A step may throw before its first call: what it stands on was not made.
  const outcome = await Promise.resolve()
    .then(() => run(probe))
    .then(() => requireNothingOdd(probe, before))
    .then(
      () => ({ verdict: "fits" as const }),
      (error: unknown) => verdictOf(error),
    );
  probe.signal.throwIfAborted();
  return { step: name, ms: Math.round(performance.now() - began), ...outcome };
}

/**
 * Makes people: a second one, and one to check unless there is a wish. They are removed without the signal of the run,
 * so also after Ctrl-C. Returns who is checked, and the second.
 */
async function makePeople(server: Core, { random, as }: CheckOptions, made: Made): Promise<[string, string]> {
  const ids = ["a", "b"].map((end) => `parley-${random}-${end}`) as [string, string];
  const user_ids = as === undefined ? ids : ids.slice(1);
  const users = Object.fromEntries(user_ids.map((id) => [id, { id, role: "user" }]));
  const all = { user: "hard", messages: "hard", conversations: "hard" } as const;
  await made.making(
    `the people ${user_ids.join(" and ")}`,
    () => server.call("deleteUsers", { body: { user_ids, ...all } }),
    () => server.call("upsertUsers", { body: { users } }),
  );
  return [as ?? ids[0], ids[1]];
}

function temporaryFile(made: Made): string {
  const folder = makeTemporaryFolder();
  made.add(folder, async () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "test.txt");
  writeFileSync(file, FILE_TEXT);
  return file;
}

function lacksLongPoll(error: Error): never {
  throw error.message.includes(NO_LONG_POLL) ? new Absence(error.message) : error;
}

/** Opens the clients; the steps before and after those of the table are about what only the one who opens them knows. */
async function openAll(
  options: CheckOptions,
  made: Made,
  pace: CheckPace,
): Promise<{ probe: Probe; before: Step[]; after: Step[] }> {
  const { hasSecret, readOnly, signal, random } = options;
  const open = async (what: Parameters<CheckOptions["open"]>[0]): Promise<Opened> => {
    const opened = await options.open(what);
    made.add("a connection", opened.close);
    return opened;
  };
  const server = hasSecret && !readOnly ? (await open({ server: true })).core : undefined;
  const [me, someone] = server ? await makePeople(server, options, made) : [options.as];
  const as = me === undefined ? {} : { user: me };
  let isLimitKnown = false;
  const onAnswer = (headers: Readonly<Record<string, string>>): void =>
    void (isLimitKnown ||= rateLimitOf(headers) !== undefined);
  const opened = await open({ ...as, onAnswer });
  if (opened.user.id === "") throw new CommandError("usage", "This needs a user.", "Add --as <user>.");
  const other = someone === undefined ? undefined : (await open({ user: someone })).core;
  const file = readOnly ? "" : temporaryFile(made);
  const probe = new Probe({ user: opened.core, server, other, file, made, pace, signal, random });
  return {
    probe,
    before: [
      readStep(CONNECT, async () => {
        const { id } = await opened.connect();
        probe.isConnected = true;
        agree(id === probe.me, "it signed in as another user");
        const { transport } = opened.core.state().link;
        agree(
          transport === "websocket" || options.polls,
          "no WebSocket could be opened, so it signed in by long polling",
        );
      }),
      readStep(CONNECT_BY_POLLING, async () => {
        const polling = await open({ ...as, transport: "longpoll" });
        const { id } = await polling.connect().catch(lacksLongPoll);
        agree(id === probe.me, "it signed in as another user");
      }),
    ],
    after: [readStep(LIMITS, async () => agree(isLimitKnown, "no answer had X-RateLimit headers"))],
  };
}

/** Runs all steps, and removes what they made. Rejects when it is aborted, or when nothing can be opened. */
export async function checkProvider(options: CheckOptions): Promise<void> {
  const pace = new CheckPace(options);
  const made = new Made(pace);
  try {
    const { probe, before, after } = await openAll(options, made, pace);
    for (const each of [...before, ...CHECK_STEPS, ...after])
      if (each.kind === "read" || !options.readOnly) await options.onStep(await judge(each, probe));
  } finally {
    options.onLeft(await made.remove());
  }
}
