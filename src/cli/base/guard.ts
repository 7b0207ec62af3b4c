/** Intercepts each write that core is about to make: a dry run plans it instead, a protected profile confirms it first. */
import { endpoints, fillPath, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import type { CallReport, Core } from "../../core/core.ts";
import { withHint } from "../../model/errors.ts";
import { makeCid } from "../../wire/ids.ts";
import type { Preflight } from "./preflight.ts";
import { ExitError, exitOf, type ErrorFacts } from "./exit.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";

/** Thrown in place of a write in a dry run, with the call that would be sent; a command with several writes continues after it. */
export class Plan extends Error {
  readonly plan: { operation: string; method?: string; path?: string; body?: unknown };
  constructor(plan: Plan["plan"]) {
    super(`would send ${plan.operation}`);
    this.name = "Plan";
    this.plan = plan;
  }
}

export interface GuardOptions {
  isDryRun(): boolean;
  onPlanned?(plan: Plan["plan"]): void;
  /** Called before each write; a throw prevents it. */
  onWrite?(change: { operation: string; path?: Record<string, string>; body?: unknown }): void;
  /** Called once, before the first write. */
  beforeWrite?(): Promise<void>;
  onCall?(op: string, outcome: string, ms: number): void;
  onReply?(reply: unknown, endpoint: EndpointName): void;
  /** Receives the outcome of each queued message. */
  settle?: NonNullable<Parameters<Core["use"]>[0]["settle"]>;
}

/** Receipts that core sends by itself: they need no confirmation and are not recorded as changes. */
const RECEIPTS: ReadonlySet<EndpointName> = new Set(["markDelivered"]);

/** Querying a channel creates it when it does not exist. */
const CREATES_CHANNELS: ReadonlySet<EndpointName> = new Set(["queryChannel", "queryDistinctChannel"]);

/** The command that shows whether a create call without an answer succeeded; `{}` is replaced by the id or name. */
const LOOKUP_COMMANDS: Partial<Record<EndpointName, string>> = {
  createBlocklist: "blocklist get {}",
  createCampaign: "campaign get {}",
  createChannelType: "channel-type get {}",
  createCommand: "command get {}",
  createPermission: "permission get {}",
  createPoll: "poll get {}",
  createRole: "role list",
  createSegment: "segment get {}",
};

/** Targets that no GET returns: the preview of a slash command is sent to its author only, once. */
const UNREADABLE: ReadonlySet<EndpointName> = new Set(["runMessageAction"]);

interface CallArgs {
  path?: Record<string, string>;
  body?: { data?: unknown; id?: unknown; name?: unknown };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The id or name of the object that a call creates. */
const createdName = ({ body }: CallArgs): string | undefined => [body?.id, body?.name].find(isText);

const cidIn = ({ path = {} }: CallArgs): string => (path.type && path.id ? makeCid(path.type, path.id) : "");

/** Hooks into every write of this core, whichever part of it makes the call. */
export function guard(core: Core, options: GuardOptions): void {
  let approval: Promise<void> | undefined;
  const approve = (): Promise<void> => (approval ??= options.beforeWrite?.() ?? Promise.resolve());
  /** Channels that a GET has returned: querying them creates nothing. */
  const existing = new Set<string>();
  /** Objects that the calls planned so far would create, by their GET path. */
  const plannedPaths = new Set<string>();
  let preflight: Preflight | undefined;

  const requireExisting = async (name: EndpointName, args: CallArgs): Promise<void> => {
    if (!CREATES_CHANNELS.has(name) && !existing.has(cidIn(args)))
      await requireTarget(core, name, args, plannedPaths);
  };

  core.use({
    async beforeWrite(name, callArgs) {
      const args = callArgs as CallArgs;
      // Querying an existing channel is a read.
      if (name === "queryChannel" && existing.has(cidIn(args)) && args.body?.data === undefined) return;
      if (options.isDryRun()) {
        await requireExisting(name, args);
        const { Preflight } = await import("./preflight.ts");
        const partial = await (preflight ??= new Preflight(core)).check(name, args);
        const planned = planOf(name, args);
        const created = createdName(args);
        if (created !== undefined) plannedPaths.add(`${planned.plan.path}/${encodeURIComponent(created)}`);
        options.onPlanned?.(planned.plan);
        throw partial ? Object.assign(partial, { cause: planned }) : planned;
      }
      if (RECEIPTS.has(name)) return;
      // A missing target fails before anybody is asked to confirm.
      if (options.beforeWrite && !approval) await requireExisting(name, args);
      await approve();
      options.onWrite?.({ operation: endpoints[name].op, ...args });
    },
    called(report) {
      if (report.error === undefined && report.name === "getChannel")
        existing.add(cidIn(report.args as CallArgs));
      reportCall(report, options);
    },
    ...(options.settle && { settle: options.settle }),
  });
}

/** Reads the target of a write first, where a GET exists for it, so that a missing one fails as the real call would. */
async function requireTarget(
  core: Core,
  name: EndpointName,
  { path }: CallArgs,
  plannedPaths: ReadonlySet<string>,
): Promise<void> {
  const reader = UNREADABLE.has(name) ? undefined : readEndpointFor(endpoints[name].path);
  if (reader === undefined || plannedPaths.has(fillPath(endpoints[reader].path, path ?? {}))) return;
  try {
    await core.call(reader, { path: path ?? {}, query: {} } as never);
  } catch (error) {
    // A user without read permission may still be allowed to write.
    if (exitOf(error) === 3) throw error;
  }
}

function planOf(name: EndpointName, { path, body }: CallArgs): Plan {
  const row: EndpointRow = endpoints[name];
  // Only the members are shown for a direct channel: the rest of the body requests its first page.
  const shown = name === "queryDistinctChannel" ? { data: body?.data } : body;
  return new Plan({
    operation: row.op,
    method: row.method,
    path: fillPath(row.path, path ?? {}),
    ...(shown ? { body: shown } : {}),
  });
}

function reportCall({ name, args, reply, error, ms }: CallReport, options: GuardOptions): void {
  const row: EndpointRow = endpoints[name];
  if (error === undefined) {
    options.onReply?.(reply, name);
    return options.onCall?.(row.op, "ok", ms);
  }
  // A plan of a dry run or a declined confirmation: nothing was sent.
  if (error instanceof Plan || error instanceof ExitError) return;
  annotateError(error, row);
  addLookupHint(error, name, args as CallArgs);
  options.onCall?.(row.op, error instanceof Error ? `${error.name}, exit ${exitOf(error)}` : "failed", ms);
}

/** A call made with the app's secret alone may fail because it lacks an acting user. */
export function addActingUserHint(error: unknown): void {
  const context = error as ErrorFacts | undefined;
  if (context?.name === "SignInNeeded" || context?.code === INPUT_ERROR)
    context.hint ??= "The profile has no user: choose one with --as <user>.";
}

/** Adds to the error of a failed call what `exitOf` and `readProblem` need to know about the endpoint. */
function annotateError(error: unknown, row: EndpointRow): void {
  if (!(error instanceof Error)) return;
  const context = error as ErrorFacts;
  if (!row.safe && !row.idempotent) context.unsafe = true;
  // On these paths "not found" means the channel; a draft path may lack the draft instead.
  if (/^\/channels\/\{type\}\/\{id\}(?!\/draft)[^{}]*$/.test(row.path)) context.about = "channel";
}

/** After a create call with unknown outcome, hints at the command that shows whether it succeeded. */
function addLookupHint(error: unknown, name: EndpointName, args: CallArgs): void {
  const created = createdName(args);
  const lookup = LOOKUP_COMMANDS[name];
  if (created === undefined || lookup === undefined || exitOf(error) !== 11) return;
  withHint(error, `parley ${lookup.replace("{}", created)} shows whether it was created`);
}

/** The GET endpoint of the longest prefix of a path that ends with a parameter. */
function readEndpointFor(template: string): EndpointName | undefined {
  const parts = template.split("/");
  for (let end = parts.length; end > 1; end--) {
    if (!parts[end - 1]!.startsWith("{")) continue;
    const prefix = parts.slice(0, end).join("/");
    const found = Object.entries(endpoints as Record<string, EndpointRow>).find(
      ([, row]) => row.method === "GET" && row.safe && row.path === prefix,
    );
    if (found) return found[0] as EndpointName;
  }
  return undefined;
}
