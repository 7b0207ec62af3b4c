/** Slack exports: every text, file, reply and reaction is in the import, wherever Slack keeps it; what is not is counted. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";
import { BadExport } from "../../../src/jobs/foreign/base/zip.ts";
import { convertSource, type Converted } from "../../support/foreign.ts";
import { json, zipOf, type Packed } from "../../support/zip.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-slack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

const convertBytes = (bytes: Uint8Array, taken?: TakenFiles): Promise<Converted> => {
  const file = path.join(folder, `${++made}.zip`);
  writeFileSync(file, bytes);
  return convertSource(file, { taken, format: "slack" });
};
const convert = (entries: readonly Packed[], taken?: TakenFiles) => convertBytes(zipOf(entries), taken);

const USERS = json("users.json", [
  { id: "U1", name: "ana" },
  { id: "U2", name: "bo" },
]);
const GENERAL = { id: "C1", name: "general", members: ["U1", "U2"] };
const CHANNELS = json("channels.json", [GENERAL]);
let second = 1_600_000_000;
const at = (seconds: number): string => `${seconds}.000100`;
/** A message with a time of its own. */
const said = (fields: object): object => ({ type: "message", user: "U1", ts: at(++second), ...fields });
const day = (messages: unknown, name = "general/2020-09-13.json"): Packed => json(name, messages);
const inGeneral = (...messages: object[]): Promise<Converted> =>
  convert([USERS, CHANNELS, day(messages.map(said))]);
const textOf = async (fields: object): Promise<string> => (await inGeneral(fields)).texts[0]!;
const rich = (...elements: object[]): object => ({ blocks: [{ type: "rich_text", elements }] });
const section = (...elements: object[]): object => ({ type: "rich_text_section", elements });
const words = (text: string, style?: object): object => ({ type: "text", text, ...(style ? { style } : {}) });

