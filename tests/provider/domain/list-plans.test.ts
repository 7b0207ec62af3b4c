/** The indexes that each list of the provider uses, as SQLite plans it. */
import { expect, test } from "vitest";
import type { EndpointName } from "../../../src/wire/endpoints/index.ts";
import { room, ROOM, type As, type TestDomain } from "./support.ts";

/** Where the one statement of a call that may look at many rows reads its first table, and whether it sorts. */
function planOf(
  bench: TestDomain,
  as: As,
  name: EndpointName,
  body: object,
  path = {},
  from = "FROM",
): string {
  const { raw } = bench.db;
  const prepare = raw.prepare.bind(raw);
  const statements: string[] = [];
  raw.prepare = (sql: string) => (statements.push(sql), prepare(sql));
  try {
    bench.call(as, name, { path, body: body as Record<string, unknown> });
  } finally {
    raw.prepare = prepare;
  }
  const paged = statements.filter((sql) => sql.includes("within_budget") && sql.includes(from));
  expect(paged).toHaveLength(1);
  const steps = prepare(`EXPLAIN QUERY PLAN ${paged[0]!}`)
    .all()
    .map(({ detail }) => String(detail));
  const tables = steps.filter((step) => / USING /.test(step) && !/SEARCH [gpx] /.test(step));
  return [...tables, ...steps.filter((step) => step.startsWith("USE TEMP"))].join(", ");
}

const server = { server: true } as const;
const admin = { server: true, user: "ada" } as const;

test("every list starts from the index of its rows", () => {
  const bench = room();
  bench.send("ada", "room", { id: "one", text: "tea" });
  const poll = bench.call("ada", "createPoll", { body: { name: "Tea?", options: [{ text: "yes" }] } }).poll;
  const { segment } = bench.call(server, "createSegment", { body: { type: "user" } });
  const idOf = (made: unknown): string => (made as { id: string }).id;
  const plans = {
    reminders: planOf(bench, "ada", "queryReminders", {}),
    drafts: planOf(bench, "ada", "queryDrafts", {}),
    threads: planOf(bench, "ada", "queryThreads", {}),
    polls: planOf(bench, server, "queryPolls", {}),
    votes: planOf(bench, "ada", "queryPollVotes", {}, { poll_id: idOf(poll) }),
    reactions: planOf(bench, "ada", "queryReactions", {}, { id: "one" }),
    history: planOf(bench, server, "queryMessageHistory", { filter: { message_id: "one" } }),
    campaigns: planOf(bench, server, "queryCampaigns", {}),
    segments: planOf(bench, server, "querySegments", {}),
    targets: planOf(bench, server, "querySegmentTargets", {}, { id: idOf(segment) }),
    flags: planOf(bench, server, "queryMessageFlags", {}),
    reports: planOf(bench, admin, "queryFlagReports", {}),
    bans: planOf(bench, server, "queryBannedUsers", {}),
    members: planOf(bench, "ada", "queryMembers", ROOM),
    users: planOf(bench, server, "queryUsers", {}),
    channels: planOf(bench, "ada", "queryChannels", {}),
  };
  expect(plans).toEqual({
    bans: "SCAN b USING INDEX bans_by_age, SEARCH c USING INDEX sqlite_autoindex_channels_1 (cid=?)",
    campaigns: "SCAN c USING INDEX campaigns_by_age",
    channels:
      "SCAN c USING INDEX channels_by_activity, SEARCH me USING PRIMARY KEY (cid=? AND user_id=?) LEFT-JOIN",
    drafts:
      "SEARCH d USING PRIMARY KEY (user_id=?), SEARCH c USING INDEX sqlite_autoindex_channels_1 (cid=?), USE TEMP B-TREE FOR ORDER BY",
    flags: "SCAN f USING INDEX flags_by_age, SEARCH m USING INDEX sqlite_autoindex_message_rows_1 (id=?)",
    history:
      "SEARCH m USING INDEX sqlite_autoindex_message_rows_1 (id=?), SEARCH h USING INDEX message_history_of (message_id=?)",
    members:
      "SEARCH m USING INDEX members_by_age (cid=?), SEARCH u USING COVERING INDEX sqlite_autoindex_users_1 (id=?)",
    polls: "SCAN p USING INDEX polls_by_age, USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    reactions:
      "SEARCH r USING INDEX reactions_by_age (message_id=?), USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    reminders:
      "SEARCH r USING PRIMARY KEY (user_id=?), SEARCH c USING INDEX sqlite_autoindex_channels_1 (cid=?), USE TEMP B-TREE FOR ORDER BY",
    reports:
      "SCAN r USING INDEX flag_reports_by_age, SEARCH m USING INDEX sqlite_autoindex_message_rows_1 (id=?)",
    segments: "SCAN s USING INDEX segments_by_age",
    targets: "SEARCH t USING PRIMARY KEY (segment_id=?)",
    threads:
      "SEARCH t USING INDEX threads_of_user (user_id=?), SEARCH h USING PRIMARY KEY (parent_id=?), SEARCH m USING INDEX sqlite_autoindex_message_rows_1 (id=?), SEARCH m USING PRIMARY KEY (cid=? AND user_id=?), SEARCH c USING INDEX sqlite_autoindex_channels_1 (cid=?), USE TEMP B-TREE FOR ORDER BY",
    users: "SCAN u USING INDEX users_by_creation",
    votes: "SEARCH v USING INDEX poll_votes_by_poll (poll_id=?), USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
  });
});

