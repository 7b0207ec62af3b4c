/** Plans the writes of a dry run: asks the provider what it would answer, or checks what can be checked without it. */
import { isFilledText } from "../../wire/json-object.ts";
import { endpoints, fillPath, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import type { Core } from "../../core/core.ts";
import { CommandError } from "../../commands/base/define-command.ts";
import { valueProblems } from "../../commands/base/files/value-problems.ts";
import { bodyOf } from "../../wire/bodies/index.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { makeCid } from "../../wire/ids.ts";
import { COOLDOWN } from "../../wire/errors.ts";
import { ExitError, exitOf, type ErrorFacts } from "./exit.ts";
import { Plan, type PlannedCall, type Planner, type WriteArgs } from "./plan.ts";

/** Querying a channel creates it when it does not exist. */
const CREATES_CHANNELS: ReadonlySet<EndpointName> = new Set(["queryChannel", "queryDistinctChannel"]);

/** Targets that no GET returns: the preview of a slash command is sent to its author only, once. */
const UNREADABLE: ReadonlySet<EndpointName> = new Set(["runMessageAction"]);

/** HTTP status of a server that cannot do what `Expect` asks. */
const EXPECTATION_FAILED = 417;

/** Everything that a call may create. */
const createdNames = ({ path, body }: WriteArgs): string[] =>
  [body?.id, body?.name, path?.id, ...Object.keys(body?.users ?? {})].filter(isFilledText);

/** Plans the writes of a run, and throws what the provider would refuse: a provider that can is asked, of any other only the target is read. */
export function createPlanner(core: Core, maxWait?: number): Planner {
  /** What the calls planned so far would create: a provider that is not asked knows nothing of it. */
  const created = new Set<string>();
  return async (name, args) => {
    const call = planOf(name, args);
    const reply = core.answersDryRuns() ? await ask(core, name, args, maxWait) : undefined;
    if (reply) return new Plan({ ...call, checked: true }, reply);
    requireValues(name, args);
    if (!CREATES_CHANNELS.has(name) && !Object.values(args.path ?? {}).some((one) => created.has(one)))
      await requireTarget(core, name, args);
    for (const one of createdNames(args)) created.add(one);
    return new Plan(call);
  };
}

/** The answer to a write that is not made; undefined from a provider of an earlier version, which refuses what is expected of it. */
async function ask(
  core: Core,
  name: EndpointName,
  args: WriteArgs,
  maxWait?: number,
): Promise<object | undefined> {
  const { announced } = args;
  try {
    return await core.call(name, { ...args, ...(announced && { body: announced }), dry: true } as never);
  } catch (error) {
    if ((error as ErrorFacts).status === EXPECTATION_FAILED) return undefined;
    if (name === "sendMessage" && maxWait !== undefined && (error as ErrorFacts).code === COOLDOWN)
      return requireWaitWithin(core, args, maxWait);
    // Nothing that is planned before it could change this refusal.
    if (error instanceof Error) (error as ErrorFacts).tried = true;
    throw error;
  }
}

/** A send waits for slow mode to end, at most as long as slow mode is: no answer is known then. Throws `ExitError` 10 when that is too long. */
async function requireWaitWithin(core: Core, { path }: WriteArgs, maxWait: number): Promise<object> {
  const { channel } = await lookUpChannel(core, makeCid(path!.type!, path!.id!));
  if ((channel.cooldown ?? 0) * 1000 <= maxWait) return {};
  throw new ExitError(10, "the message was not sent: the provider accepts no more messages for now");
}

/** Throws `CommandError` (rejected) for a body that no provider accepts. */
function requireValues(name: EndpointName, { body }: WriteArgs): void {
  for (const { path, message } of valueProblems(bodyOf(name), body ?? {}))
    throw new CommandError("rejected", `${path.join(".")} ${message}.`);
}

/** Reads the target of a write, where that is possible, so that a missing one fails as the real call would. */
async function requireTarget(core: Core, name: EndpointName, { path }: WriteArgs): Promise<void> {
  const reader = UNREADABLE.has(name) ? undefined : readEndpointFor(endpoints[name].path);
  if (reader === undefined) return;
  try {
    // Only some providers can get a channel by its path.
    if (reader === "getChannel") await lookUpChannel(core, makeCid(path!.type!, path!.id!));
    else await core.call(reader, { path: path ?? {}, query: {} } as never);
  } catch (error) {
    // A user without read permission may still be allowed to write.
    if (exitOf(error) === 3) throw error;
  }
}

function planOf(name: EndpointName, { path, body, server }: WriteArgs): PlannedCall {
  const row: EndpointRow = endpoints[name];
  // Only the members are shown for a direct channel: the rest of the body requests its first page.
  const shown = name === "queryDistinctChannel" ? { data: body?.data } : body;
  return {
    operation: row.op,
    method: row.method,
    path: fillPath(row.path, path ?? {}),
    ...(shown ? { body: shown } : {}),
    needsSecret: row.serverOnly === true || server === true,
    checked: false,
  };
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