test.each<[string, object, string]>([
  ["a section", { blocks: [{ type: "section", text: { type: "mrkdwn", text: "*so*" } }] }, "**so**"],
  [
    "fields of a section",
    {
      blocks: [
        {
          type: "section",
          fields: [
            { type: "mrkdwn", text: "a" },
            { type: "plain_text", text: "b" },
          ],
        },
      ],
    },
    "a\nb",
  ],
  ["a header", { blocks: [{ type: "header", text: { type: "plain_text", text: "News" } }] }, "**News**"],
  [
    "a context",
    {
      blocks: [
        {
          type: "context",
          elements: [
            { type: "image", alt_text: "logo" },
            { type: "mrkdwn", text: "by <@U2>" },
          ],
        },
      ],
    },
    "logo by @bo",
  ],
  ["a markdown block", { blocks: [{ type: "markdown", text: "**so**" }] }, "**so**"],
  [
    "a table",
    {
      blocks: [
        {
          type: "table",
          rows: [
            [{ type: "raw_text", text: "a|b" }, rich(section(words("c")))],
            [{ type: "raw_text", text: "d" }],
          ].map((row) => row.map((cell) => ("blocks" in cell ? (cell.blocks as object[])[0] : cell))),
        },
      ],
    },
    "| a\\|b | c |\n| --- | --- |\n| d |  |",
  ],
  [
    "a video",
    {
      blocks: [
        {
          type: "video",
          title: { type: "plain_text", text: "Talk" },
          title_url: "https://e.example/v",
          description: { type: "plain_text", text: "long" },
        },
      ],
    },
    "[Talk](https://e.example/v)\nlong",
  ],
  [
    "a call",
    { blocks: [{ type: "call", call: { v1: { name: "Meet", join_url: "https://e.example/m" } } }] },
    "[Meet](https://e.example/m)",
  ],
  [
    "styles, of which neighbours are joined",
    rich(
      section(
        words("a "),
        words("b ", { bold: true }),
        words("c", { bold: true }),
        words("d", { code: true }),
        words("e", { italic: true, strike: true }),
      ),
    ),
    "a **b c**`d`~~_e_~~",
  ],
  [
    "mentions, channels, broadcasts, groups, links, dates, colours and emoji",
    {
      text: "<!subteam^S1|@team>",
      ...rich(
        section(
          { type: "user", user_id: "U2" },
          words(" "),
          { type: "channel", channel_id: "C1" },
          words(" "),
          { type: "broadcast", range: "here" },
          words(" "),
          { type: "usergroup", usergroup_id: "S1" },
          words(" "),
          { type: "link", url: "https://e.example/", text: "page" },
          words(" "),
          { type: "link", url: "https://e.example/" },
          words(" "),
          { type: "date", timestamp: 1_600_000_000, fallback: "that day" },
          words(" "),
          { type: "color", value: "#ff0000" },
          words(" "),
          { type: "emoji", name: "tea", unicode: "1f375" },
          { type: "emoji", name: "parrot" },
          { type: "emoji", name: "wave", skin_tone: 3 },
        ),
      ),
    },
    "@bo #general @here @team [page](https://e.example/) https://e.example/ that day #ff0000 🍵:parrot:👋🏼",
  ],
  [
    "lists within lists, a quote and code",
    rich(
      section(words("first\n")),
      {
        type: "rich_text_list",
        style: "ordered",
        indent: 0,
        elements: [section(words("one")), section(words("two"))],
      },
      { type: "rich_text_list", style: "bullet", indent: 1, elements: [section(words("in"))] },
      { type: "rich_text_list", style: "ordered", indent: 0, offset: 2, elements: [section(words("three"))] },
      { type: "rich_text_quote", elements: [words("said\ntwice")] },
      section(words("after")),
      { type: "rich_text_preformatted", elements: [words("a < b\n```")] },
    ),
    "first\n1. one\n2. two\n   - in\n3. three\n\n> said\n> twice\n\nafter\n````\na < b\n```\n````",
  ],
  [
    "a list whose items have several lines",
    rich({
      type: "rich_text_list",
      style: "ordered",
      indent: 1,
      elements: [section(words("one\ntwo\nthree")), section(words("next"))],
    }),
    "   1. one\n      two\n      three\n   2. next",
  ],
  [
    "an unknown block beside the text",
    { text: "all of it", blocks: [{ type: "new", text: "of it" }] },
    "all of it",
  ],
  [
    "an unknown block with more than the text",
    { text: "a part", blocks: [{ type: "new", text: "more" }] },
    "a part\nmore",
  ],
  [
    "blocks without words",
    { text: "the text", blocks: [{ type: "divider" }, { type: "actions" }] },
    "the text",
  ],
  [
    "buttons that lead somewhere",
    {
      text: "the text",
      blocks: [
        {
          type: "actions",
          elements: [
            { type: "button", text: { type: "plain_text", text: "Open" }, url: "https://e.example/o" },
            { type: "button", text: { type: "plain_text", text: "Approve" }, value: "yes" },
          ],
        },
      ],
      attachments: [
        { text: "card", actions: [{ type: "button", text: "View", url: "https://e.example/v" }] },
      ],
    },
    "the text\n[Open](https://e.example/o)\ncard\n[View](https://e.example/v)",
  ],
  [
    "a button beside a section",
    {
      blocks: [
        {
          type: "section",
          text: { type: "plain_text", text: "Build" },
          accessory: {
            type: "button",
            text: { type: "plain_text", text: "Log" },
            url: "https://e.example/l",
          },
        },
      ],
    },
    "Build\n[Log](https://e.example/l)",
  ],
  [
    "an attachment of an app",
    {
      attachments: [
        {
          fallback: "not shown",
          pretext: "Build",
          author_name: "ci",
          title: "#7",
          title_link: "https://e.example/7",
          text: "*passed*",
          fields: [{ title: "Branch", value: "main" }, { value: "fast" }],
          footer: "done",
        },
      ],
    },
    "Build\nci\n**[#7](https://e.example/7)**\n**passed**\n**Branch**: main\nfast\ndone",
  ],
  ["an attachment with a fallback only", { attachments: [{ fallback: "[main] 1 &amp; 2" }] }, "[main] 1 & 2"],
  [
    "an attachment with blocks",
    { attachments: [{ blocks: [{ type: "section", text: { type: "mrkdwn", text: "inside" } }] }] },
    "inside",
  ],
  [
    "a shared message",
    {
      attachments: [
        { is_share: true, author_name: "bo", text: "look\nhere", from_url: "https://e.example/m" },
      ],
    },
    "> bo\n> look\n> here",
  ],
  [
    "the comment on a file",
    {
      subtype: "file_comment",
      text: "<@U1> commented",
      comment: { user: "U2", comment: "nice" },
      file: { id: "F1", name: "cup.png" },
    },
    "> cup.png\nnice",
  ],
  ["an action", { subtype: "me_message", text: "waves" }, "_waves_"],
  [
    "a forwarded mail",
    {
      files: [
        {
          id: "F1",
          mode: "email",
          url_private: "https://e.example/f",
          subject: "Hi",
          plain_text: "All is well",
        },
      ],
    },
    "Hi\nAll is well",
  ],
  [
    "entities, a mail address and a tone",
    { text: "1 &lt; 2 &amp; <mailto:a@b.example|a@b.example> :wave::skin-tone-6:" },
    "1 < 2 & a@b.example 👋🏿",
  ],
])("%s becomes text", async (_, fields, text) => {
  expect(await textOf(fields)).toBe(text);
});

