/** Readable exports show cards, fields, polls, locations, quotes, pins and edits; what they leave out is counted. */
import { expect, test } from "vitest";
import { csvForm } from "../../src/jobs/export/form-csv.ts";
import { htmlForm } from "../../src/jobs/export/form-html.ts";
import { importForm } from "../../src/jobs/export/form-import.ts";
import { ndjsonForm } from "../../src/jobs/export/form-json.ts";
import { markdownForm, textForm } from "../../src/jobs/export/form-text.ts";
import type { Exported, ExportedAll, ExportedChannel, ExportForm } from "../../src/jobs/export/form.ts";
import { Tally } from "../../src/jobs/tally.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import { message } from "../support/fake-core.ts";

const CHANNEL = {} as ExportedChannel;
const user = (id: string) => ({ id, name: `${id} long` });
const exported = (more: object, rest: Partial<Exported> = {}): Exported => ({
  message: message("m", "ana", "hello", { cid: "messaging:ops", ...more }) as Message,
  reactions: [],
  votes: [],
  files: [],
  replies: [],
  paths: new Map(),
  ...rest,
});

const full = exported(
  {
    attachments: [
      {
        type: "card",
        title: "Deploy",
        pretext: "Heads up",
        author_name: "CI",
        text: "one\ntwo",
        footer: "bot",
        title_link: "https://ci.example/12",
        image_url: "https://ci.example/chart.png",
        fields: [{ title: "Stage", value: "prod", short: true }],
        actions: [{ name: "ok", text: "Approve", type: "button" }],
        build: { n: 7 },
      },
    ],
    poll: {
      id: "p",
      name: "Lunch?",
      description: "on Friday",
      is_closed: true,
      options: [
        { id: "s", text: "Soup" },
        { id: "r", text: "Rice" },
      ],
      vote_counts_by_option: { s: 2 },
    },
    shared_location: { latitude: 59.3, longitude: -18.1, end_at: "2026-11-28T05:07:00Z" },
    quoted_message_id: "q",
    quoted_message: message("q", "bo", "before\nthat") as Message,
    floor: 3,
    pinned: true,
    pinned_at: "2026-11-28T01:00:00Z",
    message_text_updated_at: "2026-11-28T02:00:00Z",
    silent: true,
    restricted_visibility: ["ana"],
    i18n: { language: "en", de_text: "hallo", fr_text: "bonjour" },
  },
  {
    votes: [
      { id: "1", poll_id: "p", option_id: "s", user: user("bo"), created_at: "", updated_at: "" },
      { id: "2", poll_id: "p", option_id: "s", user_id: "cy", created_at: "", updated_at: "" },
      {
        id: "3",
        poll_id: "p",
        is_answer: true,
        answer_text: "early",
        user: user("cy"),
        created_at: "",
        updated_at: "",
      },
    ],
    reactions: [{ type: "like", user_id: "bo" }] as Exported["reactions"],
  },
);

/** What every readable form shows, in this order. */
const SHOWN = [
  "hello",
  "before",
  "that",
  "Poll: Lunch? (closed)",
  "on Friday",
  "Soup: 2 (bo long, cy)",
  "Rice: 0",
  "cy long: early",
  "Location: 59.3, -18.1, live until 2026-11-28 05:07",
  "Deploy",
  "Heads up",
  "CI",
  "one",
  "two",
  "Stage: prod",
  'build: {"n":7}',
  "bot",
  "Buttons: Approve",
  "https://ci.example/chart.png",
  "floor: 3",
];
const plain = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replace(/\\(.)/g, "$1").replaceAll('""', '"');