test.each([1, -1])(
  "a search without words in one channel follows the index of its times, and goes on behind its cursor (%s)",
  (direction) => {
    const bench = room();
    for (const id of ["one", "two", "three"]) bench.send("ada", "room", { id, text: "tea" });
    const body = {
      filter_conditions: { cid: "messaging:room" },
      message_filter_conditions: { text: { $exists: true } },
      sort: [{ field: "created_at", direction }],
      limit: 1,
    };
    const found: string[] = [];
    for (let next: string | undefined; ;) {
      const page = { ...body, ...(next !== undefined && { next }) };
      const range = next === undefined ? "" : ` AND created_at${direction > 0 ? ">" : "<"}?`;
      expect(planOf(bench, "ada", "search", page, {}, "FROM messages m")).toBe(
        `SEARCH m USING INDEX messages_by_time (cid=?${range}), USE TEMP B-TREE FOR LAST TERM OF ORDER BY`,
      );
      const answer = bench.call("ada", "search", { body: page });
      found.push(...(answer.results as { message: { id: string } }[]).map(({ message }) => message.id));
      next = answer.next as string | undefined;
      if (next === undefined) break;
    }
    expect(direction > 0 ? found : found.toReversed()).toEqual(["one", "two", "three"]);
  },
);

test("a search from a time on in one channel begins there, not at the first message", () => {
  const bench = room();
  bench.send("ada", "room", { id: "one", text: "tea" });
  const body = {
    filter_conditions: { cid: "messaging:room" },
    message_filter_conditions: { parent_id: { $gt: "" }, created_at: { $gte: "2026-01-01T00:00:00Z" } },
    sort: [{ field: "created_at", direction: 1 }],
  };
  // No other lower bound may stand before it: an index is entered by the first.
  expect(planOf(bench, "ada", "search", body, {}, "FROM messages m")).toBe(
    "SEARCH m USING INDEX messages_by_time (cid=? AND created_at>?), USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
  );
});

test("later pages of reactions, segments and their targets begin at their cursor", () => {
  const bench = room();
  bench.send("ada", "room", { id: "one", text: "tea" });
  for (const type of ["like", "love"])
    bench.call("ada", "sendReaction", { path: { id: "one" }, body: { reaction: { type } } });
  bench.call(server, "createSegment", { body: { type: "user" } });
  const { segment } = bench.call(server, "createSegment", { body: { type: "user" } });
  const path = { id: (segment as { id: string }).id };
  bench.call(server, "addSegmentTargets", { path, body: { target_ids: ["ada", "bob"] } });
  const laterPlan = (as: As, name: EndpointName, at = {}): string => {
    const { next } = bench.call(as, name, { path: at, body: { limit: 1 } });
    return planOf(bench, as, name, { limit: 1, next }, at);
  };
  expect(laterPlan("ada", "queryReactions", { id: "one" })).toContain("(message_id=? AND created_at<?)");
  expect(laterPlan(server, "querySegmentTargets", path)).toContain("(segment_id=? AND target_id>?)");
  expect(laterPlan(server, "querySegments")).toContain("segments_by_age (created_at<?)");
});
