/** Edge cases of rows: where a chip wraps, when a countdown changes, what a card falls back to. */
import { describe, expect, test } from "vitest";
import type { ClientMessage } from "../../../src/model/state.ts";
import { attachmentRows, buttonsOf, contentSummary } from "../../../src/tui/render/cards.ts";
import { locationWords } from "../../../src/tui/render/location.ts";
import { reminderMark, trailingMarks } from "../../../src/tui/render/marks.ts";
import { isPinned } from "../../../src/model/message-state.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import { nextChange } from "../../../src/tui/views/messages/feed/feeds.ts";
import { pollRows } from "../../../src/tui/render/poll.ts";
import { chipRows, reactionChips } from "../../../src/tui/render/reactions.ts";
import { continuesGroup } from "../../../src/tui/render/separators.ts";
import { words } from "../../../src/text/words.ts";
import type { Poll } from "../../../src/wire/entities/poll.ts";
import { context, group, message, NOW } from "./messages.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const after = (ms: number): string => new Date(NOW + ms).toISOString();
const wide = context({ width: 200 });

describe("when a message changes by itself", () => {
  const reminder = (ms: number) =>
    ({ reminder: { remind_at: after(ms) } }) as unknown as Partial<ClientMessage>;
  const live = (ms: number) =>
    ({ shared_location: { end_at: after(ms) } }) as unknown as Partial<ClientMessage>;
  const pin = (ms: number, pinned = true): Partial<ClientMessage> => ({ pinned, pin_expires: after(ms) });

  test.each([
    ["nothing", {}, Infinity],
    ["a location in minutes", live(90_000), 30_000],
    ["a location at a whole minute", live(2 * MINUTE), MINUTE],
    ["a location in its last minute", live(20_000), 20_000],
    ["a location that ended", live(0), Infinity],
    ["a reminder under an hour", reminder(90_000), 30_000],
    ["a reminder in just an hour", reminder(HOUR), MINUTE],
    ["a reminder in more than an hour", reminder(HOUR + 1), 1],
    ["a reminder in hours", reminder(3 * HOUR - MINUTE), HOUR - MINUTE],
    ["a reminder that is due", reminder(-1), Infinity],
    ["a pin", pin(5), 5],
    ["a pin that ended", pin(0), Infinity],
    ["a pin taken off", pin(5, false), Infinity],
    ["the first of several", { ...pin(50_000), ...live(90_000), ...reminder(100_000) }, 30_000],
    ["the pin first", { ...pin(20_000), ...live(90_000), ...reminder(100_000) }, 20_000],
    ["the reminder first", { ...pin(50_000), ...live(110_000), ...reminder(70_000) }, 10_000],
  ] as const)("%s", (_, more, left) => {
    expect(nextChange(message(more as Partial<ClientMessage>), NOW) - NOW).toBe(left);
  });

  test("a reminder is shown in minutes during its last hour, and in hours before", () => {
    const markText = (ms: number): string => reminderMark(message(reminder(ms)), NOW);
    expect([1, MINUTE, MINUTE + 1, HOUR, HOUR + 1, 2 * HOUR].map(markText)).toEqual(
      ["1 min", "1 min", "2 min", "1 h", "2 h", "2 h"].map(words.message.reminderIn),
    );
    expect([markText(0), markText(-1)]).toEqual([words.message.reminderDue, words.message.reminderDue]);
  });

  test("a pin lasts until its end, or without end", () => {
    expect([1, 0, -1].map((ms) => isPinned(message(pin(ms)), NOW))).toEqual([true, false, false]);
    expect([isPinned(message({ pinned: true }), NOW), isPinned(message(pin(5, false)), NOW)]).toEqual([
      true,
      false,
    ]);
  });
});

describe("marks behind the text", () => {
  const own = (more: Partial<ClientMessage>, readBy?: number): string =>
    trailingMarks(message({ user: { id: "me" }, ...more }), context(readBy === undefined ? {} : { readBy }));

  test("read receipts follow my own sent messages only", () => {
    expect([0, 1, 4].map((n) => own({}, n))).toEqual([
      words.message.sent,
      words.message.read,
      words.message.readBy(4),
    ]);
    for (const more of [
      { status: "sending" },
      { status: "failed" },
      { type: "deleted" },
      { type: "ephemeral" },
      { type: "error" },
      { user: { id: "ana" } },
    ] as Partial<ClientMessage>[])
      expect([more, own(more, 1)]).toEqual([more, ""]);
    expect(own({})).toBe("");
  });

  test("a reply also sent to the channel says so in its thread only", () => {
    const markText = (more: Partial<ClientMessage>, inThread: boolean): string =>
      trailingMarks(message(more), context({ inThread }));
    const both = { parent_id: "m0", show_in_channel: true };
    expect(markText(both, true)).toBe(`(${words.message.alsoInChannel})`);
    expect([
      markText(both, false),
      markText({ parent_id: "m0" }, true),
      markText({ show_in_channel: true }, true),
    ]).toEqual(["", "", ""]);
  });

  test("a pin names who pinned, if known", () => {
    expect(trailingMarks(message({ pinned: true, pinned_by: { id: "bo" } }), wide)).toBe("(pinned by bo)");
    expect(trailingMarks(message({ pinned: true }), wide)).toBe("(pinned)");
  });
});

