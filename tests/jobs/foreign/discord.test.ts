/** Discord by DiscordChatExporter: messages, threads, files and reactions of one document or many are in the import, and the rest is counted. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";
import { convertSource, writeFolder, type Converted } from "../../support/foreign.ts";
import { corruptedTexts, WRONG_VALUES } from "../../support/wrong-values.ts";
import { json, zipOf, type Packed } from "../../support/zip.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-discord-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

const ADA = {
  id: "70",
  name: "ada",
  discriminator: "0000",
  nickname: "Ada",
  isBot: false,
  avatarUrl: "https://cdn.example/70.png",
};
const BEN = { id: "71", name: "ben", discriminator: "0000", nickname: "", isBot: false };
let last = 900;
const said = (fields: object): object => ({
  id: String(++last),
  type: "Default",
  timestamp: "2026-03-01T09:00:00.5+01:00",
  timestampEdited: null,
  isPinned: false,
  content: "",
  author: ADA,
  attachments: [],
  embeds: [],
  stickers: [],
  reactions: [],
  mentions: [],
  ...fields,
});
const ROOM = {
  id: "10",
  type: "GuildTextChat",
  categoryId: "2",
  category: "Rooms",
  name: "kitchen",
  topic: "cakes",
};
const document = (messages: unknown[], channel: object = ROOM) => ({
  guild: { id: "1", name: "Bakery", iconUrl: "" },
  channel,
  dateRange: { after: null, before: null },
  exportedAt: "2026-03-02T10:00:00+01:00",
  messages,
  messageCount: messages.length,
});

async function convert(entries: readonly Packed[], taken?: TakenFiles): Promise<Converted> {
  return convertSource(writeFolder(path.join(folder, `${++made}`), entries), { taken });
}
const inRoom = (...messages: object[]): Promise<Converted> =>
  convert([json("any name.json", document(messages.map(said)))]);
const textOf = async (fields: object): Promise<string> => (await inRoom(fields)).texts[0]!;

test("a message keeps its author, time, edit, pin, mentions and its answer", async () => {
  const { of, unused, items } = await inRoom(
    {
      id: "901",
      content: "rise **now**, @ben",
      mentions: [BEN],
      timestampEdited: "2026-03-01T09:01:00+01:00",
      isPinned: true,
    },
    {
      id: "902",
      type: "Reply",
      author: BEN,
      content: "rising",
      reference: { type: "Default", messageId: "901", channelId: "10" },
    },
    { id: "903", type: "Reply", content: "gone", reference: { messageId: "5" } },
    { id: "904", type: "GuildMemberJoin", content: "Joined the server.", author: BEN },
  );
  expect(of("user").toReversed()).toEqual([
    { id: "discord-70", name: "Ada", username: "ada", image: "https://cdn.example/70.png" },
    { id: "discord-71", name: "ben" },
  ]);
  expect(of("channel")).toEqual([
    {
      type: "messaging",
      id: "discord-10",
      created_by: "discord-70",
      name: "kitchen",
      topic: "cakes",
      category: "Rooms",
      server: "Bakery",
    },
  ]);
  expect(items.filter(({ type }) => type === "member")).toHaveLength(2);
  expect(of("message")[0]).toEqual({
    id: "discord-901",
    channel_type: "messaging",
    channel_id: "discord-10",
    user: "discord-70",
    type: "regular",
    text: "rise **now**, @ben",
    created_at: "2026-03-01T08:00:00.500000Z",
    pinned_at: "2026-03-01T08:00:00.500000Z",
    pin_expires: "2250-01-01T00:00:00Z",
    pinned_by_id: "discord-70",
    mentioned_users_ids: ["discord-71"],
    edited_at: "2026-03-01T08:01:00.000000Z",
  });
  expect(of("message").map(({ type, quoted_message_id: quoted }) => [type, quoted])).toEqual([
    ["regular", undefined],
    ["regular", "discord-901"],
    ["regular", undefined],
    ["system", undefined],
  ]);
  expect(unused).toEqual(["notice: a message answers one that is not in the export: 1"]);
});

test.each<[string, object, string]>([
  [
    "raw marks",
    { content: "<@71> in <#10> <:cake:55> <a:spin:56> <t:1700000000:R> ||secret||", mentions: [BEN] },
    "@ben in #kitchen :cake: :spin: 2023-11-14 22:13 secret",
  ],
  ["marks in code", { content: "`<@71>` and\n```\n||x||\n```" }, "`<@71>` and\n```\n||x||\n```"],
  [
    "an embed",
    {
      embeds: [
        {
          title: "Dice",
          url: "https://e.example/d",
          description: "**4**",
          author: { name: "bot" },
          fields: [{ name: "Sides", value: "6" }],
          footer: { text: "rolled" },
        },
      ],
    },
    "bot\n**[Dice](https://e.example/d)**\n**4**\n**Sides**: 6\nrolled",
  ],
  [
    "the command that was given",
    { type: "20", content: "4", interaction: { id: "1", name: "roll", user: ADA } },
    "_/roll by Ada_\n4",
  ],
  [
    "a forwarded message",
    {
      content: "look",
      forwardedMessage: { content: "two\nlines", attachments: [], embeds: [], stickers: [] },
    },
    "look\n_Forwarded_\n> two\n> lines",
  ],
])("%s become text", async (_, fields, text) => {
  expect(await textOf(fields)).toBe(text);
});

test("the preview of a link is an attachment, and pictures of embeds are", async () => {
  const { of } = await inRoom(
    {
      content: "see https://e.example/p",
      embeds: [
        {
          title: "Page",
          url: "https://e.example/p",
          description: "about",
          thumbnail: { url: "https://e.example/t.png" },
        },
      ],
    },
    { embeds: [{ image: { url: "https://e.example/i.png" } }] },
  );
  expect(of("message").map(({ text, attachments }) => [text, attachments])).toEqual([
    [
      "see https://e.example/p",
      [
        {
          og_scrape_url: "https://e.example/p",
          title: "Page",
          title_link: "https://e.example/p",
          text: "about",
          type: "image",
          thumb_url: "https://e.example/t.png",
        },
      ],
    ],
    ["", [{ type: "image", image_url: "https://e.example/i.png" }]],
  ]);
});

test("an embed is text when its link is not in the message, or when it has fields", async () => {
  const url = "https://e.example/p";
  const fields = [{ name: "Price", value: "3" }];
  const { of } = await inRoom(
    { content: `see ${url}`, embeds: [{ title: "Page", url, fields }] },
    { content: "see", embeds: [{ title: "Page", url }] },
    { content: `see ${url}`, embeds: [{ title: "Page", url, fields: [] }] },
  );
  expect(of("message").map(({ text, attachments = [] }) => [text, (attachments as object[]).length])).toEqual(
    [
      [`see ${url}\n**[Page](${url})**\n**Price**: 3`, 0],
      [`see\n**[Page](${url})**`, 0],
      [`see ${url}`, 1],
    ],
  );
});

test("a thread goes to the message that began it; one whose first message is missing is a channel", async () => {
  const { of, unused, messages } = await convert([
    json("room.json", document([said({ id: "500", content: "who bakes?" })])),
    json(
      "thread.json",
      document([said({ id: "501", type: "21", content: "" }), said({ content: "me" })], {
        id: "500",
        type: "GuildPublicThread",
        category: "kitchen",
        name: "bakers",
      }),
    ),
    json(
      "other.json",
      document([said({ content: "alone" })], {
        id: "600",
        type: "GuildPublicThread",
        category: "kitchen",
        name: "lost",
      }),
    ),
  ]);
  expect(
    of("message")
      .map(({ text, type, channel_id: channel, parent_id: parent }) => [text, type, channel, parent])
      .toSorted(),
  ).toEqual([
    ["alone", "regular", "discord-600", undefined],
    ["me", "reply", "discord-10", "discord-500"],
    ["who bakes?", "regular", "discord-10", undefined],
  ]);
  expect(
    of("channel")
      .map(({ id, name }) => [id, name])
      .toSorted(),
  ).toEqual([
    ["discord-10", "kitchen"],
    ["discord-600", "kitchen › lost"],
  ]);
  expect([unused, messages]).toEqual([
    ["notice: a mark for the first message of a thread, which is a message of its channel: 1"],
    3,
  ]);
});

test("parts of one channel are one channel, and a message of two of them is imported once", async () => {
  const one = said({ id: "700", content: "one" });
  const { texts, of, messages } = await convert([
    json("a.json", document([one, said({ content: "two" })])),
    json("a [part 2].json", document([one, said({ content: "three" })])),
  ]);
  expect([texts.toSorted(), of("channel").length, messages]).toEqual([["one", "three", "two"], 1, 4]);
});

test("reactions are one per person and emoji, and those without people are counted", async () => {
  const emoji = (name: string, code: string, id = "") => ({ id, name, code, isAnimated: false });
  const { of, unused, reactions } = await inRoom({
    content: "x",
    reactions: [
      { emoji: emoji("👋🏽", "wave"), count: 2, users: [ADA, BEN] },
      { emoji: emoji("👋", "wave"), count: 1, users: [BEN] },
      { emoji: emoji("cake_spin", "cake_spin", "55"), count: 3, users: [ADA] },
      { emoji: emoji("🎉", "tada"), count: 4 },
    ],
  });
  expect(of("reaction").map(({ type, user_id: user, emoji_code: code }) => [type, user, code])).toEqual([
    ["wave", "discord-70", "👋🏽"],
    ["wave", "discord-71", "👋🏽"],
    ["cake_spin", "discord-70", undefined],
  ]);
  expect(unused).toEqual([
    "notice: a reaction that its giver has already given to the message: 1",
    "reaction: of people whom the export does not name: 6",
  ]);
  expect(reactions).toBe(2 + 1 + 3 + 4);
});

test("somebody keeps their nickname when a reaction names them without one", async () => {
  const { nickname: _, ...plain } = ADA;
  const { of } = await inRoom(
    { content: "x", reactions: [{ emoji: { id: "", name: "🎉", code: "tada" }, count: 1, users: [plain] }] },
    { content: "y", author: BEN },
  );
  expect(of("user").map(({ id, name }) => [id, name])).toEqual([
    ["discord-70", ADA.nickname],
    ["discord-71", BEN.name],
  ]);
});

test("each name of a webhook is somebody", async () => {
  const hook = (name: string) => ({ id: "80", name, discriminator: "0000", nickname: name, isBot: true });
  const { of } = await inRoom(
    { content: "a", author: hook("day") },
    { content: "b", author: hook("night") },
    { content: "c", author: hook("day") },
  );
  const names = new Map(of("user").map(({ id, name }) => [id, name]));
  expect(of("message").map(({ user }) => names.get(String(user)))).toEqual(["day", "night", "day"]);
});

test("downloaded files are taken from beside their document, never from outside the export, and missing ones are named", async () => {
  const out = path.join(folder, "items.jsonl");
  writeFileSync(path.join(folder, "outside.txt"), "secret");
  const file = (id: string, url: string) => ({ id, url, fileName: `${id}.ogg`, fileSizeBytes: 3 });
  const top = writeFolder(path.join(folder, "media"), [
    json(
      "rooms/a.json",
      document([
        said({
          attachments: [
            file("1", "a.json_Files\\one.ogg"),
            file("2", "../../outside.txt"),
            file("3", "/etc/hostname"),
            file("4", "link.ogg"),
            file("5", "https://cdn.example/5"),
          ],
        }),
      ]),
    ),
    { name: "rooms/a.json_Files/one.ogg", content: "one" },
  ]);
  symlinkSync(path.join(folder, "outside.txt"), path.join(top, "rooms", "link.ogg"));
  for (const source of [top, path.join(top, "rooms", "a.json")]) {
    const { of, unused, texts } = await convertSource(source, { taken: new TakenFiles(out) });
    expect(of("message")[0]!.attachments!.map((one) => one.asset_url)).toEqual([
      "./items.jsonl.files/1-1.ogg",
      "https://cdn.example/5",
    ]);
    expect(texts[0]).toBe(["2", "3", "4"].map((id) => `_File not in the export: ${id}.ogg_`).join("\n"));
    expect(unused).toEqual([
      "file: not in the export: 3",
      "notice: the content of a file stays at Discord: its address expires: 1",
    ]);
  }
  expect(readFileSync(`${out}.files/1-1.ogg`, "utf8")).toBe("one");
});

test("empty messages are said, and a channel of nothing else tells why", async () => {
  const { unused, texts } = await inRoom({}, {}, {}, {}, {});
  expect(texts[0]).toBe("_Empty message_");
  expect(unused).toEqual([
    "text: empty in the export: a poll, or what the exporter was not allowed to read: 5",
    "notice: a channel of empty messages: the exporter was not allowed to read their contents: 1",
  ]);
});

test("every message of a damaged document is used or counted", async () => {
  const good = said({ content: "good" });
  const whole = JSON.stringify(
    document([
      good,
      said({ timestamp: "never", content: "x" }),
      5,
      null,
      said({ timestamp: "9999-12-31T00:00:00Z", content: "y" }),
    ]),
  );
  const damaged = await convert([{ name: "a.json", content: whole }]);
  expect([damaged.texts, damaged.messages, damaged.unused]).toEqual([
    ["good"],
    5,
    ["message: without a valid time: 2", "entry: in a list of messages, but no message: 2"],
  ]);
  const cut = await convert([{ name: "b.json", content: whole.slice(0, whole.indexOf("good") + 20) }]);
  expect([cut.texts, cut.unused]).toEqual([[], ["message: b.json: cut in the middle: 1"]]);
});

test("wrong values in any field cost at most their message", async () => {
  const full = {
    ...said({ content: "ok", timestampEdited: "2026-03-01T09:01:00+01:00", isPinned: true }),
    attachments: [{ id: "1", url: "https://e.example/1", fileName: "1.png", fileSizeBytes: 1 }],
    embeds: [{ title: "t", url: "https://e.example", fields: [{ name: "a", value: "b" }] }],
    reactions: [{ emoji: { id: "", name: "👍", code: "+1" }, count: 1, users: [BEN] }],
    mentions: [BEN],
    reference: { messageId: "1" },
  };
  let at = 5000;
  const texts = [
    ...[...corruptedTexts(full)].map(([, text]) =>
      text.replace(`"id":"${String(Object(full).id)}"`, () => `"id":"${++at}"`),
    ),
    ...WRONG_VALUES,
  ];
  const content = JSON.stringify(document([])).replace('"messages":[]', () => `"messages":[${texts.join()}]`);
  const { messages, texts: written } = await convert([{ name: "a.json", content }]);
  expect(written.length).toBeGreaterThan(300);
  expect(messages).toBe(texts.length);
});

test("a zip of documents is read, and what is not one is counted", async () => {
  const file = path.join(folder, "all.zip");
  writeFileSync(
    file,
    zipOf([json("x/a.json", document([said({ content: "hi" })])), json("x/notes.json", { not: "it" })]),
  );
  const { texts, unused } = await convertSource(file);
  expect([texts, unused]).toEqual([["hi"], ["notice: a file in the export that no message shows: 1"]]);
});
