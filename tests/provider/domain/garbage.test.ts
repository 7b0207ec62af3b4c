/** Random and malformed input: every route answers or refuses it; no handler throws an unexpected error (specification/errors.md §6). */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CODES } from "../../../src/wire/errors.ts";
import type { EndpointName } from "../../../src/wire/endpoints/index.ts";
import { handlers } from "../../../src/provider/domain/handlers.ts";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import { drawnSeed, runs } from "../../support/proof.ts";
import { room, type As } from "./support.ts";

const SEED = drawnSeed("garbage");

/** Every key that some route reads. */
const KEYS =
  `filter_conditions sort limit offset presence watch state message_limit member_limit id_gt id_lt users data
  messages members watchers hide_for_creator message add_members remove_members add_moderators demote_moderators assign_roles
  invites accept_invite reject_invite hide_history add_filter_tags remove_filter_tags cooldown set unset hard_delete
  truncated_at clear_history message_id thread_id message_timestamp read_by_channel latest_delivered_messages event type id
  channel_cid channel_cids expiration user user_id reaction enforce_unique name options voting_visibility max_votes_allowed
  enforce_unique_vote is_closed vote latitude longitude end_at created_by_device_id ids hard delete_for_me deleted_by
  created_at_before created_at_around id_around messages_limit messages_id_lt members_limit watchers_limit`.split(
    /\s+/,
  );
const INNER =
  `id text type attachments mentioned_users parent_id quoted_message_id poll_id silent pinned pin_expires
  restricted_visibility shared_location show_in_channel user user_id cid score option_id answer_text limit id_lt id_around
  members frozen disabled filter_tags config_overrides channel_role name privacy_settings created_by $eq $in $or field
  direction latitude created_by_device_id end_at __proto__`.split(/\s+/);

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    1e300,
    "",
    " ",
    "m",
    "p",
    "l",
    "room",
    "messaging:room",
    "ada",
    "bob",
    "a:b",
    ":",
    "%",
    "2031-01-01T00:00:00Z",
    "$and",
    "toString",
    "\u0000",
    "\ud800",
    "x".repeat(300),
  ),
  fc.string({ maxLength: 6 }),
);
const value: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(tie("any"), { maxLength: 3 }) },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...INNER), tie("any"), { maxKeys: 4 }) },
  ),
})).any;
const body = fc.dictionary(fc.constantFrom(...KEYS, ...INNER), value, { maxKeys: 5 });
const query = fc.dictionary(fc.constantFrom(...KEYS), fc.string({ maxLength: 8 }), { maxKeys: 3 });
const segment = fc.constantFrom(
  "messaging",
  "room",
  "m",
  "p",
  "l",
  "ada",
  "love",
  "void",
  "",
  "a:b",
  "\u0000",
);
const caller = fc.constantFrom<As>(
  "ada",
  "bob",
  "dan",
  { server: true },
  { server: true, user: "ada" },
  { anonymous: true },
);

const names = Object.keys(handlers) as EndpointName[];

test.each(names)("%s answers or refuses random input", (name) => {
  const b = room();
  b.connect("ada");
  b.call("ada", "createPoll", { body: { id: "p", name: "?", options: [{ id: "y", text: "y" }] } });
  b.send("ada", "room", { id: "m", text: "x", poll_id: "p" });
  b.send("ada", "room", {
    id: "l",
    text: "x",
    shared_location: { latitude: 1, longitude: 1, created_by_device_id: "d" },
  });
  const reached = new Set<number>();
  fc.assert(
    fc.property(
      caller,
      body,
      query,
      fc.record({
        type: fc.oneof({ weight: 4, arbitrary: fc.constant("messaging") }, segment),
        id: fc.oneof({ weight: 3, arbitrary: fc.constantFrom("room", "m") }, segment),
      }),
      segment,
      (as, body, query, path, other) => {
        const input = {
          path: {
            ...path,
            user_id: other,
            parent_id: "m",
            message_id: "m",
            poll_id: "p",
            vote_id: other,
            reaction_type: other,
          },
          query,
          body,
        };
        b.db.raw.exec("SAVEPOINT whole");
        try {
          // A handler cannot begin its own transaction inside this savepoint, so BEGIN, COMMIT and ROLLBACK do nothing here.
          const exec = b.db.raw.exec.bind(b.db.raw);
          b.db.raw.exec = (sql: string) => (/^(BEGIN|COMMIT|ROLLBACK)$/.test(sql) ? undefined : exec(sql));
          try {
            b.call(as, name, input as never);
            reached.add(0);
          } finally {
            b.db.raw.exec = exec;
          }
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          expect(CODES).toHaveProperty(String(error.code));
          expect(error.message).not.toBe("");
          reached.add(error.code);
        } finally {
          b.db.raw.exec("ROLLBACK TO whole; RELEASE whole");
        }
      },
    ),
    { numRuns: runs(300, 5), seed: SEED },
  );
  expect(reached.size).toBeGreaterThan(0);
});