test("pictures of blocks and attachments and previews of links become attachments", async () => {
  const { of } = await inGeneral(
    { blocks: [{ type: "image", image_url: "https://e.example/a.png", alt_text: "cup" }] },
    {
      attachments: [
        { title: "t", image_url: "https://e.example/b.png", thumb_url: "https://e.example/no.png" },
      ],
    },
    {
      text: "see",
      attachments: [
        {
          from_url: "https://e.example/p",
          title: "Page",
          text: "about",
          thumb_url: "https://e.example/c.png",
        },
      ],
    },
  );
  expect(of("message").map(({ text, attachments }) => [text, attachments])).toEqual([
    ["", [{ type: "image", title: "cup", image_url: "https://e.example/a.png" }]],
    ["**t**", [{ type: "image", title: "t", image_url: "https://e.example/b.png" }]],
    [
      "see",
      [
        {
          type: "image",
          og_scrape_url: "https://e.example/p",
          title: "Page",
          title_link: "https://e.example/p",
          text: "about",
          thumb_url: "https://e.example/c.png",
        },
      ],
    ],
  ]);
});

test("the 31st file and a text beyond the limit go into further messages of the same thread", async () => {
  const files = Array.from({ length: 31 }, (_, n) => ({
    id: `F${n}`,
    name: `${n}.txt`,
    url_private: `https://e.example/${n}`,
  }));
  const first = at(1_600_500_000);
  const long = `${"word ".repeat(3999)}😀${"x".repeat(25_000)}`;
  const { of, lost } = await inGeneral(
    { ts: first, text: "root" },
    { ts: at(1_600_500_001), thread_ts: first, files, text: long },
  );
  const [, ...parts] = of("message");
  expect(
    parts.map(({ attachments = [], parent_id: parent, type }) => [attachments.length, parent, type]),
  ).toEqual([
    [30, "slack-C1-1600500000-000100", "reply"],
    [1, "slack-C1-1600500000-000100", "reply"],
    [0, "slack-C1-1600500000-000100", "reply"],
  ]);
  expect(
    parts
      .map(({ text }) => text)
      .join("")
      .replaceAll(" ", ""),
  ).toBe(long.replaceAll(" ", ""));
  expect(parts.map(({ id, created_at: time }) => [id, time.slice(-8)])).toEqual([
    ["slack-C1-1600500001-000100", ".000100Z"],
    ["slack-C1-1600500001-000100-part2", ".000101Z"],
    ["slack-C1-1600500001-000100-part3", ".000102Z"],
  ]);
  expect(lost).toBe(0);
});

test("files that Slack has no more are named and counted, and lose something unless they were deleted", async () => {
  const { texts, unused, lost } = await inGeneral({
    files: [
      { id: "F1", mode: "tombstone" },
      { id: "F2", mode: "hidden_by_limit" },
      { id: "F3", name: "x.txt", file_access: "file_not_found" },
      { id: "F4", name: "y.txt", url_private: "https://e.example/y" },
      { id: "F5", name: "z.txt", mode: "external", url_private: "https://e.example/z" },
    ],
  });
  expect(texts).toEqual([
    "_File no longer available_\n_File no longer available_\n_File no longer available: x.txt_",
  ]);
  expect(unused).toEqual([
    "notice: deleted in Slack: 1",
    "file: hidden by the limit of the Slack plan: 1",
    "file: not found by Slack: 1",
    "notice: the content of a file stays at Slack: its address needs a token that expires: 1",
  ]);
  expect(lost).toBe(2);
});

