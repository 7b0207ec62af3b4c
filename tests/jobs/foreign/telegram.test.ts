/** Telegram Desktop: chats of an account or one alone, with marks, files, polls and reactions, are in the import, and the rest is counted. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";
import { mendTelegram, telegramText } from "../../../src/jobs/foreign/telegram/text.ts";
import { convertSource, writeFolder, type Converted } from "../../support/foreign.ts";
import { corruptedTexts, WRONG_VALUES } from "../../support/wrong-values.ts";
import { json, type Packed } from "../../support/zip.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-telegram-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
let last = 0;
const said = (fields: object): object => ({
  id: ++last,
  type: "message",
  date: "2026-03-01T10:00:00",
  date_unixtime: "1772355600",
  from: "Ada",
  from_id: "user70",
  text: "",
  text_entities: [],
  ...fields,
});
const text = (words: string): object => ({ text: words, text_entities: [{ type: "plain", text: words }] });
const GROUP = { name: "Bakery", type: "private_group", id: 5 };

const convert = (entries: readonly Packed[], taken?: TakenFiles): Promise<Converted> =>
  convertSource(writeFolder(path.join(folder, `${++made}`), entries), { taken });
const inGroup = (...messages: object[]): Promise<Converted> =>
  convert([json("result.json", { ...GROUP, messages: messages.map(said) })]);

test.each<[string, unknown, string]>([
  ["a plain text", "as *it* is", "as *it* is"],
  ["texts and marks", ["a ", { type: "bold", text: "b " }, { type: "italic", text: "c" }], "a **b** _c_"],
  [
    "marks over signs that a replacement would read",
    [
      { type: "bold", text: "$& $1 $$" },
      { type: "italic", text: "$` " },
    ],
    "**$& $1 $$**_$`_ ",
  ],
  ["marks over lines", [{ type: "strikethrough", text: "a\nb" }], "~~a~~\n~~b~~"],
  [
    "code",
    [
      { type: "code", text: "x" },
      { type: "pre", text: "a < b\n```", language: "c" },
    ],
    "`x`\n````c\na < b\n```\n````",
  ],
  ["a quote", [{ type: "blockquote", text: "a\nb" }, "c"], "> a\n> b\n\nc"],
  [
    "links",
    [
      { type: "text_link", text: "page", href: "https://e.example" },
      { type: "text_link", text: "x", href: "javascript:1" },
    ],
    "[page](https://e.example)x",
  ],
  [
    "hidden and unknown pieces",
    [{ type: "spoiler", text: "a" }, { type: "new", text: "b" }, 5, null, { text: 7 }],
    "ab7",
  ],
])("%s become Markdown", (_, value, markdown) => {
  expect(telegramText(value)).toBe(markdown);
});

test("what is not quite JSON is mended, and JSON stays as it is", () => {
  expect(JSON.parse(mendTelegram(String.raw`{"a":"x\x0By","b":"\\x0B","c":"\u0041"}`))).toEqual({
    a: "x\u000By",
    b: "\\x0B",
    c: "A",
  });
  expect(JSON.parse(mendTelegram('{"document_id": chats/a.webp,"b":1}'))).toEqual({
    document_id: "chats/a.webp",
    b: 1,
  });
  for (const same of ['{"document_id": "5"}', '{"document_id": 12}', '{"document_id": null}'])
    expect(mendTelegram(same)).toBe(same);
});

test("chats of a whole account are channels, with everybody who wrote or is written to", async () => {
  const { of, texts, messages } = await convert([
    json("x/result.json", {
      about: "the data",
      contacts: { list: [{}] },
      chats: {
        about: "",
        list: [
          { name: "Ben", type: "personal_chat", id: 71, messages: [said(text("hi"))] },
          { ...GROUP, messages: [said(text("all"))] },
          { type: "saved_messages", id: 70, messages: [said(text("note"))] },
        ],
      },
      left_chats: {
        list: [{ name: "Old", type: "public_supergroup", id: 5, messages: [said(text("bye"))] }],
      },
    }),
  ]);
  expect(of("channel").map(({ id, name }) => [id, name])).toEqual([
    ["tg-p71", "Ben"],
    ["tg-g5", "Bakery"],
    ["tg-s70", "Saved messages"],
    ["tg-c5", "Old"],
  ]);
  expect([texts, messages]).toEqual([["hi", "all", "note", "bye"], 4]);
  expect(of("member").map(({ channel_id: id, user_id: user }) => `${String(id)} ${String(user)}`)).toContain(
    "tg-p71 tg-user71",
  );
});

test("answers, topics, edits, forwards, deleted accounts and events are kept", async () => {
  const { of, unused } = await inGroup(
    { id: 900, type: "service", actor: "Ada", actor_id: "user70", action: "topic_created", title: "Rye" },
    {
      id: 901,
      ...text("one"),
      reply_to_message_id: 900,
      edited_unixtime: "1772355700",
      edited: "2026-03-01T10:01:40",
    },
    {
      id: 902,
      ...text("two"),
      reply_to_message_id: 901,
      from: null,
      from_id: "user72",
      forwarded_from: "News",
    },
    { id: 903, ...text("three"), reply_to_message_id: 5 },
    { id: 904, ...text("four"), reply_to_message_id: 1, reply_to_peer_id: "channel9" },
    { id: 905, type: "service", actor: "Ada", actor_id: "user70", action: "brand_new_thing" },
  );
  expect(
    of("message").map(({ text: words, type, topic, quoted_message_id: quoted, edited_at: edited }) => [
      words,
      type,
      topic,
      quoted,
      edited,
    ]),
  ).toEqual([
    ["Ada created the topic Rye", "system", undefined, undefined, undefined],
    ["one", "regular", "Rye", undefined, "2026-03-01T09:01:40.000000Z"],
    ["_Forwarded from News_\ntwo", "regular", "Rye", "tg-g5-901", undefined],
    ["three", "regular", undefined, undefined, undefined],
    ["four", "regular", undefined, undefined, undefined],
    ["Ada brand new thing", "system", undefined, undefined, undefined],
  ]);
  expect(of("user").find(({ id }) => id === "tg-user72")).toMatchObject({
    name: "Deleted account",
    deactivated_at: "2000-01-01T00:00:00Z",
  });
  expect(unused).toEqual([
    "notice: a message answers one that is not in the export: 1",
    "notice: a message answers one of another chat: 1",
  ]);
});

test("places, contacts, polls, lists and games become text", async () => {
  const { texts } = await inGroup(
    { location_information: { latitude: 52.1, longitude: 4.3 }, place_name: "Mill", address: "Road 1" },
    { location_information: { latitude: 1e308, longitude: 4.3 }, ...text("odd") },
    { contact_information: { first_name: "Ben", last_name: "", phone_number: "+1" } },
    {
      poll: {
        question: [{ type: "plain", text: "Rye?" }],
        answers: [{ text: ["y", { type: "bold", text: "es" }], voters: 2 }, { text: "no" }],
      },
    },
    { todo_list: { title: "Buy", answers: [{ text: "flour" }] } },
    { game_title: "Chess", game_description: "play" },
  );
  expect(texts).toEqual([
    "📍 Mill\nRoad 1\nhttps://www.openstreetmap.org/?mlat=52.1&mlon=4.3",
    "odd",
    "👤 Ben +1",
    "📊 **Rye?**\n- y**es** (2)\n- no (0)",
    "**Buy**\n- flour",
    "🎮 Chess\nplay",
  ]);
});

test("a place is shown up to the poles and the date line, and not beyond", async () => {
  const at = (latitude: number, longitude: number) => ({ location_information: { latitude, longitude } });
  const there = [at(90, 180), at(-90, -180), at(0, 0)];
  const nowhere = [at(90.1, 0), at(-91, 0), at(0, 180.1), at(0, -181)];
  const { texts } = await inGroup(...there, ...nowhere.map((one) => ({ ...one, place_name: "Nowhere" })));
  expect(texts).toEqual([
    "📍 https://www.openstreetmap.org/?mlat=90&mlon=180",
    "📍 https://www.openstreetmap.org/?mlat=-90&mlon=-180",
    "📍 https://www.openstreetmap.org/?mlat=0&mlon=0",
    ...nowhere.map(() => "Nowhere"),
  ]);
});

test("reactions are those of named people at their times, the rest is counted", async () => {
  const { of, reactions, unused } = await inGroup({
    ...text("x"),
    reactions: [
      {
        type: "emoji",
        emoji: "👍",
        count: 3,
        recent: [{ from: "Ben", from_id: "user71", date: "2026-03-01T10:00:30" }],
      },
      { type: "paid", count: 1 },
      { type: "custom_emoji", document_id: "stickers/a.tgs", count: 1, recent: [{ from_id: "user71" }] },
    ],
  });
  expect(of("reaction").map(({ type, user_id: user, created_at: at }) => [type, user, at])).toEqual([
    ["+1", "tg-user71", "2026-03-01T09:00:30.000000Z"],
    [expect.stringMatching(/^custom-[0-9a-f]{12}$/), "tg-user71", "2026-03-01T09:00:00.000000Z"],
  ]);
  expect([reactions, unused]).toEqual([5, ["reaction: of people whom the export does not name: 3"]]);
});

test("files of the export are taken, those that are not there are named with the reason", async () => {
  const out = path.join(folder, "items.jsonl");
  const { of, texts, unused } = await convert(
    [
      json("result.json", {
        ...GROUP,
        messages: [
          said({ photo: "photos/a.jpg", width: 1, height: 1 }),
          said({
            file: "(File not included. Change data exporting settings to download.)",
            media_type: "video_file",
            mime_type: "video/mp4",
          }),
          said({
            file: "(File exceeds maximum size. Change data exporting settings to download.)",
            file_name: "big.zip",
          }),
          said({ file: "../../etc/passwd", sticker_emoji: "🍞" }),
        ],
      }),
      { name: "photos/a.jpg", content: "picture" },
      { name: "photos/b.jpg", content: "other" },
    ],
    new TakenFiles(out),
  );
  expect(of("message")[0]!.attachments).toEqual([
    {
      type: "image",
      title: "a.jpg",
      image_url: expect.stringMatching(/^\.\/items\.jsonl\.files\/.*a\.jpg$/),
      mime_type: "image/jpeg",
    },
  ]);
  expect(readFileSync(path.join(folder, String(of("message")[0]!.attachments![0]!.image_url)), "utf8")).toBe(
    "picture",
  );
  expect(texts.slice(1)).toEqual([
    "_File not in the export: video_file_",
    "_File not in the export: big.zip_",
    "🍞\n_File not in the export: passwd_",
  ]);
  expect(unused).toEqual([
    "file: not included by the settings of the export: 1",
    "file: too large for the settings of the export: 1",
    "file: not in the export: 1",
    "notice: a file in the export that no message shows: 1",
  ]);
});

test("times without a zone are said, and messages that cannot be read are counted", async () => {
  const { of, unused, messages } = await inGroup(
    { ...text("local"), date_unixtime: undefined },
    { ...text("never"), date_unixtime: "99999999999999999999", date: "yesterday" },
    { type: "unsupported" },
    { id: undefined, ...text("x") },
    {},
  );
  expect(of("message").map(({ text: words, created_at: at }) => [words, at])).toEqual([
    ["local", "2026-03-01T10:00:00.000000Z"],
    ["_Empty message_", "2026-03-01T09:00:00.000000Z"],
  ]);
  expect([messages, unused.toSorted()]).toEqual([
    5,
    [
      "message: of a kind that Telegram Desktop cannot export: 1",
      "message: without a valid time: 1",
      "message: without an id: 1",
      "notice: a time without its zone, which is taken for UTC: 1",
      "text: empty in the export: 1",
    ],
  ]);
});

test("wrong values in any field cost at most their message", async () => {
  const full = {
    ...said({ ...text("ok"), edited_unixtime: "1772355700", reply_to_message_id: 1, forwarded_from: "N" }),
    id: 4000,
    photo: "photos/a.jpg",
    location_information: { latitude: 1, longitude: 2 },
    poll: { question: "q", answers: [{ text: "a", voters: 1 }] },
    contact_information: { first_name: "a" },
    reactions: [
      {
        type: "emoji",
        emoji: "👍",
        count: 1,
        recent: [{ from: "Ben", from_id: "user71", date: "2026-03-01T10:00:30" }],
      },
    ],
  };
  let at = 5000;
  const texts = [
    ...[...corruptedTexts(full)].map(([, one]) => one.replace('"id":4000', () => `"id":${++at}`)),
    ...WRONG_VALUES,
  ];
  const content = JSON.stringify({ ...GROUP, messages: [] }).replace(
    '"messages":[]',
    () => `"messages":[${texts.join()}]`,
  );
  const { messages, texts: written } = await convert([{ name: "result.json", content }]);
  expect(written.length).toBeGreaterThan(300);
  expect(messages).toBe(texts.length);
});
