/** Intercepts each write that core is about to make: a dry run plans it instead, a protected profile confirms it first. */
import { isFilledText } from "../../wire/json-object.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import type { CallReport, Core } from "../../core/core.ts";
import { withHint } from "../../model/errors.ts";
import { listedCids } from "../../model/look-up-channel.ts";
import { makeCid } from "../../wire/ids.ts";
import { Plan, type PlannedCall, type Planner, type WriteArgs } from "./plan.ts";
import { ExitError, exitOf, isUnreadableAnswer, type ErrorFacts } from "./exit.ts";
import { INPUT_ERROR, type ErrorBody, isRouteAbsent } from "../../wire/errors.ts";

export interface GuardOptions {
  isDryRun(): boolean;
  onPlanned?(plan: PlannedCall): void;
  /** Called before each write; a throw prevents it. */
  onWrite?(change: { operation: string; path?: Record<string, string>; body?: unknown }): void;
  /** How long a refused send waits for its next try, ms; without it, it does not. */
  maxWait?: number;
  /** Called once, before the first write. */
  beforeWrite?(): Promise<void>;
  onCall?(op: string, outcome: string, ms: number): void;
  onReply?(reply: unknown, endpoint: EndpointName, args: CallReport["args"]): void;
  /** Receives the outcome of each queued message. */
  settle?: NonNullable<Parameters<Core["use"]>[0]["settle"]>;
}

/** Receipts that core sends by itself: they need no confirmation and are not recorded as changes. */
const RECEIPTS: ReadonlySet<EndpointName> = new Set(["markDelivered"]);

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

/** The id or name of the object that a call creates. */
const createdName = ({ body }: WriteArgs): string | undefined => [body?.id, body?.name].find(isFilledText);
const cidIn = ({ path = {} }: WriteArgs): string => (path.type && path.id ? makeCid(path.type, path.id) : "");

/** Hooks into every write of this core, whichever part of it makes the call. */
export function guard(core: Core, options: GuardOptions): void {
  let approval: Promise<void> | undefined;
  const approve = (): Promise<void> => (approval ??= options.beforeWrite?.() ?? Promise.resolve());
  /** Channels that a list has returned: querying them creates nothing. */
  const existing = new Set<string>();
  let planner: Planner | undefined;
  const plan: Planner = async (name, args) => {
    planner ??= (await import("./plan-writes.ts")).createPlanner(core, options.maxWait);
    return planner(name, args);
  };

  core.use({
    async beforeWrite(name, callArgs) {
      const args = callArgs as WriteArgs;
      // Querying an existing channel is a read.
      if (name === "queryChannel" && existing.has(cidIn(args)) && args.body?.data === undefined) return;
      if (options.isDryRun()) {
        const planned = await plan(name, args);
        options.onPlanned?.(planned.plan);
        throw planned;
      }
      if (RECEIPTS.has(name)) return;
      // What would be refused anyway fails before anybody is asked to confirm.
      if (options.beforeWrite && !approval) await plan(name, args);
      await approve();
      options.onWrite?.({ operation: endpoints[name].op, ...args });
    },
    called(report) {
      noteChannel(report);
      // Nothing was changed, so nothing is to be looked up.
      if (report.args.dry) return;
      for (const cid of listedCids(report)) existing.add(cid);
      reportCall(report, options);
    },
    ...(options.settle && { settle: options.settle }),
  });
}

function reportCall({ name, args, reply, error, ms }: CallReport, options: GuardOptions): void {
  const row: EndpointRow = endpoints[name];
  if (error === undefined) {
    options.onReply?.(reply, name, args);
    return options.onCall?.(row.op, "ok", ms);
  }
  // A plan of a dry run or a declined confirmation: nothing was sent.
  if (error instanceof Plan || error instanceof ExitError) return;
  if (error instanceof Error && !row.safe && (!row.idempotent || isUnreadableAnswer(error as ErrorFacts)))
    (error as ErrorFacts).unsafe = true;
  addLookupHint(error, name, args as WriteArgs);
  if (row.source !== undefined && isRouteAbsent(error) && (error as ErrorFacts).hint === undefined)
    withHint(error, "this provider may not have it: public documentation does not name it");
  options.onCall?.(row.op, error instanceof Error ? `${error.name}, exit ${exitOf(error)}` : "failed", ms);
}

/** Whether a refused input may lack the acting user: the answer names that field, or none. */
function maybeLacksUser({ code, body }: { code?: unknown; body?: Partial<ErrorBody> | undefined }): boolean {
  const fields = Object.keys(body?.exception_fields ?? {});
  return (
    code === INPUT_ERROR && (fields.length === 0 || fields.some((field) => /\buser(?:_id)?$/.test(field)))
  );
}

/** A call made with the app's secret alone may fail because it lacks an acting user. */
export function addActingUserHint(error: unknown): void {
  const context = error as (ErrorFacts & { body?: Partial<ErrorBody> }) | undefined;
  if (context?.name === "SignInNeeded" || (context && maybeLacksUser(context)))
    context.hint ??= "The profile has no user: choose one with --as <user>.";
}

/** On these paths "not found" means the channel; a draft path may lack the draft instead. */
function noteChannel({ name, error }: CallReport): void {
  const { path } = endpoints[name];
  if (error instanceof Error && /^\/channels\/\{type\}\/\{id\}(?!\/draft)[^{}]*$/.test(path))
    (error as ErrorFacts).about = "channel";
}

/** After a create call with unknown outcome, hints at the command that shows whether it succeeded. */
function addLookupHint(error: unknown, name: EndpointName, args: WriteArgs): void {
  const created = createdName(args);
  const lookup = LOOKUP_COMMANDS[name];
  if (created === undefined || lookup === undefined || exitOf(error) !== 11) return;
  withHint(error, `parley ${lookup.replace("{}", created)} shows whether it was created`);
}