/** Valid bodies for routes that random keys almost never satisfy. */
const WORKING: Partial<Record<EndpointName, Record<string, unknown>>> = {
  queryChannels: {
    filter_conditions: { members: { $in: ["ada"] }, floor: { $gt: 1 } },
    sort: [{ field: "pinned_at", direction: -1 }],
    limit: 5,
    message_limit: 2,
  },
  queryChannel: {
    data: { members: ["ada"], name: "x", filter_tags: ["a"] },
    messages: { limit: 2, id_lt: "m" },
    members: { limit: 2 },
    watchers: { limit: 1 },
  },
  queryDistinctChannel: { data: { members: ["ada", { user_id: "bob" }] }, state: true },
  updateChannel: {
    data: { name: "x", cooldown: 0 },
    message: { text: "x" },
    add_members: ["dan"],
    add_filter_tags: ["t"],
  },
  updateChannelPartial: { set: { "a.b": 1, name: "x" }, unset: ["c"] },
  truncateChannel: { truncated_at: "2031-01-01T00:00:00Z", message: { text: "x" } },
  markUnread: { message_id: "m" },
  markChannelsRead: { read_by_channel: { "messaging:room": "m" } },
  markDelivered: { latest_delivered_messages: [{ cid: "messaging:room", id: "m" }] },
  sendEvent: { event: { type: "wave", parent_id: "m", deep: { a: 1 } } },
  updateMemberPartial: { set: { pinned: true, "a.b": 1 }, unset: ["c"] },
  queryMembers: {
    type: "messaging",
    id: "room",
    filter_conditions: { name: { $q: "ada" } },
    sort: [{ field: "user_id" }],
    user_id_gt: "a",
  },
  queryUsers: {
    filter_conditions: { $or: [{ name: { $autocomplete: "a" } }, { teams: { $contains: "x" } }] },
    sort: [{ field: "id", direction: 1 }],
    id_gt: "a",
  },
  upsertUsers: {
    users: { ada: { id: "ada", name: "A", privacy_settings: { read_receipts: { enabled: false } } } },
  },
  updateUsersPartial: { users: [{ id: "ada", set: { "a.b": 1, name: "x" }, unset: ["c"] }] },
  muteChannel: { channel_cid: "messaging:room", expiration: 1000 },
  unmuteChannel: { channel_cids: ["messaging:room"] },
  sendMessage: {
    message: {
      id: "n",
      text: "x",
      attachments: [{ type: "file" }],
      mentioned_users: ["bob"],
      parent_id: "m",
      quoted_message_id: "m",
      show_in_channel: true,
      pinned: true,
      pin_expires: "2040-01-01T00:00:00Z",
      shared_location: { latitude: 1, longitude: 1, created_by_device_id: "d" },
      mood: { a: 1 },
    },
  },
  updateMessage: {
    message: { text: "y", attachments: [{ type: "file" }], mentioned_users: ["bob"], pinned: true },
  },
  updateMessagePartial: { set: { text: "y", "a.b": 1, pinned: true, attachments: [{}] }, unset: ["c"] },
  sendReaction: { reaction: { type: "love", score: 2, mood: 1 }, enforce_unique: true },
  createPoll: {
    id: "q",
    name: "?",
    options: [{ id: "a", text: "a" }, { text: "b" }],
    max_votes_allowed: 2,
    description: "d",
  },
  updatePollPartial: { set: { name: "!", is_closed: false, options: [{ id: "y", text: "y" }] } },
  castPollVote: { vote: { option_id: "y" } },
  updateLiveLocation: { message_id: "l", latitude: 2, longitude: 3, end_at: "2040-01-01T00:00:00Z" },
};

/** The path of every value in a JSON value, itself included. */
function places(node: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof node !== "object" || node === null) return [at];
  return [at, ...Object.entries(node).flatMap(([key, inner]) => places(inner, [...at, key]))];
}

function replaced(node: unknown, [step, ...rest]: (string | number)[], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  const copy = structuredClone(node) as Record<string | number, unknown>;
  copy[step] = replaced(copy[step], rest, replacement);
  return copy;
}

test.each(Object.keys(WORKING) as EndpointName[])(
  "%s answers or refuses a working body with one value replaced",
  (name) => {
    const working = WORKING[name]!;
    const newRoom = (): ReturnType<typeof room> => {
      const b = room();
      b.call("ada", "createPoll", { body: { id: "p", name: "?", options: [{ id: "y", text: "y" }] } });
      b.send("ada", "room", { id: "m", text: "x", poll_id: "p" });
      b.send("ada", "room", {
        id: "l",
        text: "x",
        shared_location: {
          latitude: 1,
          longitude: 1,
          created_by_device_id: "d",
          end_at: "2039-01-01T00:00:00Z",
        },
      });
      return b;
    };
    const path = {
      type: "messaging",
      id: name.includes("Message") || name === "sendReaction" ? "m" : "room",
      user_id: "ada",
      message_id: "m",
      poll_id: "p",
    };
    if (name === "sendMessage") path.id = "room";
    newRoom().call("ada", name, { path, body: working });
    const spots = places(working).slice(1);
    let b = newRoom();
    fc.assert(
      fc.property(fc.constantFrom(...spots), value, (spot, replacement) => {
        try {
          b.call("ada", name, {
            path,
            body: replaced(working, spot, replacement) as Record<string, unknown>,
          });
          b = newRoom();
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          expect(CODES).toHaveProperty(String(error.code));
        }
      }),
      { numRuns: runs(300, 5), seed: SEED },
    );
  },
);
