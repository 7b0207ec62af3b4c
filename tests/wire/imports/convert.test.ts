/** Converting the lines of an export into items of an import (specification/admin.md §9, §10). */
import { expect, test } from "vitest";
import { convertExport } from "../../../src/wire/imports/convert.ts";
import type { ImportItem } from "../../../src/wire/entities/import.ts";

async function converted(...lines: object[]): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of convertExport(async function* () {
    yield* lines;
  }))
    items.push(item);
  return items;
}

test("the user's own line is used, whether other lines mention the user before or after it", async () => {
  const whole = { type: "user", data: { id: "ada", name: "Ada", role: "admin", language: "en" } };
  const mention = { type: "channel", data: { type: "team", id: "tea", created_by: { id: "ada" } } };
  const item = { type: "user", data: { id: "ada", name: "Ada", role: "admin", language: "en" } };
  for (const lines of [
    [mention, whole],
    [whole, mention],
  ]) {
    const users = (await converted(...lines)).filter(({ type }) => type === "user");
    expect(users).toEqual([item]);
  }
});

test("a person without an own line has all that other lines say of them, whichever lines name only the id", async () => {
  const cid = "team:tea";
  const described = { id: "ada", name: "Ada", role: "admin", mood: "warm" };
  const said = [
    { type: "message", data: { id: "m", cid, type: "regular", user: described } },
    { type: "channel", data: { type: "team", id: "tea", cid, created_by: described } },
    { type: "member", data: { cid, user_id: "ada", user: described } },
    { type: "reaction", data: { message_id: "m", cid, user_id: "ada", type: "like", user: described } },
  ];
  const named = [
    { type: "message", data: { id: "m", cid, type: "regular", user: { id: "ada" } } },
    {
      type: "message",
      data: { id: "m", cid, type: "regular", user: { id: "bob" }, mentioned_users: [{ id: "ada" }] },
    },
    {
      type: "message",
      data: { id: "m", cid, type: "regular", user: { id: "bob" }, pinned_by: { id: "ada" } },
    },
    { type: "channel", data: { type: "team", id: "tea", cid, created_by: { id: "ada" } } },
    { type: "member", data: { cid, user_id: "ada" } },
    { type: "reaction", data: { message_id: "m", cid, user_id: "ada", type: "like" } },
  ];
  const ada = async (...lines: object[]) =>
    (await converted(...lines)).filter(({ type, data }) => type === "user" && data.id === "ada");
  for (const whole of said)
    for (const bare of named)
      for (const lines of [
        [whole, bare],
        [bare, whole],
        [bare, whole, bare],
      ])
        expect(await ada(...lines)).toEqual([{ type: "user", data: described }]);
  const parts = [
    { type: "member", data: { cid, user_id: "ada", user: { id: "ada", name: "Ada" } } },
    { type: "member", data: { cid, user_id: "ada", user: { id: "ada", role: "admin", mood: "warm" } } },
  ];
  for (const lines of [parts, parts.toReversed()])
    expect(await ada(...lines)).toEqual([{ type: "user", data: described }]);
});

test("every field gets its name of the import format, and empty or unsupported ones are left out", async () => {
  const at = "2026-01-02T03:04:05Z";
  // Both formats write it in the same way.
  const reaction = {
    type: "reaction",
    data: {
      message_id: "m",
      user_id: "eve",
      type: "love",
      score: 3,
      created_at: at,
      emoji_code: "u1",
      mood: "x",
    },
  };
  const items = await converted(
    { type: "user", data: { id: "ada", name: "Ada", image: "", teams: [], invisible: false, mood: "warm" } },
    {
      type: "user",
      data: { id: "bob", teams: ["red"], teams_role: { red: "admin" }, invisible: true, deactivated_at: at },
    },
    {
      type: "channel",
      data: {
        type: "team",
        id: "tea",
        cid: "team:tea",
        created_by: { id: "ada" },
        created_at: at,
        frozen: true,
        disabled: false,
        team: "red",
        truncated_at: at,
        colour: "green",
      },
    },
    {
      type: "member",
      data: {
        cid: "team:tea",
        user_id: "bob",
        channel_role: "channel_moderator",
        created_at: at,
        archived_at: at,
        invited: true,
        invite_accepted_at: at,
        hidden: true,
        last_read: at,
        banned: true,
        seat: 4,
      },
    },
    {
      type: "member",
      data: { cid: "team:tea", user_id: "eve", hidden: false, invited: false, banned: true },
    },
    {
      type: "message",
      data: {
        id: "m",
        cid: "team:tea",
        type: "regular",
        text: "hi",
        html: "",
        user: { id: "ada" },
        pinned_at: at,
        pin_expires: at,
        pinned_by: { id: "bob" },
        mentioned_users: [{ id: "bob" }, { id: "eve" }],
        restricted_visibility: ["bob"],
        attachments: [],
        show_in_channel: false,
        created_at: at,
        promo: 1,
      },
    },
    {
      type: "message",
      data: {
        id: "r",
        cid: "team:tea",
        type: "reply",
        text: "yes",
        user: { id: "bob" },
        parent_id: "m",
        show_in_channel: true,
        quoted_message_id: "m",
        attachments: [{ type: "link" }],
        pinned_at: at,
        created_at: at,
        deleted_at: at,
      },
    },
    reaction,
  );
  expect(items).toEqual([
    { type: "user", data: { id: "ada", name: "Ada", mood: "warm" } },
    {
      type: "user",
      data: { id: "bob", teams: ["red"], teams_role: { red: "admin" }, invisible: true, deactivated_at: at },
    },
    { type: "user", data: { id: "eve" } },
    {
      type: "channel",
      data: {
        type: "team",
        id: "tea",
        created_by: "ada",
        created_at: at,
        frozen: true,
        team: "red",
        truncated_at: at,
        banned_users: ["bob", "eve"],
        colour: "green",
      },
    },
    {
      type: "member",
      data: {
        channel_type: "team",
        channel_id: "tea",
        user_id: "bob",
        channel_role: "channel_moderator",
        created_at: at,
        archived_at: at,
        invited: true,
        invited_accepted_at: at,
        hide_channel: true,
        last_read: at,
        seat: 4,
      },
    },
    { type: "member", data: { channel_type: "team", channel_id: "tea", user_id: "eve" } },
    {
      type: "message",
      data: {
        id: "m",
        channel_type: "team",
        channel_id: "tea",
        user: "ada",
        type: "regular",
        text: "hi",
        mentioned_users_ids: ["bob", "eve"],
        restricted_visibility: ["bob"],
        pinned_at: at,
        pin_expires: at,
        pinned_by_id: "bob",
        created_at: at,
        promo: 1,
      },
    },
    {
      type: "message",
      data: {
        id: "r",
        channel_type: "team",
        channel_id: "tea",
        user: "bob",
        type: "reply",
        text: "yes",
        parent_id: "m",
        show_in_channel: true,
        quoted_message_id: "m",
        attachments: [{ type: "link" }],
        created_at: at,
        deleted_at: at,
      },
    },
    reaction,
  ]);
});