test("a reply finds its thread without thread_ts on the first message, and is kept without a first message", async () => {
  const first = at(1_600_600_000);
  const { of, unused } = await inGeneral(
    { ts: first, text: "root", reply_count: 3 },
    { ts: at(1_600_600_001), thread_ts: first, text: "reply" },
    { ts: at(1_600_600_002), thread_ts: at(1_600_600_001), text: "to a reply" },
    { ts: at(1_600_600_003), thread_ts: at(1_500_000_000), text: "to nothing" },
    { ts: at(1_600_600_004), thread_ts: first, subtype: "thread_broadcast", text: "to all" },
  );
  expect(
    of("message").map(({ text, type, parent_id: parent, show_in_channel: shown }) => [
      text,
      type,
      parent,
      shown,
    ]),
  ).toEqual([
    ["root", "regular", undefined, undefined],
    ["reply", "reply", "slack-C1-1600600000-000100", undefined],
    ["to a reply", "regular", undefined, undefined],
    ["to nothing", "regular", undefined, undefined],
    ["to all", "reply", "slack-C1-1600600000-000100", true],
  ]);
  expect(unused).toEqual([
    "notice: a reply whose first message is not in the export stands in the channel: 2",
    "notice: a reply is counted by its thread and not in the export: 1",
  ]);
});

test("a reply that only its first message names, as in older exports, stands in that thread, also on another day", async () => {
  const first = at(1_600_600_000);
  const replies = [1, 2, 90_000].map((n) => ({ user: "U2", ts: at(1_600_600_000 + n) }));
  const { of, unused } = await convert([
    USERS,
    CHANNELS,
    day([
      said({ ts: first, text: "root", reply_count: 3, replies }),
      said({ ts: replies[0]!.ts, text: "one" }),
      said({ ts: replies[1]!.ts, text: "two", thread_ts: first }),
      said({ ts: at(1_600_600_003), text: "beside" }),
    ]),
    day([said({ ts: replies[2]!.ts, text: "next day" })], "general/2020-09-21.json"),
  ]);
  expect(of("message").map(({ text, parent_id: parent }) => [text, parent !== undefined])).toEqual([
    ["root", false],
    ["one", true],
    ["two", true],
    ["beside", false],
    ["next day", true],
  ]);
  expect(unused).toEqual([]);
});

test("reactions: tones and names of one emoji are one, people in no list become users, and those without a name are counted", async () => {
  const { of, unused, lost } = await inGeneral({
    text: "hi",
    reactions: [
      { name: "wave::skin-tone-3", users: ["U1", "U2"] },
      { name: "wave", users: ["U1"] },
      { name: "thumbsup", users: ["U9"] },
      { name: "party_parrot", users: ["U1"], count: 4 },
      { name: "flag-de", users: ["U1"] },
      { name: "constructor", users: ["U1"] },
    ],
  });
  expect(of("reaction").map(({ type, user_id: user }) => [type, user])).toEqual([
    ["wave", "U1"],
    ["wave", "U2"],
    ["+1", "U9"],
    ["party_parrot", "U1"],
    ["de", "U1"],
  ]);
  expect(of("user").map(({ id, name }) => [id, name])).toContainEqual(["U9", undefined]);
  expect(unused).toEqual([
    "notice: a reaction that its giver has already given to the message: 1",
    "reaction: of people whom the export does not name: 3",
    "reaction: without a valid name: 1",
  ]);
  expect(lost).toBe(4);
});

