/** Reads that cost one call each and change nothing: what their answers' headers tell is all that a person can learn of the limits. */
import type { Core } from "../../core/core.ts";
import type { AnsweredLimit } from "../../core/http/answered-limits.ts";
import { CommandError } from "../base/define-command.ts";

const PROBES: Readonly<Record<string, (core: Core) => Promise<unknown>>> = {
  GetApp: (core) => core.call("getApp"),
  GetUnread: (core) => core.call("getUnread"),
  ListDevices: (core) => core.call("listDevices"),
  QueryChannels: (core) =>
    core.call("queryChannels", {
      body: { filter_conditions: { members: { $in: [core.userId!] } }, limit: 1, state: false, watch: false },
    }),
  QueryThreads: (core) => core.call("queryThreads", { body: { limit: 1 } }),
  QueryUsers: (core) =>
    core.call("queryUsers", { query: { filter_conditions: { id: core.userId! }, limit: 1 } }),
};

/** The limits of these operations, or of all that answers told; asks where no answer has told one. Throws `CommandError` (notFound). */
export async function ownLimits(core: Core, named: readonly string[]): Promise<AnsweredLimit[]> {
  const wanted = named.length === 0 ? Object.keys(PROBES) : named.filter((name) => name in PROBES);
  for (const name of wanted) await PROBES[name]!(core);
  const told = core.answeredLimits();
  if (named.length === 0) return told;
  const unknown = named.find((name) => !told.some(({ operation }) => operation === name));
  if (unknown !== undefined)
    throw new CommandError(
      "notFound",
      `No answer has told the limit of ${unknown}.`,
      `With the app's secret, parley limits lists all; without it those of ${Object.keys(PROBES).join(", ")}.`,
    );
  return told.filter(({ operation }) => named.includes(operation));
}
