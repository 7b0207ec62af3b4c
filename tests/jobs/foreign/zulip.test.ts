/** Zulip's export: channels with topics as threads, conversations, quotes, polls and files are in the import, and the rest is counted. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";
import { widgetText, zulipText } from "../../../src/jobs/foreign/zulip/text.ts";
import { convertSource, writeFolder, type Converted } from "../../support/foreign.ts";
import { corruptedTexts, WRONG_VALUES } from "../../support/wrong-values.ts";
import { json, type Packed } from "../../support/zip.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-zulip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
let last = 500;
const STREAM = 33;
const said = (fields: object): object => ({
  id: ++last,
  sender: 11,
  recipient: STREAM,
  subject: "rye",
  content: "x",
  date_sent: 1_772_355_600.25 + last,
  last_edit_time: null,
  ...fields,
});
const REALM = {
  zerver_realm: [{ id: 2, name: "Bakery" }],
  zerver_userprofile: [
    {
      id: 11,
      full_name: "Ada",
      email: "a@e.example",
      is_active: true,
      is_bot: false,
      date_joined: 1_700_000_000.5,
      recipient: 31,
    },
    { id: 13, full_name: "Cy", is_active: true, recipient: 36 },
  ],
  zerver_userprofile_mirrordummy: [{ id: 12, full_name: "Ben", is_active: true, recipient: 32 }],
  zerver_userprofile_crossrealm: [{ id: 5, email: "notification-bot@zulip.example" }],
  zerver_stream: [
    {
      id: 21,
      name: "kitchen",
      description: "warm",
      invite_only: true,
      deactivated: true,
      date_created: 1_700_000_002,
    },
  ],
  zerver_recipient: [
    { id: 31, type: 1, type_id: 11 },
    { id: STREAM, type: 2, type_id: 21 },
    { id: 34, type: 3, type_id: 41 },
    { id: 35, type: 3, type_id: 42 },
  ],
  zerver_subscription: [
    { user_profile: 11, recipient: STREAM, active: true },
    ...[11, 12].map((user_profile) => ({ user_profile, recipient: 34, active: true })),
    ...[11, 12, 13].map((user_profile) => ({ user_profile, recipient: 35, active: true })),
  ],
  zerver_reaction: [] as object[],
  zerver_submessage: [] as object[],
};
const messages = (...list: unknown[]): Packed =>
  json("bakery/messages-000001.json", {
    zerver_message: list,
    zerver_usermessage: [{ message: 1, flags_mask: 1 }],
  });
const convert = (entries: readonly Packed[], realm: object = {}, taken?: TakenFiles): Promise<Converted> =>
  convertSource(
    writeFolder(path.join(folder, `${++made}`), [
      json("bakery/realm.json", { ...REALM, ...realm }),
      ...entries,
    ]),
    { taken },
  );

const names = {
  person: (id: string | undefined, name: string) => (name === "Ada" || id === "11" ? "zulip-11" : undefined),
};
test.each<[string, string, string, string[]]>([
  [
    "mentions",
    "@**Ada** @**A*da|11** @_**Ada|11** @**all** @*bakers*",
    "@Ada @**A*da|11** @Ada @all @bakers",
    ["zulip-11"],
  ],
  [
    "links and times",
    "#**kitchen>rye@55** <time:2026-03-01T09:00:00Z>",
    "#kitchen › rye 2026-03-01T09:00:00Z",
    [],
  ],
  ["quotes and spoilers", "```quote\na\nb\n```\nc\n```spoiler End\nd\n```", "> a\n> b\nc\n**End**\nd", []],
  ["code", "`@**Ada**`\n```py\n@**Ada**\n```", "`@**Ada**`\n```py\n@**Ada**\n```", []],
  ["an action", "/me waves", "_waves_", []],
])("%s become Markdown", (_, content, text, mentioned) => {
  const found = zulipText(content, names);
  expect([found.text, found.mentioned]).toEqual([text, mentioned]);
});

test("a poll is text with its votes", () => {
  expect(
    widgetText(
      "/poll Rye?\nyes\n no ",
      new Map([
        ["yes", 2],
        ["maybe", 1],
      ]),
    ),
  ).toBe("📊 **Rye?**\n- yes (2)\n- no (0)\n- maybe (1)");
  expect(widgetText("/todo\nflour", new Map())).toBe("**Task list**\n- flour");
  expect(widgetText("/polling", new Map())).toBeUndefined();
});

test("a name without an id mentions the one person who has it, and nobody where two have it", async () => {
  const { of } = await convert(
    [
      messages(
        said({ content: "@**Cy** @**Dee**" }),
        said({ content: "@**Dee|15** @**Nobody**" }),
        said({ content: "@**Dee** @**Cy**" }),
      ),
    ],
    {
      zerver_userprofile: [
        ...REALM.zerver_userprofile,
        { id: 14, full_name: "Dee", is_active: true, recipient: 37 },
        { id: 15, full_name: "Dee", is_active: true, recipient: 38 },
        { id: 16, full_name: "Dee", is_active: true, recipient: 39 },
      ],
    },
  );
  expect(of("message").map((one) => one.mentioned_users_ids)).toEqual([
    ["zulip-13"],
    ["zulip-15"],
    ["zulip-13"],
  ]);
});

test("a topic is a thread below its first message, and both directions of a conversation are one", async () => {
  const {
    of,
    unused,
    messages: found,
  } = await convert([
    messages(
      said({ id: 502, sender: 12, content: "second", subject: "Rye" }),
      said({ id: 501, content: "first", last_edit_time: 1_772_356_700 }),
      said({
        id: 503,
        content:
          "@_**Ada|11** [said](https://z.example/#narrow/channel/21-kitchen/topic/rye/near/501):\n```quote\nfirst\n```\nyes",
      }),
      said({ id: 504, recipient: 32, subject: "\u0007", content: "to Ben" }),
      said({ id: 505, sender: 12, recipient: 31, subject: "", content: "to Ada" }),
      said({ id: 506, sender: 12, recipient: 34, subject: "", content: "as a group" }),
      said({ id: 507, recipient: 35, subject: "", content: "all three" }),
      said({ id: 508, recipient: 31, subject: "", content: "note" }),
      said({ id: 509, sender: 5, recipient: 99, subject: "", content: "lost" }),
    ),
  ]);
  expect(
    of("message")
      .map(({ text, type, parent_id: parent, quoted_message_id: quoted, topic }) => [
        text,
        type,
        parent,
        quoted,
        topic,
      ])
      .slice(0, 3),
  ).toEqual([
    ["second", "reply", "zulip-501", undefined, "Rye"],
    ["first", "regular", undefined, undefined, "rye"],
    ["yes", "reply", "zulip-501", "zulip-501", "rye"],
  ]);
  expect(
    of("message")
      .slice(3)
      .map(({ channel_id: id, channel_member_ids: members }) => id ?? members),
  ).toEqual([
    ["zulip-11", "zulip-12"],
    ["zulip-11", "zulip-12"],
    ["zulip-11", "zulip-12"],
    ["zulip-11", "zulip-12", "zulip-13"],
    "zulip-self-11",
    "zulip-r99",
  ]);
  expect(of("channel")[0]).toMatchObject({
    id: "zulip-s21",
    name: "kitchen",
    frozen: true,
    description: "warm",
    private: true,
  });
  expect(of("user").map(({ name, bot, deactivated_at: gone }) => [name, bot, gone])).toEqual([
    ["Ada", undefined, undefined],
    ["Cy", undefined, undefined],
    ["Ben", undefined, "2000-01-01T00:00:00Z"],
    ["notification-bot", true, undefined],
  ]);
  expect([unused, found]).toEqual([[], 9]);
});

test("reactions are by their glyph, and those of messages that are missing are counted; votes are", async () => {
  const reaction = (message: number, fields: object) => ({
    user_profile: 12,
    message,
    emoji_name: "+1",
    ...fields,
  });
  const sent = (sender: number, content: object) => ({
    message: 601,
    sender,
    content: JSON.stringify(content),
  });
  const { of, texts, reactions, unused } = await convert(
    [messages(said({ id: 601, subject: "", content: "/poll Rye?\nyes" }), said({ id: 602, content: "x" }))],
    {
      zerver_reaction: [
        reaction(602, { emoji_name: "working", emoji_code: "1f44d", reaction_type: "unicode_emoji" }),
        reaction(602, { emoji_name: "oven", emoji_code: "7", reaction_type: "realm_emoji" }),
        reaction(9, {}),
      ],
      zerver_submessage: [
        sent(11, { widget_type: "poll", extra_data: { question: "Rye?", options: ["yes"] } }),
        sent(12, { type: "new_option", idx: 1, option: "no" }),
        sent(13, { type: "vote", key: "12,1", vote: 1 }),
        sent(12, { type: "vote", key: "canned,0", vote: 1 }),
        sent(12, { type: "vote", key: "canned,0", vote: -1 }),
      ],
    },
  );
  expect(texts[0]).toBe("📊 **Rye?**\n- yes (0)\n- no (1)");
  expect(of("reaction").map(({ type, emoji_code: code }) => [type, code])).toEqual([
    ["+1", "👍"],
    ["oven", undefined],
  ]);
  expect([reactions, unused]).toEqual([3, ["reaction: their message is not in the export: 1"]]);
});

const WITH_FILES: Packed[] = [
  messages(
    said({
      content:
        "see [cup.png](/user_uploads/2/ab/cup.png) and [gone](/user_uploads/2/ab/gone.txt) [x](/user_uploads/../../../realm.json)",
    }),
  ),
  json("bakery/attachment.json", {
    zerver_attachment: [
      { path_id: "2/ab/cup.png", file_name: "my cup.png", size: 7, content_type: "image/png" },
    ],
  }),
  { name: "bakery/uploads/2/ab/cup.png", content: "picture" },
  { name: "bakery/stats.txt", content: "x" },
];

test("a tar.gz is read as its folder; its files are taken, links in it are not, and nothing of it stays behind", async () => {
  const top = path.join(folder, "packed");
  writeFolder(top, [json("bakery/realm.json", REALM), ...WITH_FILES]);
  symlinkSync("/etc/hostname", path.join(top, "bakery/uploads/2/ab/gone.txt"));
  execFileSync("tar", ["czf", path.join(folder, "all.export"), "-C", top, "bakery"]);
  const out = path.join(folder, "items.jsonl");
  for (const source of [top, path.join(folder, "all.export")]) {
    const { of, texts, unused } = await convertSource(source, { taken: new TakenFiles(out) });
    expect(texts).toEqual([
      "see  and\n_File not in the export: gone.txt_\n_File not in the export: realm.json_",
    ]);
    const [attachment] = of("message")[0]!.attachments!;
    expect(attachment).toMatchObject({ type: "image", title: "my cup.png", file_size: 7 });
    expect(readFileSync(path.join(folder, attachment!.image_url!), "utf8")).toBe("picture");
    expect(unused).toEqual([
      "file: not in the export: 2",
      "notice: a file in the export that no message shows: 1",
    ]);
  }
});

test("a packed folder with a path that leads out is refused, and so is a bomb", async () => {
  const place = path.join(folder, "evil");
  mkdirSync(place);
  writeFileSync(path.join(folder, "outside.json"), "{}");
  execFileSync("tar", ["czPf", path.join(folder, "evil.tgz"), "-C", place, "../outside.json"]);
  await expect(convertSource(path.join(folder, "evil.tgz"))).rejects.toThrow(
    "a path in it leads out of its folder",
  );
  const header = Buffer.alloc(512);
  header.write("big.json");
  header.write("0000644\0", 100);
  header.write("77777777777\0", 124);
  header.write("0", 156);
  header.fill(0x20, 148, 156);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  writeFileSync(path.join(folder, "bomb.tgz"), gzipSync(header));
  await expect(convertSource(path.join(folder, "bomb.tgz"))).rejects.toThrow(
    "it would need more than 8191 MiB",
  );
});

test("wrong values in any field cost at most their message", async () => {
  const full = {
    id: 4000,
    sender: 11,
    recipient: STREAM,
    subject: "rye",
    content: "ok",
    date_sent: 1_772_355_600,
    last_edit_time: 1_772_355_600,
  };
  let at = 5000;
  const texts = [
    ...[...corruptedTexts(full)].map(([, one]) => one.replace('"id":4000', () => `"id":${++at}`)),
    ...WRONG_VALUES,
  ];
  const { messages: found } = await convert([
    { name: "bakery/messages-000001.json", content: `{"zerver_message":[${texts.join()}]}` },
  ]);
  expect(found).toBe(texts.length);
  const rows = Object.entries(REALM).map(
    ([table, list]) =>
      `"${table}":[${[...(list as object[]).flatMap((one) => [...corruptedTexts(one as never)].map(([, text]) => text)), ...WRONG_VALUES].join()}]`,
  );
  const { texts: written } = await convertSource(
    writeFolder(path.join(folder, "odd"), [
      { name: "realm.json", content: `{${rows.join()}}` },
      json("messages-1.json", { zerver_message: [said({})] }),
    ]),
  );
  expect(written).toEqual(["x"]);
});
