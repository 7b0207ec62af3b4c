/** Shows the remaining calls of each rate limit (specification/errors.md §5), with `--watch` continuously. */
import { PLATFORMS, type CostBudget, type Platform, type RateLimit } from "../wire/rate-limits.ts";
import { timeFromSeconds } from "../wire/time.ts";
import { CommandError, command, rowOf, type Args, type Call } from "./base/define-command.ts";
import { WITHIN, deadlineOf, pollUntil } from "./base/poll-task.ts";
import { ownLimits } from "./limits/probes.ts";

/** Milliseconds between polls; a person's own limits take several calls. */
const INTERVAL = 2000;
const OWN_INTERVAL = 20_000;

interface Limit extends RateLimit {
  operation: string;
  /** Of the app's limits; those of a person are of the platform that the client is. */
  platform?: Platform;
  budget?: CostBudget;
}

/** What one poll asks for: the app all its limits, a person what the headers of some answers tell. */
function pollOf({ core }: Pick<Call<Args>, "core">, named: readonly string[], platform?: Platform) {
  if (core.userId !== undefined) return (): Promise<Limit[]> => ownLimits(core, named);
  const query = {
    ...(platform === undefined ? {} : { [platform]: true }),
    ...(named.length === 0 ? {} : { endpoints: named.join(",") }),
  };
  return async (): Promise<Limit[]> => {
    const table = await core.call("getRateLimits", { query });
    return PLATFORMS.flatMap((of) =>
      Object.entries(table[of] ?? {}).map(([operation, limit]) => ({ platform: of, operation, ...limit })),
    );
  };
}

export default command({
  summary: "Show rate limits and how much of each is left",
  group: "Operations",
  changes: "nothing",
  examples: [
    "limits",
    "limits SendMessage QueryChannels",
    "limits --platform web --used",
    "limits SendMessage --watch",
    "limits --as ana",
  ],
  args: {
    operations: { kind: "list", positional: true, optional: true, help: "Only these operations" },
    platform: {
      kind: "choice",
      choices: PLATFORMS,
      help: "Only calls from this platform; needs the app's secret",
    },
    used: { kind: "flag", help: "Only limits used within this minute" },
    watch: { kind: "flag", help: "Keep running and print each limit that changes" },
    within: { ...WITHIN, help: "With --watch: stop after this time" },
  },
  asApp: (args) => args.platform !== undefined,
  prefersApp: () => true,
  streams: ({ watch }) => (watch ? "endless" : undefined),
  async *run(call) {
    const { operations: named, watch, used, within } = call.args;
    const isOwn = call.core.userId !== undefined;
    if (within !== undefined && !watch) throw new CommandError("usage", "--within goes with --watch.");
    const poll = pollOf(call, named, call.args.platform as Platform | undefined);
    const remaining = new Map<string, number>();
    const end = deadlineOf(within, call.now);
    const isOver = (): boolean => !watch || performance.now() >= end;
    const options = { every: isOwn ? OWN_INTERVAL : INTERVAL, again: "parley limits" };
    for await (const limits of pollUntil(call, options, poll, isOver))
      for (const limit of limits) {
        const key = `${limit.platform} ${limit.operation}`;
        // The end of a window counts as a change, too.
        if (remaining.get(key) === limit.remaining) continue;
        remaining.set(key, limit.remaining);
        if (!used || limit.remaining < limit.limit)
          yield {
            ...limit,
            resets_at: limit.reset === undefined ? undefined : timeFromSeconds(limit.reset),
          };
      }
  },
  show: (row) => {
    const { platform, budget } = row;
    const cost = budget && `${budget.remaining} of ${budget.limit} ms left`;
    return rowOf(row, {
      operation: "operation",
      ...(platform && { platform: "platform" }),
      left: "remaining",
      limit: "limit",
      resets: "resets_at",
      ...(!platform && { budget: { field: "budget", cell: cost } }),
    });
  },
});