describe("reaction chips", () => {
  const chip = (cells: number) => ({ text: "x".repeat(cells), cells });

  test("wrap before a chip that does not fit, never before the first", () => {
    expect(chipRows([chip(4), chip(4)], undefined, 10)).toEqual(["xxxx xxxx"]);
    expect(chipRows([chip(4), chip(4)], undefined, 9)).toEqual(["xxxx xxxx"]);
    expect(chipRows([chip(20)], undefined, 10)).toEqual(["x".repeat(20)]);
    expect(chipRows([chip(2), chip(2), chip(2)], chip(3), 10)).toEqual(["xx xx xx", "xxx"]);
    expect(chipRows([chip(2), chip(2)], chip(3), 12)).toEqual(["xx xx  xxx"]);
    expect(chipRows([chip(2), chip(2)], chip(3), 9)).toEqual(["xx xx", "xxx"]);
    expect(chipRows([], chip(3), 10)).toEqual(["xxx"]);
    expect(chipRows([], undefined, 10)).toEqual([]);
  });

  test("are ordered by their first reaction, or as counted by old stores, without zero counts", () => {
    const texts = (more: Partial<ClientMessage>): string[] =>
      reactionChips(message(more), 40, wide).map((c) => c.text);
    expect(texts({ reaction_groups: { eyes: group(1, 20), tada: group(2, 10), c: group(0, 5) } })).toEqual([
      " 🎉 2 ",
      " 👀 1 ",
    ]);
    expect(texts({ reaction_groups: {}, reaction_counts: { tada: 3, eyes: 1, z: 0 } })).toEqual([
      " 🎉 3 ",
      " 👀 1 ",
    ]);
    const bare = message({});
    for (const key of ["reaction_groups", "own_reactions"] as const)
      delete (bare as Partial<ClientMessage>)[key];
    expect(reactionChips(bare, 40, wide)).toEqual([]);
  });
});

test("messages are grouped within five minutes, for the same author, channel and day", () => {
  const first = message({ created_at: "2026-11-17T09:00:00.000Z" });
  const next = (more: Partial<ClientMessage>, before = first): boolean =>
    continuesGroup(before, message({ created_at: "2026-11-17T09:05:00.000Z", ...more }), true);
  expect([next({}), next({ type: "reply" }), next({ created_at: first.created_at })]).toEqual([
    true,
    true,
    true,
  ]);
  for (const more of [
    { created_at: "2026-11-17T09:05:00.001Z" },
    { created_at: "2026-11-17T08:59:59.999Z" },
    { user: { id: "bo" } },
    { type: "system" },
    { type: "deleted" },
    { quoted_message_id: "q" },
    { parent_id: "p" },
  ] as Partial<ClientMessage>[])
    expect([more, next(more)]).toEqual([more, false]);
  expect(next({}, message({ created_at: first.created_at, type: "system" }))).toBe(false);
  const lateMessage = message({ created_at: "2026-11-17T23:59:00.000Z" });
  expect(next({ created_at: "2026-11-18T00:01:00.000Z" }, lateMessage)).toBe(false);
});

test("the buttons of several previews have the numbers of the keys that press them, up to nine", () => {
  const card = (...names: string[]) => ({
    type: "giphy",
    actions: names.map((name) => ({ name, text: name })),
  });
  const several = message({
    text: "",
    attachments: [card("a", "b"), { type: "file" }, card("c"), card(..."defghijk")] as never,
  });
  const drawn = attachmentRows(several, 60, context()).join(" ");
  const labels = [...drawn.matchAll(/\[(\d+) (\w)\]/g)].map(([, number, name]) => [Number(number), name]);
  expect(labels).toEqual([..."abcdefghi"].map((name, i) => [i + 1, name]));
  expect(buttonsOf(several).map(({ name }, i) => [i + 1, name])).toEqual(labels);
});