test.each<[string, ExportForm, string[]]>([
  ["txt", textForm(), ["Quoting", ...SHOWN.slice(1), "(edited 2026-11-28 02:00)", "(pinned)", "(like)"]],
  ["md", markdownForm(), ["Quoting", ...SHOWN.slice(1), "(edited 2026-11-28 02:00)", "(pinned)", "(like)"]],
  ["html", htmlForm(), ["Quoting", ...SHOWN.slice(1), "(edited 2026-11-28 02:00)", "(pinned)", "(like)"]],
  ["csv", csvForm(), ["like:bo", "2026-11-28T02:00:00Z", "2026-11-28T01:00:00Z", "q", ...SHOWN.slice(3)]],
])("%s shows everything of a message, in one order", (_, form, expected) => {
  const text = plain(form.message(full, CHANNEL));
  expect(text).toContain("https://ci.example/12");
  let at = 0;
  for (const part of expected) {
    const found = text.indexOf(part, at);
    expect([part, found >= at]).toEqual([part, true]);
    at = found;
  }
});

test("text is indented by one step for each further line and for each reply, of several lines, too", () => {
  const reply = exported({ text: "first\nsecond\nthird", parent_id: "m" });
  const text = textForm().message(exported({ text: "one\ntwo" }, { replies: [reply, reply] }), CHANNEL);
  const indents = Array.from(text.trimEnd().split("\n"), (line) => /^ */.exec(line)![0].length);
  expect(indents).toEqual([0, 4, 4, 8, 8, 4, 8, 8]);
  const flat = textForm().message(reply, CHANNEL).trimEnd().split("\n");
  expect(flat.map((line) => /^ */.exec(line)![0].length)).toEqual([4, 8, 8]);
});

test("lists in Markdown stand behind an empty line, so that they are lists", () => {
  const text = markdownForm().message(full, CHANNEL);
  expect(text).toMatch(/\*Poll: Lunch\?.*\*\n\n- on Friday/);
  expect(text).toMatch(/\n\n\*Fields\*\n\n- floor: 3\n\n/);
});

test("Markdown shows characters of HTML as they were written, entities among them", () => {
  const text = markdownForm().message(
    { ...full, message: { ...full.message, text: "a &lt; <b>x</b> & **bold**" } },
    CHANNEL,
  );
  expect(text).toContain("a &amp;lt; &lt;b>x&lt;/b> &amp; **bold**");
});

const all = { users: () => [], channels: () => [], reactions: () => [] } as ExportedAll;
const unusedOf = (form: ExportForm, ...messages: Exported[]): Record<string, number> => {
  const tally = new Tally();
  for (const one of messages) form.countUnused?.(one, (...of) => tally.add(...of));
  return Object.fromEntries(tally.rows.map(({ kind, reason, count }) => [`${kind}: ${reason}`, count]));
};

const HIDDEN = {
  "field: translations are left out": 4,
  "field: that a message is silent is left out": 2,
  "field: who may see a message is left out": 2,
};
test.each<[string, ExportForm, object]>([
  ["ndjson", ndjsonForm(), {}],
  ["txt", textForm(), { "field: who reacted is counted, not named": 2, ...HIDDEN }],
  ["md", markdownForm(), { "field: who reacted is counted, not named": 2, ...HIDDEN }],
  ["html", htmlForm(), { "field: who reacted is counted, not named": 2, ...HIDDEN }],
  ["csv", csvForm(), HIDDEN],
])("%s counts what it leaves out, in replies, too", (_, form, expected) => {
  expect(unusedOf(form, { ...full, replies: [full] })).toEqual(expected);
  expect(unusedOf(form, exported({}))).toEqual({});
});

