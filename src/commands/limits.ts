/** Shows the remaining calls of each rate limit (specification/errors.md §5), with `--watch` continuously. */
import { PLATFORMS } from "../wire/rate-limits.ts";
import { timeFromSeconds } from "../wire/time.ts";
import { CommandError, command, rowOf } from "./base/define-command.ts";
import { WITHIN, deadlineOf, pollUntil } from "./base/poll-task.ts";

/** Milliseconds between polls. */
const INTERVAL = 2000;

export default command({
  summary: "Show rate limits and how much of each is left",
  group: "Operations",
  changes: "nothing",
  examples: [
    "limits",
    "limits SendMessage QueryChannels",
    "limits --platform web --used",
    "limits SendMessage --watch",
  ],
  args: {
    operations: { kind: "list", positional: true, optional: true, help: "Only these operations" },
    platform: { kind: "choice", choices: PLATFORMS, help: "Only calls from this platform" },
    used: { kind: "flag", help: "Only limits used within this minute" },
    watch: { kind: "flag", help: "Keep running and print each limit that changes" },
    within: { ...WITHIN, help: "With --watch: stop after this time" },
  },
  needs: "secret",
  streams: ({ watch }) => (watch ? "endless" : undefined),
  async *run(call) {
    const { operations: named, watch, used, within } = call.args;
    if (within !== undefined && !watch) throw new CommandError("usage", "--within goes with --watch.");
    const platform = call.args.platform as (typeof PLATFORMS)[number] | undefined;
    const fetchLimits = async () =>
      call.core.call("getRateLimits", {
        query: {
          ...(platform === undefined ? {} : { [platform]: true }),
          ...(named.length === 0 ? {} : { endpoints: named.join(",") }),
        },
      });
    const remaining = new Map<string, number>();
    const end = deadlineOf(within, call.now);
    const isOver = (): boolean => !watch || performance.now() >= end;
    for await (const table of pollUntil(
      call,
      { every: INTERVAL, again: "parley limits" },
      fetchLimits,
      isOver,
    ))
      for (const of of PLATFORMS)
        for (const [operation, limit] of Object.entries(table[of] ?? {})) {
          const key = `${of} ${operation}`;
          // The end of a window counts as a change, too.
          if (remaining.get(key) === limit.remaining) continue;
          remaining.set(key, limit.remaining);
          if (!used || limit.remaining < limit.limit)
            yield {
              platform: of,
              operation,
              ...limit,
              resets_at: limit.reset === undefined ? undefined : timeFromSeconds(limit.reset),
            };
        }
  },
  show: (row) =>
    rowOf(row, {
      operation: "operation",
      platform: "platform",
      left: "remaining",
      limit: "limit",
      resets: "resets_at",
    }),
});