describe("a poll", () => {
  const poll = (more: Partial<Poll> = {}): Poll =>
    ({
      id: "p",
      name: "Lunch?",
      options: [
        { id: "a", text: "Soup" },
        { id: "b", text: "Noodles" },
      ],
      ...more,
    }) as unknown as Poll;
  const rows = (more: Partial<Poll>, width = 60): string[] => pollRows(poll(more), width, context());

  test("without votes is drawn whole, negative counts are zero, and my vote is marked", () => {
    expect(rows({})).toEqual([
      "Lunch?",
      `${words.poll.label} · ${words.poll.votes(0)}`,
      "1  Soup              ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  0    0 %",
      "2  Noodles           ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  0    0 %",
    ]);
    const votes = {
      vote_counts_by_option: { a: 3, b: 1, gone: -4 },
      own_votes: [{ id: "v", option_id: "b" }],
    } as never;
    expect(rows(votes).slice(1)).toEqual([
      `${words.poll.label} · ${words.poll.votes(4)}`,
      "1  Soup              ━━━━━━━━━━━━┄┄┄┄  3   75 %",
      `2  Noodles           ━━━━┄┄┄┄┄┄┄┄┄┄┄┄  1   25 %  ${words.poll.mine}`,
    ]);
  });

  test("has bars that fit its width, and none in a narrow one", () => {
    const bars = (width: number): number => /┄*/.exec(rows({}, width)[2]!.replace(/^[^┄]*/, ""))![0].length;
    expect([35, 36, 49, 50, 67, 68].map(bars)).toEqual([0, 10, 10, 16, 16, 20]);
    expect([rows({}, 27)[2], rows({}, 27)[3]]).toEqual(["1 Soup 0", "2 Noodles 0"]);
    const voted = { own_votes: [{ id: "v", option_id: "b" }] } as never;
    expect(rows(voted, 12)[3]).toBe(`2 No… 0 ${words.poll.mine}`);
  });

  test("says how many votes are allowed, numbers nine options and names the answers", () => {
    const facts = (more: Partial<Poll>): string => rows(more)[1]!;
    expect(facts({ enforce_unique_vote: true })).toContain(words.poll.one);
    expect(facts({ max_votes_allowed: 1 })).toContain(words.poll.one);
    expect(facts({ max_votes_allowed: 2 })).toContain(words.poll.upTo(2));
    expect(facts({ is_closed: true, max_votes_allowed: 2 })).not.toContain(words.poll.upTo(2));
    const options = Array.from({ length: 10 }, (_, i) => ({ id: `${i}`, text: "x" })) as never;
    expect(
      rows({ options })
        .slice(10, 12)
        .map((row) => row.slice(0, 4)),
    ).toEqual(["9  x", "   x"]);
    const latest_answers = [
      { id: "1", answer_text: "Pizza", user: { id: "bo" } },
      { id: "2", answer_text: "" },
    ] as never;
    expect(rows({ latest_answers, answers_count: 3 }).slice(-2)).toEqual([
      words.poll.answer("Pizza", "bo"),
      words.poll.moreAnswers(2),
    ]);
    expect(rows({ latest_answers, voting_visibility: "anonymous" }).at(-1)).toBe(
      words.poll.answer("Pizza", ""),
    );
  });
});

describe("cards", () => {
  const file = (a: object): string =>
    messageRows(message({ text: "", attachments: [a] }), { ...wide, grouped: true, sameMinute: true })
      .join("\n")
      .replace("·", "")
      .trim();

  test("a quoted message without text is named by its content", () => {
    const name = (more: object): string =>
      contentSummary(message({ text: "", ...more } as Partial<ClientMessage>));
    expect(name({ attachments: [{ type: "image", title: "cat.png" }] })).toBe(
      `${words.attachment.image} cat.png`,
    );
    expect(name({ attachments: [{ type: "image", fallback: "a cat" }] })).toBe(
      `${words.attachment.image} a cat`,
    );
    for (const type of ["toString", undefined])
      expect(name({ attachments: [{ type, title: "x" }] })).toBe(`${words.attachment.file} x`);
    expect(name({ shared_location: { end_at: after(1) } })).toBe(words.location.live);
    expect(name({ shared_location: {} })).toBe(words.location.static);
    expect(name({})).toBe(words.message.empty);
  });

  test("a file shows its name, kind and size as far as known", () => {
    const base = { type: "file", asset_url: "https://a.example/f" };
    expect(file({ ...base, title: "a.CSV", file_size: 2300 })).toBe("a.CSV   csv   2.3 kB");
    expect(file({ ...base, fallback: "b.txt" })).toBe("b.txt   txt");
    expect(file({ ...base, mime_type: "text/x" })).toBe(`${words.attachment.unnamed}   text/x`);
    expect(file({ ...base, title: "c", file_size: 0 })).toBe(`c   ${words.attachment.file}`);
    const image = { type: "image", image_url: "https://a.example/i", title: "i" };
    expect(file({ ...image, original_width: 3, original_height: 2 })).toBe(
      `i   ${words.attachment.image}   3×2`,
    );
    expect(file({ ...image, original_width: 3 })).toBe(`i   ${words.attachment.image}`);
    expect(file({ ...image, original_height: Number.NaN, original_width: 3 })).toBe(
      `i   ${words.attachment.image}`,
    );
    expect(file({ ...image, duration: 61 })).toBe(`i   ${words.attachment.image}   1:01`);
  });

  test("a location shows the hemispheres, and unknown coordinates as unknown", () => {
    const row = (latitude: number, longitude: number): string =>
      locationWords({ latitude, longitude } as never, 80, context());
    expect(row(-1.5, -2.5)).toBe(`${words.location.static} · 1.50000°S 2.50000°W`);
    expect(row(0, 0)).toBe(`${words.location.static} · 0.00000°N 0.00000°E`);
    expect(row(Number.NaN, 1)).toBe(`${words.location.static} · ${words.location.unknown}`);
    expect(row(1, Number.NaN)).toBe(`${words.location.static} · ${words.location.unknown}`);
  });
});