test("an import counts what cannot be imported, and the replies of such a message", () => {
  const polled = exported({ poll_id: "p", shared_location: { latitude: 1, longitude: 2 }, pinned: true });
  const pin = { pinned: true, pinned_at: "2026-11-28T01:00:00Z", pinned_by: user("bo") };
  const ended = exported({ ...pin, pin_expires: "2027-01-01T00:00:00Z" });
  const failed = exported({ type: "error" }, { replies: [exported({ parent_id: "m" })] });
  const form = importForm(all, () => true);
  expect(unusedOf(form, polled, ended, failed)).toEqual({
    "field: polls cannot be imported; their messages are": 1,
    "field: locations cannot be imported; their messages are": 1,
    "field: pins without an end cannot be imported": 1,
    "message: error messages cannot be imported": 1,
    "reply: their message cannot be imported": 1,
  });
  expect([form.message(failed, CHANNEL), form.message(ended, CHANNEL)]).toEqual([
    "",
    expect.stringContaining('"pin_expires"'),
  ]);
});

test.each([textForm(), markdownForm(), htmlForm(), csvForm()])(
  "attachments, polls and locations of any JSON are shown without an error",
  (form) => {
    const values = [null, 7, "x", {}, [], [null], { a: [1] }];
    for (const value of values) {
      const keys = "title text pretext author_name footer fields actions title_link asset_url image_url own";
      const card = Object.fromEntries(keys.split(" ").map((key) => [key, value]));
      const odd = exported({
        attachments: [value, card],
        poll: { id: "p", name: value, description: value, options: [{ id: "o", text: value }] },
        shared_location: { latitude: value, longitude: 1, end_at: value },
        quoted_message_id: value,
        own: value,
      });
      expect(form.message(odd, CHANNEL)).toContain("hello");
    }
  },
);

/** A reply with everything that makes lines: a text with an empty line, a list and a quote, a card, a poll, marks. */
const longReply = (id: string, parent_id: string, replies: Exported[] = []): Exported => ({
  ...full,
  message: { ...full.message, id, parent_id, text: "one\ntwo\n\n- three\n\n> four\nfive" } as Message,
  replies,
});

test.each([
  ["Markdown", markdownForm(), "> "],
  ["text", textForm(), "    "],
])(
  "in %s every line of a reply stands in its thread, as it would stand alone, at any depth",
  (_, form, mark) => {
    const linesOf = (one: Exported): string[] => form.message(one, CHANNEL).trimEnd().split("\n");
    const within = (lines: readonly string[]): string[] => lines.map((line) => `${mark}${line}`);
    const full = (lines: readonly string[]): string[] =>
      lines.filter((line) => line.replace(/^[> ]+/, "") !== "");
    const { parent_id: _parent, ...first } = longReply("r", "m").message;
    const alone = linesOf({ ...longReply("r", "m"), message: first });
    expect(alone.length).toBeGreaterThan(20);
    // On its own, as a page of replies gives it.
    expect(full(linesOf(longReply("r", "m")))).toEqual(full(within(alone)));
    const root = exported({});
    const replies = [longReply("r", "m", [longReply("s", "r")]), longReply("t", "m")];
    const lines = linesOf({ ...root, replies });
    expect(full(lines)).toEqual(
      full([...linesOf(root), ...within(alone), ...within(within(alone)), ...within(alone)]),
    );
    // An empty line without its mark would end the quotation.
    const inThread = lines.slice(lines.findIndex((line) => line.startsWith(mark)));
    if (mark === "> ") expect(inThread.filter((line) => !line.startsWith(">"))).toEqual([]);
  },
);

test("a message that the provider has no more is imported as deleted when that was found out, one deleted before at its own time", () => {
  const deletedAt = (one: Exported): unknown => {
    const line = JSON.parse(String(importForm(all, () => true).message(one, CHANNEL))) as {
      data: { deleted_at?: string };
    };
    return line.data.deleted_at;
  };
  const [before, found] = ["2026-11-27T01:00:00Z", "2026-11-28T01:00:00Z"];
  expect([
    deletedAt(exported({})),
    deletedAt(exported({}, { gone: found })),
    deletedAt(exported({ type: "deleted", deleted_at: before })),
    deletedAt(exported({ type: "deleted", deleted_at: before }, { gone: found })),
  ]).toEqual([undefined, found, before, before]);
});
