/** Mattermost's bulk export: teams, people, posts with replies and direct conversations are in the import, and the rest is counted. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";
import { convertSource, type Converted } from "../../support/foreign.ts";
import { corruptedTexts, WRONG_VALUES } from "../../support/wrong-values.ts";
import { zipOf, type Packed } from "../../support/zip.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-mattermost-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
let now = 1_772_355_600_000;
const line = (type: string, fields: object): object => ({ type, [type]: fields });
const post = (fields: object): object =>
  line("post", {
    team: "tea",
    channel: "kitchen",
    user: "ada",
    type: "",
    message: "x",
    props: {},
    create_at: (now += 1000),
    edit_at: 0,
    ...fields,
  });
const reply = (fields: object): object => ({
  user: "ben.k",
  message: "re",
  create_at: (now += 1000),
  ...fields,
});
const TEAM = line("team", { name: "tea", display_name: "Tea House" });
const CHANNEL = line("channel", {
  team: "tea",
  name: "kitchen",
  display_name: "Kitchen",
  type: "P",
  header: "hot",
  purpose: "",
});
const ADA = line("user", {
  username: "ada",
  first_name: "Ada",
  last_name: "Oak",
  nickname: "",
  teams: [
    {
      name: "tea",
      channels: [{ name: "kitchen", roles: "channel_user channel_admin", last_viewed_at: 1_772_355_600_000 }],
    },
  ],
});

const textOf = (lines: readonly unknown[]): string =>
  [line("version", {}), TEAM, CHANNEL, ADA, ...lines]
    .map((one, n) =>
      n === 0
        ? '{"type":"version","version":1,"info":{}}'
        : typeof one === "string"
          ? one
          : JSON.stringify(one),
    )
    .join("\n");

async function convert(...lines: unknown[]): Promise<Converted> {
  const file = path.join(folder, `${++made}.export`);
  writeFileSync(file, textOf(lines));
  return convertSource(file);
}

test("channels have their members, moderators and read marks, and posts what belongs to them", async () => {
  const { of, items, unused } = await convert(
    post({
      message: "hi @ben.k. and @ada",
      edit_at: now + 5000,
      is_pinned: true,
      flagged_by: ["ada"],
      reactions: [{ user: "ben.k", create_at: now + 2000, emoji_name: "+1" }],
    }),
    line("user", { username: "ben.k", nickname: "Ben", delete_at: 1_772_000_000_000 }),
    line("emoji", { name: "teapot" }),
    post({ type: "system_header_change", message: "ada changed the header" }),
    post({ type: "me", message: "waves" }),
  );
  expect(of("user").map(({ id, name, deactivated_at: gone }) => [id, name, gone])).toEqual([
    ["mm-ada", "Ada Oak", undefined],
    [expect.stringMatching(/^mm-ben_k-[0-9a-f]{12}$/), "Ben", "2026-02-25T06:13:20.000000Z"],
  ]);
  expect(of("channel")).toEqual([
    {
      type: "messaging",
      id: "mm-tea-kitchen",
      created_by: "mm-ada",
      name: "Kitchen",
      team: "Tea House",
      header: "hot",
      private: true,
    },
  ]);
  expect(items.find(({ type }) => type === "member")?.data).toEqual({
    channel_type: "messaging",
    channel_id: "mm-tea-kitchen",
    user_id: "mm-ada",
    is_moderator: true,
    last_read: "2026-03-01T09:00:00.000000Z",
  });
  const [first, ...others] = of("message");
  expect(first).toMatchObject({
    text: "hi @ben.k. and @ada",
    pinned_by_id: "mm-ada",
    edited_at: expect.any(String),
  });
  expect(first!.mentioned_users_ids).toEqual([of("user")[1]!.id, "mm-ada"]);
  expect(others.map(({ text, type }) => [text, type])).toEqual([
    ["ada changed the header", "system"],
    ["_waves_", "regular"],
  ]);
  expect(of("reaction").map(({ type, created_at: at }) => [type, at])).toEqual([
    ["+1", expect.stringMatching(/Z$/)],
  ]);
  expect(unused).toEqual([
    "notice: emoji has no place in an import: 1",
    "notice: a post that somebody has saved: 1",
  ]);
});

test("replies are in their thread, equal posts are two, and names that become one id are two people", async () => {
  const at = (now += 1000);
  const same = { message: "same", create_at: at };
  const { of, messages } = await convert(
    post({ message: "root", replies: [reply({ message: "one" }), reply({ user: "ben_k", message: "two" })] }),
    post(same),
    post(same),
  );
  expect(of("message").map(({ text, type }) => [text, type])).toEqual([
    ["root", "regular"],
    ["one", "reply"],
    ["two", "reply"],
    ["same", "regular"],
    ["same", "regular"],
  ]);
  expect(new Set(of("message").map(({ user }) => user)).size).toBe(3);
  expect(messages).toBe(5);
});

test("a channel is frozen when either name of its deletion has a time, and open without one", async () => {
  const { of } = await convert(
    ...[{ delete_at: 1_772_000_000_000 }, { deleted_at: 1_772_000_000_000 }, { delete_at: 0 }, {}].map(
      (fields, n) => line("channel", { team: "tea", name: `room${n}`, type: "O", ...fields }),
    ),
  );
  expect(of("channel").map(({ id, frozen }) => [id, frozen ?? false])).toEqual([
    ["mm-tea-kitchen", false],
    ["mm-tea-room0", true],
    ["mm-tea-room1", true],
    ["mm-tea-room2", false],
    ["mm-tea-room3", false],
  ]);
});

test("replies to a post without a time stand in the channel by themselves", async () => {
  const { of, unused } = await convert(
    post({
      message: "lost",
      create_at: "x",
      replies: [reply({ message: "one" }), reply({ message: "two" })],
    }),
  );
  expect(of("message").map(({ text, type, parent_id: parent }) => [text, type, parent])).toEqual([
    ["one", "regular", undefined],
    ["two", "regular", undefined],
  ]);
  expect(unused).toEqual(["message: without a valid time: 1"]);
});

test("a post is its author's unless it came from a webhook under another name", async () => {
  const { of } = await convert(
    post({ props: { override_username: "Oven" } }),
    post({ props: { override_username: "Oven", from_webhook: "false" } }),
    post({ props: { from_webhook: "true" } }),
    post({ props: { override_username: "Oven", from_webhook: "true" } }),
  );
  expect(of("message").map(({ user }) => user)).toEqual(["mm-ada", "mm-ada", "mm-ada", "mm-hook-Oven"]);
});

test("direct conversations are one for the same people, in the old and the new form, and one with oneself is a channel", async () => {
  const { of } = await convert(
    line("direct_channel", { members: ["ada", "ben"] }),
    line("direct_channel", { participants: [{ username: "ben" }, { username: "ada" }] }),
    line("direct_channel", { members: ["ada", "ada"] }),
    line("direct_post", { channel_members: ["ben", "ada"], user: "ben", message: "hi", create_at: now }),
    line("direct_post", { channel_members: ["ada", "ada"], user: "ada", message: "note", create_at: now }),
  );
  expect(
    of("channel")
      .slice(1)
      .map(({ id, member_ids: members }) => [id, members]),
  ).toEqual([
    [undefined, ["mm-ada", "mm-ben"]],
    ["mm-self-ada", undefined],
  ]);
  expect(
    of("message").map(({ text, channel_member_ids: members, channel_id: id }) => [text, members ?? id]),
  ).toEqual([
    ["hi", ["mm-ada", "mm-ben"]],
    ["note", "mm-self-ada"],
  ]);
});

test("cards of integrations become text, webhooks speak under their names, and files are taken from data/", async () => {
  const entries: Packed[] = [
    {
      name: "import.jsonl",
      content: textOf([
        post({
          message: "",
          props: {
            from_webhook: "true",
            override_username: "Oven",
            attachments: [
              {
                pretext: "p",
                title: "T",
                title_link: "https://e.example",
                text: "t",
                fields: [{ title: "a", value: "b" }],
              },
              { fallback: "f" },
            ],
          },
        }),
        post({
          message: "see",
          attachments: [{ path: "1/cup.png" }, { path: "1/gone.txt" }, { path: "../../import.jsonl" }],
        }),
      ]),
    },
    { name: "data/1/cup.png", content: "picture" },
  ];
  const zip = path.join(folder, "export.zip");
  writeFileSync(zip, zipOf(entries));
  const out = path.join(folder, "items.jsonl");
  const { of, texts, unused } = await convertSource(zip, { taken: new TakenFiles(out) });
  expect(texts).toEqual([
    "p\n**[T](https://e.example)**\nt\n**a**: b\nf",
    "see\n_File not in the export: gone.txt_\n_File not in the export: import.jsonl_",
  ]);
  expect(of("user").find(({ id }) => id === of("message")[0]!.user)).toMatchObject({ name: "Oven" });
  expect(readFileSync(path.join(folder, String(of("message")[1]!.attachments![0]!.image_url)), "utf8")).toBe(
    "picture",
  );
  expect(unused).toEqual(["file: not in the export: 2"]);
});

test("broken and unknown lines are counted, the others are read", async () => {
  const { texts, unused, messages } = await convert(
    post({ message: "a" }),
    '{"type":"post","post":{',
    "[]",
    '{"type":"post"}',
    '{"type":"new_thing","new_thing":{}}',
    post({ create_at: "soon" }),
    post({ message: "b", replies: [5], create_at: now }),
  );
  expect(texts).toEqual(["a", "b"]);
  expect([messages, unused.toSorted()]).toEqual([
    7,
    [
      "entry: a line of the export without a known form: 2",
      "entry: a line of the export: not valid JSON, or beyond the bounds of an element: 1",
      "entry: in a list of replies, but no message: 1",
      "message: without a valid time: 1",
      "notice: new_thing has no place in an import: 1",
    ],
  ]);
});

test("wrong values in any field cost at most their message", async () => {
  const full = {
    team: "tea",
    channel: "kitchen",
    user: "ada",
    type: "me",
    message: "ok",
    props: { attachments: [{ text: "t" }] },
    create_at: now,
    edit_at: now,
    reactions: [{ user: "ada", create_at: now, emoji_name: "tea" }],
    attachments: [{ path: "x" }],
    is_pinned: true,
  };
  const posts = [...corruptedTexts(full)].map(([, one]) => `{"type":"post","post":${one}}`);
  const wrong = WRONG_VALUES.map((one) => `{"type":"post","post":${one}}`);
  const { messages } = await convert(...posts, ...wrong);
  const notObjects = messages - posts.length;
  expect(notObjects).toBe(wrong.length);
});
