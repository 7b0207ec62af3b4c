/** Shows how many calls a minute are left, by operation and platform (errors.md §5). */
import { PLATFORMS } from "../wire/rate-limits.ts";
import { command } from "./kit.ts";

export default command({
  summary: "Show rate limits and what is left of them",
  examples: ["limits", "limits SendMessage QueryChannels", "limits --platform web --used"],
  args: {
    operations: { kind: "list", place: "positional", optional: true, help: "Only these operations" },
    platform: {
      kind: "choice",
      choices: PLATFORMS,
      place: "flag",
      optional: true,
      help: "Only calls of this platform",
    },
    used: { kind: "flag", place: "flag", optional: true, help: "Only where something was used this minute" },
  },
  needs: "secret",
  async *run({ args, core }) {
    const named = args.operations ?? [];
    const platform = args.platform as (typeof PLATFORMS)[number] | undefined;
    const table = await core.call("getRateLimits", {
      query: {
        ...(platform === undefined ? {} : { [platform]: true }),
        ...(named.length === 0 ? {} : { endpoints: named.join(",") }),
      },
    });
    for (const of of PLATFORMS)
      for (const [operation, limit] of Object.entries(table[of] ?? {}))
        if (!args.used || limit.remaining < limit.limit)
          yield { platform: of, operation, ...limit, resets_at: new Date(limit.reset * 1000).toISOString() };
  },
  show: (row) => ({
    kind: "table",
    columns: ["operation", "platform", "left", "limit", "resets"],
    rows: [[row.operation, row.platform, row.remaining, row.limit, row.resets_at]],
  }),
});