test("users come first, then channels, members, messages and reactions, in whatever order the file has them", async () => {
  const cid = "team:tea";
  const lines = [
    { type: "reaction", data: { message_id: "m", user_id: "bob", type: "love" } },
    { type: "message", data: { id: "m", cid, type: "regular", user: { id: "ada" } } },
    { type: "member", data: { cid, user_id: "ada" } },
    { type: "channel", data: { type: "team", id: "tea", cid } },
    { type: "user", data: { id: "ada" } },
  ];
  const order = (await converted(...lines)).map(({ type }) => type);
  expect(order).toEqual(["user", "user", "channel", "member", "message", "reaction"]);
});

test("in version 1 files reads are added to the member, and reactions are taken from their message, also when it has only the latest", async () => {
  const reaction = { user_id: "bob", type: "love" };
  const items = await converted({
    channel: { type: "team", id: "tea", cid: "team:tea" },
    members: [{ user_id: "ada" }, { user_id: "bob" }],
    reads: [{ user: { id: "bob" }, last_read: "2026-01-02T03:04:05Z" }],
    messages: [
      {
        id: "m",
        cid: "team:tea",
        type: "regular",
        user: { id: "ada" },
        reactions: [{ ...reaction, message_id: "m" }],
        latest_reactions: [],
      },
      {
        id: "n",
        cid: "team:tea",
        type: "regular",
        user: { id: "ada" },
        latest_reactions: [{ ...reaction, message_id: "n" }],
      },
    ],
  });
  const of = (type: string): object[] => items.filter((one) => one.type === type).map(({ data }) => data);
  expect(of("member").map((one) => (one as { last_read?: string }).last_read)).toEqual([
    undefined,
    "2026-01-02T03:04:05Z",
  ]);
  expect(of("reaction")).toEqual([
    { ...reaction, message_id: "m" },
    { ...reaction, message_id: "n" },
  ]);
});

test("items that cannot be imported are reported and left out, together with their replies and reactions", async () => {
  const cid = "team:tea";
  const user = { id: "ada" };
  const left: string[] = [];
  const items: ImportItem[] = [];
  const lines = [
    { type: "message", data: { id: "e", cid, type: "ephemeral", user } },
    { type: "message", data: { id: "r", cid, type: "reply", parent_id: "e", user } },
    { type: "message", data: { id: "rr", cid, type: "reply", parent_id: "nowhere", user } },
    { type: "message", data: { id: "s", cid, type: "system", user } },
    { type: "message", data: { id: "d", cid, type: "deleted", quoted_message_id: "e", user } },
    { type: "reaction", data: { message_id: "e", user_id: "ada", type: "love" } },
    { type: "reaction", data: { message_id: "s", user_id: "ada", type: "love" } },
    { type: "poll", data: 1 },
    "no line",
    { channel: { cid }, messages: "none" },
  ];
  const read = async function* (): AsyncIterable<unknown> {
    yield* lines;
  };
  for await (const item of convertExport(read, (kind, reason) => left.push(`${kind}: ${reason}`)))
    items.push(item);
  expect(left).toEqual([
    "entry: not of an export",
    "entry: not of an export",
    "entry: not of an export",
    "message: ephemeral messages cannot be imported",
    "reply: their parent is not in the file",
    "reply: their parent is not in the file",
    "field: the quoted message is not in the file before its quote",
    "reaction: their message is not imported",
  ]);
  expect(
    items.filter(({ type }) => type === "message").map(({ data }) => [data.id, data.quoted_message_id]),
  ).toEqual([
    ["s", undefined],
    ["d", undefined],
  ]);
  expect(items.filter(({ type }) => type === "reaction")).toHaveLength(1);
});