test("guests are called by their profile in a message, and each name of a bot is a user", async () => {
  const { of } = await inGeneral(
    { user: "U7", user_profile: { display_name: "Guest", real_name: "G" }, text: "a" },
    { user: undefined, subtype: "bot_message", bot_id: "B1", username: "deploy", text: "b" },
    { user: undefined, subtype: "bot_message", bot_id: "B1", username: "alarm bot", text: "c" },
    { user: undefined, subtype: "bot_message", bot_id: "B2", bot_profile: { name: "Poll" }, text: "d" },
    { user: undefined, subtype: "bot_message", username: "погода", text: "e" },
    { user: undefined, subtype: "bot_message", username: "новости", text: "f" },
    { user: undefined, text: "g" },
    {
      user: "USLACKBOT",
      subtype: "huddle_thread",
      room: { created_by: "U2", date_start: 5, date_end: 65, participant_history: ["U1"] },
      text: "",
    },
  );
  const names = new Map(of("user").map(({ id, name }) => [id, name]));
  expect(of("message").map(({ user, text }) => [names.get(String(user)), text])).toEqual([
    ["Guest", "a"],
    ["deploy", "b"],
    ["alarm bot", "c"],
    ["Poll", "d"],
    ["погода", "e"],
    ["новости", "f"],
    [undefined, "g"],
    ["bo", "Huddle, 1 min: ana"],
  ]);
});

test("the first name of a bot has its id, with which it may also speak without a name", async () => {
  const bot = (more: object) => ({ user: undefined, subtype: "bot_message", bot_id: "B1", ...more });
  const { of } = await inGeneral(
    bot({ username: "deploy", text: "a" }),
    bot({ username: "alarm", text: "b" }),
    bot({ username: "deploy", text: "c" }),
    bot({ text: "d" }),
  );
  expect(of("message").map(({ user }) => user)).toEqual(["B1", "B1-alarm", "B1", "B1"]);
  expect(of("user").filter(({ name }) => name === "deploy")).toHaveLength(1);
});

test("Slack's own messages are of Slackbot, without a row of people", async () => {
  const { of } = await inGeneral({ user: "USLACKBOT", text: "a reminder" });
  const names = new Map(of("user").map(({ id, name }) => [id, name]));
  expect(of("message").map(({ user, text }) => [names.get(String(user)), text])).toEqual([
    ["Slackbot", "a reminder"],
  ]);
});

test("bots whose long names begin alike are different people", async () => {
  const long = "the bot that reports what happened in the warehouse of the northern harbour";
  const { of } = await inGeneral(
    { user: undefined, subtype: "bot_message", username: `${long} by day`, text: "a" },
    { user: undefined, subtype: "bot_message", username: `${long} by night`, text: "b" },
  );
  const names = new Map(of("user").map(({ id, name }) => [id, name]));
  expect(of("message").map(({ user, text }) => [names.get(String(user)), text])).toEqual([
    [`${long} by day`, "a"],
    [`${long} by night`, "b"],
  ]);
});

test("bots and folders whose names differ only in what an id may not hold stay apart", async () => {
  const bot = (username: string) =>
    said({ user: undefined, subtype: "bot_message", username, text: username });
  const ofApp = (username: string) => said({ user: undefined, bot_id: "B1", username, text: username });
  const { of } = await convert([
    USERS,
    CHANNELS,
    day([bot("a b"), bot("a_b"), bot("a.b"), ofApp("x"), ofApp("c d"), ofApp("c_d")]),
    day(HI, "a b/2020-09-13.json"),
    day([said({})], "a_b/2020-09-13.json"),
  ]);
  const names = new Map(of("user").map(({ id, name }) => [id, name]));
  const bots = of("message").slice(0, 6);
  expect(bots.map(({ user }) => names.get(String(user)))).toEqual(bots.map(({ text }) => text));
  expect(new Set(of("message").map(({ channel_id: id }) => id)).size).toBe(3);
});

test("users are written with what the list says of them, and nothing else", async () => {
  const { of } = await convert([
    json("users.json", [
      { id: "U1" },
      { id: "U2", name: "bo", profile: null },
      { id: "U3", deleted: true, updated: 0, profile: { display_name: "", real_name: "Gone" } },
      { name: "without an id" },
    ]),
    CHANNELS,
  ]);
  expect(of("user")).toEqual([
    { id: "U1" },
    { id: "U2", name: "bo" },
    { id: "U3", name: "Gone", deactivated_at: "2000-01-01T00:00:00Z" },
  ]);
});

const HI = [said({ text: "hi" })];

