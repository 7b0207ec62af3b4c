/** What a run of the shell adds to each change that core is about to make: the plan of a dry run, the question of a protected profile. */
import { endpoints, fillPath, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import type { CallReport, Core } from "../../core/core.ts";
import { withHint } from "../../model/errors.ts";
import { makeCid } from "../../wire/ids.ts";
import type { Foresight } from "./foresee.ts";
import { ExitError, exitOf, type ExitContext } from "./exit.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

/** An unsafe call of a dry run: what would have been sent. A command that has more to do goes on behind it. */
export class Plan extends Error {
  readonly plan: { operation: string; method?: string; path?: string; body?: unknown };
  constructor(plan: Plan["plan"]) {
    super(`would send ${plan.operation}`);
    this.name = "Plan";
    this.plan = plan;
  }
}

export interface GuardOptions {
  /** Whether calls are planned by now, and not made. */
  dry(): boolean;
  /** Told of each call that a dry run stops. */
  planned?(plan: Plan["plan"]): void;
  /** Told of each call that changes something, before it is made; a throw keeps it from being made. */
  writes?(change: { operation: string; path?: Record<string, string>; body?: unknown }): void;
  /** Asked once before the first unsafe call. */
  beforeWrite?(): Promise<void>;
  /** Told about each call when it has ended; milliseconds. */
  told?(op: string, outcome: string, ms: number): void;
  /** Given each answer, and what was asked. */
  seen?(reply: unknown, asked: EndpointName): void;
  /** What becomes of a message that was queued, for who sent it. */
  settle?: NonNullable<Parameters<Core["use"]>[0]["settle"]>;
}

/** What core tells by itself, of what it was sent: nobody is asked about it, and nobody would understand the question. */
const RECEIPTS: ReadonlySet<EndpointName> = new Set(["markDelivered"]);

/** Querying a channel makes it where there is none. */
const MAKES_CHANNELS: ReadonlySet<EndpointName> = new Set(["queryChannel", "queryDistinctChannel"]);

/** What shows whether a call that got no answer has made its thing; the id or name stands for `{}`. */
const LOOKS: Partial<Record<EndpointName, string>> = {
  createBlocklist: "blocklist get {}",
  createCampaign: "campaign get {}",
  createChannelType: "channel-type get {}",
  createCommand: "command get {}",
  createPermission: "permission get {}",
  createPoll: "poll get {}",
  createRole: "role list",
  createSegment: "segment get {}",
};

/** What these change is shown by no read: the preview of a command is told to its author alone, once. */
const UNSHOWN: ReadonlySet<EndpointName> = new Set(["runMessageAction"]);

interface Asked {
  path?: Record<string, string>;
  body?: { data?: unknown; id?: unknown; name?: unknown };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** What a call makes, by the name it is found with. */
const calledIn = ({ body }: Asked): string | undefined => [body?.id, body?.name].find(isText);

const cidIn = ({ path = {} }: Asked): string => (path.type && path.id ? makeCid(path.type, path.id) : "");

/** From now on nothing that changes something leaves this core unseen, whichever part of it makes the call. */
export function guard(core: Core, options: GuardOptions): void {
  let asked: Promise<void> | undefined;
  const allow = (): Promise<void> => (asked ??= options.beforeWrite?.() ?? Promise.resolve());
  /** Channels that a GET has shown to be there: querying them creates nothing. */
  const there = new Set<string>();
  /** What the calls planned so far would make, by the path that would show it. */
  const made = new Set<string>();
  let foresight: Foresight | undefined;

  const needThere = async (name: EndpointName, args: Asked): Promise<void> => {
    if (!MAKES_CHANNELS.has(name) && !there.has(cidIn(args))) await look(core, name, args, made);
  };

  core.use({
    async beforeWrite(name, given) {
      const args = given as Asked;
      // A channel that is there is only looked at by the query that would make it.
      if (name === "queryChannel" && there.has(cidIn(args)) && args.body?.data === undefined) return;
      if (options.dry()) {
        await needThere(name, args);
        const { Foresight } = await import("./foresee.ts");
        const partial = await (foresight ??= new Foresight(core)).check(name, args);
        const stopped = planned(name, args);
        const called = calledIn(args);
        if (called !== undefined) made.add(`${stopped.plan.path}/${encodeURIComponent(called)}`);
        options.planned?.(stopped.plan);
        throw partial ? Object.assign(partial, { cause: stopped }) : stopped;
      }
      if (!RECEIPTS.has(name)) {
        // Nobody is asked about what is not there.
        if (options.beforeWrite && !asked) await needThere(name, args);
        await allow();
      }
      // A receipt is no change that anybody made.
      if (!RECEIPTS.has(name)) options.writes?.({ operation: endpoints[name].op, ...args });
    },
    called(report) {
      if (report.error === undefined && report.name === "getChannel") there.add(cidIn(report.args as Asked));
      tell(report, options);
    },
    ...(options.settle && { settle: options.settle }),
  });
}

/** What a dry run would change is looked at first, where a GET shows it: what is not there ends as the real run would. */
async function look(
  core: Core,
  name: EndpointName,
  { path }: Asked,
  made: ReadonlySet<string>,
): Promise<void> {
  const shown = UNSHOWN.has(name) ? undefined : shownBy(endpoints[name].path);
  if (shown === undefined || made.has(fillPath(endpoints[shown].path, path ?? {}))) return;
  try {
    await core.call(shown, { path: path ?? {}, query: {} } as never);
  } catch (error) {
    // Whether one may see it says nothing of whether one may change it.
    if (exitOf(error) === 3) throw error;
  }
}

function planned(name: EndpointName, { path, body }: Asked): Plan {
  const row: EndpointRow = endpoints[name];
  // Of a channel between people only the people matter: the rest asks for its first page.
  const shown = name === "queryDistinctChannel" ? { data: body?.data } : body;
  return new Plan({
    operation: row.op,
    method: row.method,
    path: fillPath(row.path, path ?? {}),
    ...(shown ? { body: shown } : {}),
  });
}

function tell({ name, args, reply, error, ms }: CallReport, options: GuardOptions): void {
  const row: EndpointRow = endpoints[name];
  if (error === undefined) {
    options.seen?.(reply, name);
    return options.told?.(row.op, "ok", ms);
  }
  // The plan of a dry run, or the answer of who was asked: nothing was sent.
  if (error instanceof Plan || error instanceof ExitError) return;
  note(error, row);
  sayWhereToLook(error, name, args as Asked);
  options.told?.(row.op, error instanceof Error ? `${error.name}, exit ${exitOf(error)}` : "failed", ms);
}

/** With the app's secret alone nobody acts: who it is may be what the call lacks. */
export function needsUser(error: unknown): void {
  const context = error as ExitContext | undefined;
  if (context?.name === "SignInNeeded" || context?.code === INPUT_ERROR)
    context.hint ??= "The profile names no user: say with --as <user> who acts.";
}

/** What the faces read of a failed call beside the error's own facts. */
function note(error: unknown, row: EndpointRow): void {
  if (!(error instanceof Error)) return;
  const context = error as ExitContext;
  if (!row.safe && !row.idempotent) context.unsafe = true;
  // What is missing there is the channel, or the draft in it.
  if (/^\/channels\/\{type\}\/\{id\}(?!\/draft)[^{}]*$/.test(row.path)) context.about = "channel";
}

/** What may have been made all the same is looked for before it is made again. */
function sayWhereToLook(error: unknown, name: EndpointName, args: Asked): void {
  const called = calledIn(args);
  const look = LOOKS[name];
  if (called === undefined || look === undefined || exitOf(error) !== 11) return;
  withHint(error, `parley ${look.replace("{}", called)} shows whether it was made`);
}

/** The operation that shows what a path is about: the GET of its longest beginning that ends with a name. */
function shownBy(template: string): EndpointName | undefined {
  const parts = template.split("/");
  for (let end = parts.length; end > 1; end--) {
    if (!parts[end - 1]!.startsWith("{")) continue;
    const shown = parts.slice(0, end).join("/");
    const found = Object.entries(endpoints as Record<string, EndpointRow>).find(
      ([, row]) => row.method === "GET" && row.safe && row.path === shown,
    );
    if (found) return found[0] as EndpointName;
  }
  return undefined;
}
