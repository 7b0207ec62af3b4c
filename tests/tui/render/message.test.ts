/** Snapshot rows of every kind of message, and properties that hold for the rows of any message. */
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { ClientMessage } from "../../../src/model/state.ts";
import { loadHighlighter } from "../../../src/text/highlight.ts";
import { setTimeStyle } from "../../../src/text/times.ts";
import { cellWidth, plain } from "../../../src/text/width.ts";
import type { RowContext } from "../../../src/tui/render/context.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import { emojiPolicy } from "../../../src/tui/screen/look.ts";
import { continuesGroup, dayOf, gapRow, ruleRow, startsDay } from "../../../src/tui/render/separators.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { giants, hostile } from "../../text/hostile.ts";
import { context, group, message, NOW } from "./messages.ts";
import { runs } from "../../support/proof.ts";

const draw = (m: Partial<ClientMessage>, ctx: Partial<RowContext> = {}): string[] =>
  messageRows(message(m), context(ctx));
/** Rows without the header and the left edge of the text. */
const body = (m: Partial<ClientMessage>, ctx: Partial<RowContext> = {}): string[] =>
  draw(m, { grouped: true, sameMinute: true, ...ctx }).map((row) => row.replace(EDGE, "").trimStart());
// oxlint-disable-next-line no-control-regex
const EDGE = /^(?:\x1b\[2m)? *· *(?:\x1b\[22m)?/;
const me = { id: "me", name: "me" };

describe("golden rows", () => {
  test("time, name, text, reactions with mine marked, and replies", () => {
    expect(
      draw({
        reply_count: 12,
        reaction_groups: { eyes: group(1, 16), like: group(3, 15) },
        own_reactions: [
          { type: "like", user_id: "me", message_id: "m1", score: 1, created_at: "", updated_at: "" },
        ],
      }),
    ).toEqual([
      "09:14  ana             deploy at ten?",
      "                       [👍 3]  👀 1   12 replies ›",
    ]);
  });
  test("a grouped message shows its time, or a dot in the same minute or a narrow pane", () => {
    expect(draw({}, { grouped: true })).toEqual(["09:14                  deploy at ten?"]);
    expect(draw({ text: "a  \nb" }, { grouped: true, sameMinute: true })).toEqual([
      "    ·                  a",
      "                       b",
    ]);
    expect(draw({}, { grouped: true, width: 40 })).toEqual(["· deploy at ten?"]);
  });
  test("text is at most as wide as textWidth and its pane", () => {
    const text = "word ".repeat(30).trim();
    const widest = (ctx: Partial<RowContext>): number =>
      Math.max(...body({ text }, ctx).map((row) => row.length));
    expect(widest({ width: 140, textWidth: 60 })).toBeLessThanOrEqual(60);
    expect(widest({ width: 140, textWidth: 60 })).toBeGreaterThan(50);
    expect(widest({ width: 80, textWidth: 100 })).toBeLessThanOrEqual(80);
    expect(widest({ width: 140 })).toBeGreaterThan(100);
  });
  test("a narrow pane has the header above the text", () =>
    expect(draw({}, { width: 40 })).toEqual(["ana  09:14", "  deploy at ten?"]));
  test("long text wraps in its column", () => {
    expect(
      draw({ text: "one two three four five six seven eight nine ten eleven twelve" }, { width: 70 }),
    ).toEqual([
      "09:14  ana             one two three four five six seven eight nine",
      "                       ten eleven twelve",
    ]);
  });
  test('with emoji "names", emoji are shown by name in texts, cards and reactions', () => {
    const glyphs = emojiPolicy({ emoji: "names" });
    const like = { count: 3, sum_scores: 3, first_reaction_at: "", last_reaction_at: "" };
    expect(body({ text: "done 🎉 `🎉`", reaction_groups: { "+1": like } }, { glyphs })).toEqual([
      "done :tada: `:tada:`",
      ":+1: 3 ",
    ]);
    const long = body({ text: "🎉 ".repeat(20) }, { glyphs, width: 40 });
    expect(Math.max(...long.map((row) => row.length))).toBeLessThanOrEqual(40);
    expect(body({ text: "done 🎉" }, { glyphs: emojiPolicy({ emoji: "pictures" }) })).toEqual(["done 🎉"]);
  });
  test("Markdown is drawn as headings, lists, code, quotes and links with their address", () => {
    expect(
      body({
        text: "# Head\n**Build** see https://ci.example/8 and `npm t`\n- two\n  - three\n1. x\n\n```\nconst x\n```\n> quoted\n\n[click](https://a.example/b)",
      }),
    ).toEqual(
      [
        "Head",
        "Build see https://ci.example/8 and `npm t`",
        "• two",
        "  • three",
        "1. x",
        "│ const x",
        "▎ quoted",
        "click (https://a.example/b)",
      ].map((row) => row.trimStart()),
    );
  });
  test("a table is drawn in columns, or one line per row if it is too wide", () => {
    const text = "|a|longer|\n|-|-|\n|漢字|b|";
    expect(body({ text })).toEqual(["a     longer", "漢字  b"]);
    expect(
      body({ text: "|a|longer|\n|-|-|\n|x|a cell much too long for the width|" }, { width: 30 }),
    ).toEqual(["a · longer", "x · a cell much too long for", "the width"]);
  });
  test("spoilers are hidden until revealed", () => {
    expect(body({ text: "it was ||the *cat*||" })).toEqual(["it was ▒▒▒ ▒▒▒"]);
    expect(body({ text: "it was ||the *cat*||" }, { revealed: true })).toEqual(["it was the cat"]);
  });
  test("edited, pinned and read messages are marked", () => {
    expect(
      body({ message_text_updated_at: "2026-11-17T09:15:00Z", pinned: true, pinned_by: { id: "cy" } }),
    ).toEqual(["deploy at ten? (edited · pinned by cy)"]);
    expect(body({ pinned: true, pin_expires: "2026-11-17T09:39:59Z" })).toEqual(["deploy at ten?"]);
    expect(body({ user: me }, { readBy: 0 })).toEqual(["deploy at ten? ✓"]);
    expect(body({ user: me }, { readBy: 1 })).toEqual(["deploy at ten? ✓✓"]);
    expect(body({ user: me }, { readBy: 4 })).toEqual(["deploy at ten? ✓✓ 4"]);
    expect(body({}, { readBy: 4 })).toEqual(["deploy at ten?"]);
    expect(body({ user: me, type: "deleted", text: "" }, { readBy: 4 })).toEqual(["message deleted"]);
  });
  test("sending, waiting and failed messages are marked (D4)", () => {
    expect(body({ user: me, status: "sending" }, { readBy: 0 })).toEqual(["deploy at ten?", "◌ sending"]);
    expect(body({ user: me, status: "sending", waits: { for: "rateLimit", until: NOW + 60_000 } })).toEqual([
      "deploy at ten?",
      "◌ sending · waiting for the rate limit until 09:41:00",
    ]);
    setTimeStyle({ twelveHour: true, order: "mdy" });
    expect(body({ user: me, status: "sending", waits: { for: "slowMode", until: NOW + 60_000 } })).toEqual([
      "deploy at ten?",
      "◌ sending · waiting for slow mode until 9:41:00 AM",
    ]);
    setTimeStyle({ twelveHour: false, order: "dmy" });
    const failed = body({ user: me, status: "failed", error: { message: "Message is\x1b[2J too long" } });
    expect(failed[1]).toMatch(/^✗ not sent: Message is␛ too long · \S+ retry · \S+ drop$/);
    expect(body({ pendingChange: "edit" })).toEqual(["deploy at ten? (edit not sent yet)"]);
  });
  test("deleted, system, error and ephemeral messages", () => {
    expect(body({ type: "deleted", text: "", reply_count: 1, attachments: [{ title: "x" }] })).toEqual([
      "message deleted",
      "1 reply ›",
    ]);
    expect(draw({ type: "system", text: "ana joined" })).toEqual(["09:14                  ana joined"]);
    expect(body({ type: "error", text: "no such command" })).toEqual([
      "✗ no such command",
      "only you see this",
    ]);
    expect(
      body({
        type: "ephemeral",
        text: "pick",
        attachments: [
          {
            type: "giphy",
            title: "tea",
            thumb_url: "https://a.example/t.gif",
            actions: [
              { name: "a", text: "Send", type: "button" },
              { name: "b", text: "Cancel", type: "button" },
            ],
          },
        ],
      }),
    ).toEqual(["pick", "only you see this", "tea   GIF", "[1 Send] [2 Cancel]"]);
  });
  test("a quoted message is one line above the text: author and words, its file, or that it was deleted", () => {
    expect(
      body({ text: "right", quoted_message_id: "q", quoted_message: message({ text: "**so** it\nis" }) }),
    ).toEqual(["▎ ana so it is", "right"]);
    expect(body({ quoted_message_id: "q", quoted_message: null })[0]).toBe("▎ quoted message deleted");
    expect(
      body({
        quoted_message_id: "q",
        quoted_message: message({ text: "", attachments: [{ type: "image", title: "cat.png" }] }),
      })[0],
    ).toBe("▎ ana picture cat.png");
  });
  test("a link card whose author is its host names it once", () =>
    expect(
      body({
        text: "",
        attachments: [
          { og_scrape_url: "https://ci.example/8", title: "Build 8 failed", author_name: "ci.example" },
        ],
      }),
    ).toEqual(["▎ Build 8 failed", "▎ ci.example"]));
  test("a failed message shows the reason without the operation's name (D4)", () => {
    const refused = `SendMessage failed with error: "Channel team:design is frozen"`;
    const rows = body({ user: me, status: "failed", error: { message: refused } }).join(" ");
    expect(rows).toContain("not sent: Channel team:design is frozen · r retry");
    expect(rows).not.toContain("SendMessage");
  });
  test("of a file whole facts are left out before its name is cut, and nothing is cut beside free cells", () => {
    const file = {
      type: "image",
      title: "empty-state.png",
      image_url: "https://a.example/s",
      original_width: 240,
      original_height: 150,
      file_size: 568,
    };
    const rowAt = (width: number): string =>
      body({ attachments: [file] }, { width }).find((row) => row.includes("empty"))!;
    for (let width = 34; width < 90; width++) expect(rowAt(width)).not.toContain("…");
    expect(rowAt(80)).toContain("empty-state.png   picture   240×150   568 B");
    expect(rowAt(60)).toContain("568 B");
  });
  test("link cards, files, pictures and audio", () => {
    expect(
      body({
        text: "x",
        attachments: [
          {
            og_scrape_url: "https://ci.example/8",
            title: "Build 8 failed",
            text: "2 tests, 14 s",
            author_name: "CI",
          },
          {
            type: "image",
            title: "shot.png",
            image_url: "https://a.example/s",
            original_width: 1920,
            original_height: 1080,
            file_size: 2_300_000,
          },
          { type: "file", title: "week-46.csv", asset_url: "https://a.example/w", file_size: 812 },
          { type: "voiceRecording", asset_url: "https://a.example/v", duration: 74 },
          { title: "=\x1b]0;x\x07evil", fields: [{ title: "a", value: "b", short: true }] },
        ],
      }),
    ).toEqual([
      "x",
      "▎ Build 8 failed",
      "▎ 2 tests, 14 s",
      "▎ CI · ci.example",
      "shot.png   picture   1920×1080   2.3 MB",
      "week-46.csv   csv   812 B",
      "unnamed   voice message   1:14",
      "=␛evil   file",
      "a: b",
    ]);
    expect(body({ attachments: Array.from({ length: 12 }, () => ({ title: "f" })) }).at(-1)).toBe(
      "… 2 more attachments",
    );
  });
  test("a poll with bars and my vote", () => {
    const poll = {
      id: "p",
      name: "Lunch?",
      options: [
        { id: "a", text: "soba" },
        { id: "b", text: "ピザ" },
        { id: "c", text: "no" },
      ],
      vote_counts_by_option: { a: 3, b: 1 },
      vote_count: 4,
      own_votes: [{ id: "v", poll_id: "p", option_id: "a", created_at: "", updated_at: "" }],
      latest_votes_by_option: {},
      enforce_unique_vote: true,
      created_at: "",
      updated_at: "",
    };
    expect(body({ text: "", poll })).toEqual([
      "Lunch?",
      "poll · one answer · 4 votes",
      "1  soba              ━━━━━━━━━━━━┄┄┄┄  3   75 %  ✓",
      "2  ピザ              ━━━━┄┄┄┄┄┄┄┄┄┄┄┄  1   25 %",
      "3  no                ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  0    0 %",
    ]);
    expect(body({ text: "", poll: { ...poll, is_closed: true, enforce_unique_vote: false } })[1]).toBe(
      "poll · closed · 4 votes",
    );
  });
  test("anonymous polls, polls open to suggestions or with answers, and deleted polls", () => {
    const answer = (id: string, by: string | undefined, text: string) => ({
      id,
      poll_id: "p",
      is_answer: true,
      answer_text: text,
      ...(by && { user_id: by, user: { id: by } }),
      created_at: "",
      updated_at: "",
    });
    const poll = {
      id: "p",
      name: "Where?",
      options: [{ id: "a", text: "here" }],
      vote_counts_by_option: {},
      vote_count: 0,
      own_votes: [answer("w2", "me", "at home")],
      latest_votes_by_option: {},
      allow_user_suggested_options: true,
      allow_answers: true,
      answers_count: 5,
      latest_answers: [answer("w1", "bo", "by\nthe sea"), answer("w2", "me", "at home")],
      created_at: "",
      updated_at: "",
    };
    expect(body({ text: "", poll })).toEqual([
      "Where?",
      "poll · 0 votes · 5 comments",
      "1  here              ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  0    0 %",
      "you may suggest an option and comment",
      "“by the sea” bo",
      "“at home” ✓",
      "… 3 more comments",
    ]);
    const secret = {
      ...poll,
      voting_visibility: "anonymous" as const,
      is_closed: true,
      latest_answers: [
        answer("w1", "bo", "told although it should not be"),
        answer("w2", undefined, "at home"),
      ],
      answers_count: 2,
    };
    expect(body({ text: "", poll: secret })).toEqual([
      "Where?",
      "poll · closed · anonymous · 0 votes · 2 comments",
      "1  here              ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  0    0 %",
      "“told although it should not be”",
      "“at home” ✓",
    ]);
    expect(body({ text: "lunch", poll: null, poll_id: "p" })).toEqual(["lunch", "poll deleted"]);
  });
  test("a bookmark, reminders in minutes and in hours, and a due one (R-REM-1, RE-10)", () => {
    const reminded = (remind_at: string | null, more: object = {}) =>
      body({
        reminder: {
          channel_cid: "",
          message_id: "m",
          user_id: "me",
          remind_at,
          created_at: "",
          updated_at: "",
        },
        ...more,
      })[0];
    expect(reminded(null)).toBe("deploy at ten? (bookmarked)");
    expect(reminded("2026-11-17T09:51:30Z")).toBe("deploy at ten? (reminder in 12 min)");
    expect(reminded("2026-11-17T11:10:00Z")).toBe("deploy at ten? (reminder in 2 h)");
    expect(reminded("2026-11-17T09:40:00Z")).toBe("deploy at ten? (reminder due)");
    expect(reminded("2026-11-17T09:40:30Z", { reminderDue: true })).toBe("deploy at ten? (reminder due)");
  });
  test("static, live, ended and unknown locations", () => {
    const at = { latitude: 47.3769, longitude: -8.5417 };
    expect(body({ text: "", shared_location: at })).toEqual(["location · 47.37690°N 8.54170°W"]);
    expect(body({ text: "", shared_location: { ...at, end_at: "2026-11-17T09:51:30Z" } })).toEqual([
      "live location · 12 min left · 47.37690°N 8.54170°W",
    ]);
    expect(body({ text: "", shared_location: { ...at, end_at: "2026-11-17T09:40:30Z" } })[0]).toMatch(
      /· under a minute left ·/,
    );
    expect(body({ text: "", shared_location: { ...at, end_at: "2026-11-17T09:40:00Z" } })).toEqual([
      "live location ended · 47.37690°N 8.54170°W",
    ]);
    expect(body({ text: "", shared_location: { latitude: Number.NaN, longitude: 0 } })).toEqual([
      "location · no position yet",
    ]);
  });
  test("a reply sent to the channel, in the channel and in its thread", () => {
    const reply = { type: "reply" as const, parent_id: "p", show_in_channel: true, reply_count: 2 };
    expect(body(reply)).toEqual(["↳ replied in a thread", "deploy at ten?", "2 replies ›"]);
    expect(body(reply, { inThread: true })).toEqual(["deploy at ten? (also sent to the channel)"]);
  });
  test("a message for some says above its text for whom, and a deleted one says nothing", () => {
    const some = { restricted_visibility: ["bo", "cy"] };
    expect(body(some)).toEqual(["only for bo, cy", "deploy at ten?"]);
    expect(body(some, { me: { id: "cy" } })).toEqual(["only for bo, you", "deploy at ten?"]);
    expect(body({ restricted_visibility: ["a\u001b[31mb"] })[0]).toBe("only for ab");
    expect(body({ restricted_visibility: [] })).toEqual(["deploy at ten?"]);
    const by = { user: { id: "ana" } } as const;
    expect(body({ ...by, restricted_visibility: ["bo", "ana"] })[0]).toBe("only for bo");
    expect(body({ ...by, restricted_visibility: ["ana"] }, { me: { id: "ana" } })[0]).toBe("only for you");
    expect(body({ ...some, type: "deleted", text: "" })).not.toContain("only for bo, cy");
  });
  test("long text is folded with the number of hidden rows", () => {
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\n");
    expect(body({ text })).toHaveLength(25);
    expect(body({ text }).at(-1)).toBe("… 76 more rows · v full text");
    expect(body({ text }, { expanded: true })).toHaveLength(100);
  });
  test("a message without visible text is still shown", () =>
    expect(draw({ text: "\u200b" })).toEqual(["09:14  ana             (no text)"]));
  test("names are cleaned and shortened: first name, else cut; cut for namesakes; the id without a name", () => {
    expect(draw({ user: { id: "u1", name: "Ana\n\x1b[2JMaria von und zu" } })).toEqual([
      "09:14  Ana             deploy at ten?",
    ]);
    expect(draw({ user: { id: "u1", name: "Annamaria von und zu" } })).toEqual([
      "09:14  Annamaria       deploy at ten?",
    ]);
    expect(draw({ user: { id: "u1", name: "Ana Maria von und zu" } }, { hasNamesake: true })).toEqual([
      "09:14  Ana Maria von…  deploy at ten?",
    ]);
    expect(draw({ user: { id: "u1", name: "Annika Maria" } }, { hasNamesake: true })).toEqual([
      "09:14  Annika Maria    deploy at ten?",
    ]);
    expect(draw({ user: { id: "u1", name: "\u200b" } })[0]).toBe("09:14  u1              deploy at ten?");
  });
});

describe("colour", () => {
  const theme = makeTheme(1);
  beforeAll(loadHighlighter);
  test("my mention stands out, others' are styled, unknown names are plain", () => {
    const [row] = body({ text: "@me @bo @zed", mentioned_users: [me, { id: "bo" }] }, { theme });
    expect(row).toBe(`${theme.mentionMe("@me")} ${theme.mention("@bo")} @zed`);
  });
  test.each([
    ["@here", "mentioned_here", "mentioned_channel"],
    ["@channel", "mentioned_channel", "mentioned_here"],
    ["@everyone", "mentioned_channel", "mentioned_here"],
  ])("%s counts as a mention of me if the provider says so by %s, not by %s", (text, yes, no) => {
    expect(body({ text, [yes]: true }, { theme })).toEqual([theme.mentionMe(text)]);
    expect(body({ text: text.toUpperCase(), [yes]: true }, { theme })).toEqual([
      theme.mentionMe(text.toUpperCase()),
    ]);
    for (const more of [{}, { [no]: true }]) expect(body({ text, ...more }, { theme })).toEqual([text]);
  });
  test("links become hyperlinks if the terminal supports them, and a label shows its host", () => {
    const [bare] = body({ text: "https://a.example/b" }, { theme, hyperlinks: true });
    expect(bare).toContain("\x1b]8;id=");
    const [label] = body({ text: "[docs](https://a.example/b)" }, { theme, hyperlinks: true });
    expect(plain(label!)).toBe("docs (a.example)");
  });
  test("code is coloured by its language", () => {
    const rows = body({ text: "```ts\nconst x = 1\n```" }, { theme });
    expect(rows[1]).toContain(theme.tones.keyword("const"));
    expect(rows.map(plain)).toEqual(["┌ ts", "│ const x = 1"]);
  });
  test("code has a background as wide as its longest row, if there are colours for it", () => {
    const dark = makeTheme(3);
    const rows = body({ text: "```\nlonger line\nx\n```" }, { theme: dark });
    const texts = rows.map((row) => plain(row).slice(-14));
    expect(texts).toEqual(["│ longer line ", "│ x           "]);
    rows.forEach((row, i) => expect(row).toContain(dark.codeBlock(texts[i]!.slice(1))));
  });
  test("the same user has the same colour, and there are several colours", () => {
    const head = (id: string): string => draw({ user: { id } }, { theme })[0]!.slice(0, 30);
    expect(head("ana")).toBe(head("ana"));
    expect(
      new Set(
        Array.from(
          { length: 40 },
          (_, i) =>
            /(\x1b\[38;2[;\d]*m)u\d/.exec(draw({ user: { id: `u${i}` } }, { theme: makeTheme(3) })[0]!)?.[1],
        ),
      ).size,
    ).toBe(10);
  });
  test("at level 0 there are no escape sequences", () => {
    expect(
      draw({ text: "**a** `b` https://a.example ||c||", reply_count: 1, pinned: true }).join(""),
    ).not.toContain("\x1b");
  });
  test("ordinary messages have at most four styled spans per row", () => {
    const rows = [
      draw({}, { theme }),
      draw(
        {
          text: "see `x` at https://a.example",
          reaction_groups: { like: group(2, 15), eyes: group(1, 16) },
          reply_count: 3,
        },
        { theme },
      ),
      draw({ text: "**a** and _b_" }, { theme, grouped: true }),
    ].flat();
    const spans = rows.map((row) => row.match(/\x1b\[(?!\d*(?:39|22|23|24|49)m)[\d;]+m/g)?.length ?? 0);
    expect(spans.reduce((a, b) => a + b, 0) / rows.length).toBeLessThanOrEqual(4);
  });
});

describe("between messages", () => {
  const ctx = context({ width: 30 });
  test("a rule has the day at the left and what is new at the right, and ends with the text", () => {
    const label = dayOf("2026-11-17T09:14:00Z", ctx);
    expect(ruleRow({ label }, ctx)).toBe("── Tue 17 Nov ────────────────");
    expect(ruleRow({ count: "6 new" }, ctx)).toBe("───────────────────── 6 new ──");
    expect(ruleRow({ label, count: "6 new" }, ctx)).toBe("── Tue 17 Nov ─────── 6 new ──");
    expect(cellWidth(ruleRow({ label }, context({ width: 170, textWidth: 100 })))).toBe(123);
    for (const width of [1, 2, 5, 9, 13, 21, 80])
      for (const count of ["", "12 new"])
        expect(cellWidth(ruleRow({ label, count }, context({ width })))).toBe(width);
  });
  test("where messages are missing there is a note, not a second rule", () => {
    expect(gapRow(true, ctx)).toMatch(/^┄┄ \S/);
    for (const width of [1, 2, 5, 9, 80])
      expect(cellWidth(gapRow(true, context({ width })))).toBeLessThanOrEqual(width);
  });
  test("a day separator comes before the first message and where the day changes", () => {
    const before = message({ created_at: "2026-11-16T23:59:59Z" });
    expect([
      startsDay(undefined, message(), true),
      startsDay(before, message(), true),
      startsDay(message(), message(), true),
    ]).toEqual([true, true, false]);
  });
  test("a group is one author within five minutes", () => {
    const at = (created_at: string, over: Partial<ClientMessage> = {}): ClientMessage =>
      message({ created_at, ...over });
    const first = at("2026-11-17T09:14:00.000000Z");
    expect(continuesGroup(first, at("2026-11-17T09:19:00.000000Z"), true)).toBe(true);
    expect(continuesGroup(first, at("2026-11-17T09:19:00.001000Z"), true)).toBe(false);
    expect(continuesGroup(first, at("2026-11-17T09:15:00Z", { user: { id: "bo" } }), true)).toBe(false);
    expect(continuesGroup(first, at("2026-11-17T09:15:00Z", { type: "system" }), true)).toBe(false);
    expect(continuesGroup(first, at("2026-11-17T09:15:00Z", { quoted_message_id: "q" }), true)).toBe(false);
    expect(continuesGroup(undefined, first, true)).toBe(false);
    expect(continuesGroup(at("2026-11-16T23:58:00Z"), at("2026-11-17T00:01:00Z"), true)).toBe(false);
  });
});

describe("any message", () => {
  // oxlint-disable-next-line no-misleading-character-class
  const BAD = /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
  const everywhere = (text: string): ClientMessage =>
    message({
      id: text,
      text,
      user: { id: text, name: text },
      mentioned_users: [{ id: text, name: text }],
      quoted_message_id: "q",
      quoted_message: message({ text, user: { id: text, name: text } }),
      attachments: [
        {
          type: text,
          title: text,
          asset_url: text,
          mime_type: text,
          text,
          actions: [{ name: text, text, type: text }],
          fields: [{ title: text, value: text, short: true }],
        },
        { og_scrape_url: `https://a.example/${text}`, title: text, text, author_name: text },
      ],
      poll: {
        id: "p",
        name: text,
        description: text,
        options: [{ id: text, text }],
        vote_counts_by_option: { [text]: 2 },
        vote_count: 2,
        own_votes: [],
        latest_votes_by_option: {},
        created_at: text,
        updated_at: text,
      },
      reaction_groups: { [text || "like"]: group(1, 15) },
      shared_location: { latitude: 1, longitude: 2, end_at: text },
      status: "failed",
      error: { message: text },
      pinned: true,
      pinned_by: { id: text, name: text },
      created_at: text,
      reply_count: 3,
    });
  const expectSafeRows = (text: string, over: Partial<RowContext>): void => {
    const ctx = context({ theme: makeTheme(1), hyperlinks: true, ...over });
    const rows = messageRows(everywhere(text), ctx);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const failure = JSON.stringify([text.slice(0, 60), row.slice(0, 120)]);
      expect(BAD.test(plain(row)), failure).toBe(false);
      expect(cellWidth(row), failure).toBeLessThanOrEqual(ctx.width);
    }
  };
  test("stays in its cells with hostile text in every field, wide and narrow", () => {
    for (const text of hostile) expectSafeRows(text, { width: 84 });
    for (const text of hostile.filter((_, i) => i % 4 === 0)) {
      expectSafeRows(text, { width: 30, hyperlinks: false });
      expectSafeRows(text, { width: 57, grouped: true, expanded: true, revealed: true });
    }
  });
  test("fits any width from 4 cells", () => {
    const usual = [
      "a b c",
      "**x** https://a.example/y ||z||",
      "- a\n  - b\n    - c\n> q\n> > r\n```js\nlet a\n```",
      "漢字漢字漢字",
      "👩‍💻👍🏽❤️",
      "1. a\n10. b",
      "|a|b|\n|-|-|\n|1|2|",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...usual),
        fc.oneof(fc.integer({ min: 4, max: 16 }), fc.integer({ min: 4, max: 130 })),
        fc.boolean(),
        (text, width, grouped) => {
          expectSafeRows(text, { width, grouped });
        },
      ),
      { numRuns: runs(600, 150) },
    );
  });
  test.each(giants)("drawn from $name has a bounded number of rows", ({ text }) => {
    const rows = messageRows(message({ text }), context());
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(30);
  });
});