test.each<[string, () => Packed[]]>([
  [
    "below a top folder",
    () => [USERS, CHANNELS, day(HI)].map((one) => ({ ...one, name: `My export/${one.name}` })),
  ],
  [
    "with ./ in front of its names",
    () => [USERS, CHANNELS, day(HI)].map((one) => ({ ...one, name: `./${one.name}` })),
  ],
  ["with backslashes in its names", () => [USERS, CHANNELS, day(HI, "general\\2020-09-13.json")]],
  [
    "with byte order marks",
    () => [USERS, CHANNELS, day(HI)].map((one) => ({ ...one, content: `\uFEFF${String(one.content)}` })),
  ],
  ["with an empty day", () => [USERS, CHANNELS, { name: "general/2020-09-12.json", content: "" }, day(HI)]],
  [
    "with the clutter of macOS and Windows",
    () => [
      USERS,
      CHANNELS,
      day(HI),
      { name: "general/._2020-09-13.json", content: "\0\0" },
      { name: "__MACOSX/general/._x", content: "x" },
      { name: "Thumbs.db", content: "x" },
    ],
  ],
  ["without channels.json", () => [USERS, day(HI)]],
  ["without users.json", () => [CHANNELS, day(HI)]],
  ["with its days in folders of years", () => [USERS, CHANNELS, day(HI, "general/2020/2020-09-13.json")]],
  [
    "of a private channel",
    () => [USERS, json("groups.json", [{ id: "G1", name: "secret" }]), day(HI, "secret/2020-09-13.json")],
  ],
  [
    "of a direct conversation",
    () => [USERS, json("dms.json", [{ id: "D1", members: ["U1", "U8"] }]), day(HI, "D1/2020-09-13.json")],
  ],
  [
    "of a group conversation",
    () => [
      USERS,
      json("mpims.json", [{ id: "G2", name: "mpdm-ana--bo-1", members: ["U1", "U2"] }]),
      day(HI, "mpdm-ana--bo-1/2020-09-13.json"),
    ],
  ],
  ["with a folder by the channel's id", () => [USERS, CHANNELS, day(HI, "C1/2020-09-13.json")]],
  [
    "with a folder in decomposed letters",
    () => [
      USERS,
      json("channels.json", [{ id: "C1", name: "caf\u00e9" }]),
      day(HI, "cafe\u0301/2020-09-13.json"),
    ],
  ],
  [
    "with a folder by an earlier name",
    () => [
      USERS,
      json("channels.json", [{ ...GENERAL, previous_names: ["old"] }]),
      day(HI, "old/2020-09-13.json"),
    ],
  ],
  [
    "of a grid of workspaces",
    () => [
      json("org_users.json", [{ id: "U1" }]),
      ...[CHANNELS, day(HI)].map((one) => ({ ...one, name: `teams/one/${one.name}` })),
    ],
  ],
])("an export %s is read", async (_, entries) => {
  const { texts, lost, of } = await convert(entries());
  expect([texts, lost, of("channel").length]).toEqual([["hi"], 0, 1]);
});

test("names without the UTF-8 flag are read as UTF-8, and as CP437 when they are not", async () => {
  const channels = json("channels.json", [
    { id: "C1", name: "größe" },
    { id: "C2", name: "caf\u00e9" },
  ]);
  const bytes = zipOf([
    USERS,
    channels,
    day(HI, "größe/2020-09-13.json"),
    day([said({ text: "two" })], "cafQ/2020-09-13.json"),
  ]);
  // 0x82 is é in CP437, and not UTF-8.
  const cp437 = Buffer.from(bytes.toString("latin1").replaceAll("cafQ/", "caf\x82/"), "latin1");
  const { of } = await convertBytes(cp437);
  expect(of("message").map(({ channel_id: channel, text }) => [channel, text])).toEqual([
    ["C1", "hi"],
    ["C2", "two"],
  ]);
});

test("a folder is read as its zip, and links in it are not followed", async () => {
  const top = path.join(folder, "unpacked");
  mkdirSync(path.join(top, "general"), { recursive: true });
  for (const { name, content } of [USERS, CHANNELS, day(HI)]) writeFileSync(path.join(top, name), content);
  writeFileSync(path.join(folder, "outside.json"), JSON.stringify([said({ text: "outside" })]));
  symlinkSync(path.join(folder, "outside.json"), path.join(top, "general", "2020-09-14.json"));
  expect((await convertSource(top)).texts).toEqual(["hi"]);
});

test("a renamed channel keeps the messages of all its folders in their order", async () => {
  const { of, unused } = await convert([
    USERS,
    CHANNELS,
    day(
      [
        said({ text: "old" }),
        said({ subtype: "channel_name", old_name: "first", name: "general", text: "renamed" }),
      ],
      "first/2020-09-12.json",
    ),
    day([said({ text: "new" })]),
  ]);
  expect(of("message").map(({ text, channel_id: id }) => [text, id])).toEqual([
    ["old", "C1"],
    ["renamed", "C1"],
    ["new", "C1"],
  ]);
  expect(unused).toEqual([]);
});

test("a folder that no list names becomes a channel of its own", async () => {
  const { of, unused, lost } = await convert([
    USERS,
    CHANNELS,
    day(HI),
    day([said({ text: "else" })], "lost & found/2020-09-13.json"),
  ]);
  expect(of("channel").map(({ id, name }) => [id, name])).toEqual([
    ["C1", "general"],
    ["slack-lost___found-f58fed64ff2d", "lost & found"],
  ]);
  expect([of("message").length, unused, lost]).toEqual([
    2,
    ["notice: a folder is in no list of channels and became one of its own: 1"],
    0,
  ]);
});

test.each([
  [19_999, [19_999]],
  [20_000, [20_000]],
  [20_001, [20_000, 1]],
  [40_000, [20_000, 20_000]],
  [40_001, [20_000, 20_000, 1]],
])("a text of %i characters is imported as messages of %j characters", async (length, parts) => {
  const { texts } = await inGeneral({ text: "x".repeat(length) });
  expect(texts.map((text) => text.length)).toEqual(parts);
});

test.each([
  [-1, "G2"],
  [0, "G2"],
  [1, "G1"],
])(
  "of two channels of one name the author's, made %i seconds after the first message, leaves it to one that was there: %s",
  async (later, owner) => {
    const first = said({ text: "hi" });
    const begins = Math.floor(Number((first as { ts: string }).ts));
    const { of } = await convert([
      USERS,
      json("groups.json", [
        { id: "G1", name: "general", members: [], created: begins - 1000 },
        { id: "G2", name: "general", members: ["U1"], created: begins + later },
      ]),
      day([first]),
    ]);
    expect(of("message").map(({ channel_id: id }) => id)).toEqual([owner]);
  },
);

test("of two channels of one name the folder belongs to one, to that of its authors", async () => {
  const { of, unused } = await convert([
    USERS,
    json("channels.json", [{ id: "C1", name: "general", members: ["U2"] }]),
    json("groups.json", [
      { id: "G1", name: "general", members: ["U1"] },
      { id: "G2", name: "general", members: ["U1"] },
    ]),
    day(HI),
    day([said({ text: "by id" })], "G2/2020-09-13.json"),
  ]);
  expect(of("message").map(({ text, channel_id: id }) => [text, id])).toEqual([
    ["hi", "G1"],
    ["by id", "G2"],
  ]);
  expect(unused).toEqual([
    "channel: called general like another one, which has the messages of that folder: 2",
  ]);
});

test("a message is imported once, and two messages of one time are both", async () => {
  const one = said({ text: "one" });
  const other = { ...one, text: "other" };
  const { texts, unused, of } = await convert([
    USERS,
    CHANNELS,
    day([one, other, one, other]),
    day([one], "general/2020-09-14.json"),
  ]);
  expect([texts, unused]).toEqual([["one", "other"], ["notice: a message is in the export twice: 3"]]);
  expect(of("message")[1]!.id).toMatch(/^slack-C1-\d+-000100-[0-9a-f]+$/);
});

test("messages without a type are read, of edits the new text, and notices and what is no message are counted", async () => {
  const { texts, unused } = await convert([
    USERS,
    CHANNELS,
    day([
      { ...said({ text: "typeless" }), type: undefined },
      said({
        subtype: "message_changed",
        message: { user: "U1", ts: at(1_600_700_000), text: "edited", edited: { ts: at(1_600_700_001) } },
      }),
      said({ subtype: "message_deleted" }),
      said({ ts: "NaN", text: "a" }),
      said({ ts: at(99_999_999_999), text: "b" }),
      said({ ts: "0.0", text: "c" }),
      { type: "user_typing" },
      5,
    ]),
    { name: "general/2020-09-14.json", content: `[${JSON.stringify(said({ text: "before" }))},{"ts":"16` },
    { name: "general/2020-09-15.json", content: '{"not":"a list"}' },
    { name: "general/2020-09-16.json", content: "" },
    json("integration_logs.json", []),
  ]);
  expect(texts).toEqual(["typeless", "edited", "before"]);
  expect(unused).toEqual([
    "notice: message_deleted: a notice about another message: 1",
    "message: without a valid time: 3",
    "entry: in a file of messages, but no message: 2",
    "message: general/2020-09-14.json: cut in the middle: 1",
    "message: general/2020-09-15.json: not a list: 1",
    "notice: general/2020-09-16.json is empty: 1",
    "notice: integration_logs.json has no place in an import: 1",
  ]);
});

test("edits and pins are kept", async () => {
  const { of } = await inGeneral({
    text: "x",
    edited: { user: "U1", ts: at(1_600_800_000) },
    pinned_to: ["C1"],
    pinned_info: { pinned_by: "U2", pinned_ts: 1_600_800_100 },
  });
  expect(of("message")[0]).toMatchObject({
    edited_at: "2020-09-22T18:40:00.000100Z",
    pinned_at: "2020-09-22T18:41:40.000000Z",
    pinned_by_id: "U2",
  });
});

test.each([
  ["whose id nobody can have", { pinned_by: "not an id", pinned_ts: 1_600_800_100 }],
  ["who is not named", { pinned_ts: 1_600_800_100 }],
])("a message pinned by somebody %s is pinned by its author", async (_, pinned_info) => {
  const { of } = await inGeneral({ text: "x", user: "U2", pinned_to: ["C1"], pinned_info });
  expect(of("message")[0]).toMatchObject({ user: "U2", pinned_by_id: "U2" });
});

test("files in the export are copied beside the import file, also with hostile names, and those of no message are counted", async () => {
  const out = path.join(folder, "items.jsonl");
  const taken = new TakenFiles(out);
  const file = (id: string, name: string): object => ({
    id,
    name,
    mimetype: "image/png",
    url_private: `https://e.example/${id}`,
  });
  const { of, unused, lost } = await convert(
    [
      USERS,
      CHANNELS,
      day([
        said({ files: [file("F1", "cup.png"), file("F2", "../../etc/passwd"), file("F3", "channels.json")] }),
      ]),
      { name: "__uploads/F1/cup.png", content: "one" },
      { name: "general/attachments/F2-passwd", content: "two" },
      { name: "__uploads/F3/channels.json", content: "{" },
      { name: "__uploads/F9/other.png", content: "nine" },
    ],
    taken,
  );
  const addresses = of("message")[0]!.attachments!.map(({ image_url: url }) => url);
  expect(addresses).toEqual([
    "./items.jsonl.files/F1-cup.png",
    "./items.jsonl.files/passwd",
    "./items.jsonl.files/F3-channels.json",
  ]);
  expect(
    readdirSync(`${out}.files`).map((name) => readFileSync(path.join(`${out}.files`, name), "utf8")),
  ).toEqual(["one", "{", "two"]);
  expect([unused, lost]).toEqual([["file: in the export, but in no message: 1"], 1]);
});

test("hostile lists are refused or counted", async () => {
  const brackets = (text: string): Packed[] => [
    USERS,
    CHANNELS,
    { name: "general/2020-09-13.json", content: text },
  ];
  expect((await convert(brackets("[".repeat(1e6) + "]".repeat(1e6)))).unused).toEqual([
    "message: general/2020-09-13.json: not valid JSON, or beyond the bounds of an element: 1",
  ]);
  expect((await convert(brackets(`[${"[],".repeat(100_000)}[]]`))).lost).toBe(100_001);
  await expect(convert(brackets(`[${"{},".repeat(600_000)}{}]`))).rejects.toThrow(BadExport);
});
