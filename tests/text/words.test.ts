/** Small text helpers: counts, sizes, names, emoji, and the decision whether to use colour. */
import { describe, expect, test } from "vitest";
import { colorLevel, useColor } from "../../src/text/color.ts";
import {
  completeEmoji,
  emojify,
  emojiNames,
  emojiOf,
  shortcodeOf,
  reactionGlyph,
} from "../../src/text/emoji.ts";
import { cellWidth } from "../../src/text/width.ts";
import { count, names, size, words } from "../../src/text/words.ts";
import { hostile } from "./hostile.ts";

test("nouns agree with their number", () => {
  expect([
    count(1, "reply", "replies"),
    count(12, "reply", "replies"),
    count(1204, "member"),
    count(0, "vote"),
  ]).toEqual(["1 reply", "12 replies", "1,204 members", "0 votes"]);
});
test("numbers from a thousand on are written alike wherever messages, people and votes are counted", () => {
  expect([
    words.message.new(1006),
    words.message.readBy(1204),
    words.about.read(1204, true),
    words.about.reached(1204, false),
    words.status.unsent(1500),
  ]).toEqual([
    "1,006 new",
    "✓✓ 1,204",
    "Read by 1,204",
    "Delivered to 1,204 or more, not read",
    "1,500 unsent",
  ]);
});
test("lists of names are shortened", () => {
  expect([
    names([]),
    names(["ana"]),
    names(["ana", "bo"]),
    names(["ana", "bo", "cy"]),
    names(["a", "b", "c", "d"]),
  ]).toEqual(["", "ana", "ana and bo", "ana, bo and 1 other", "a, b and 2 others"]);
  expect(words.channel.typing(["ana", "bo"])).toBe("ana and bo are typing…");
  expect(words.channel.typing(["ana"])).toBe("ana is typing…");
  expect(words.channel.typing(["a", "b", "c", "d"])).toBe("several people are typing…");
});
test("a size has at most three digits and a unit, and is empty for NaN", () => {
  expect([0, 812, 999, 1000, 14_000, 999_600, 2_300_000, 104_857_600, Number.NaN].map(size)).toEqual([
    "0 B",
    "812 B",
    "999 B",
    "1 kB",
    "14 kB",
    "1 MB",
    "2.3 MB",
    "105 MB",
    "",
  ]);
});

describe("emoji", () => {
  test("are found by name and alias, and replaced in a text", () => {
    expect([
      emojiOf("tada"),
      emojiOf(":+1:"),
      emojiOf("thumbsup"),
      emojiOf("nope"),
      emojiOf("constructor"),
      emojiOf("__proto__"),
    ]).toEqual(["🎉", "👍", "👍", undefined, undefined, undefined]);
    expect(emojiNames("a 🎉 👩‍👩‍👧 👍🏽 1️⃣ 🇨🇭")).toBe(
      "a :tada: :family_woman_woman_girl: :+1: :one: :switzerland:",
    );
    // Characters that may be text or emoji, characters that are no emoji, and an emoji without a name.
    for (const text of ["© ❤ 12 #1", "漢字 שלום", "\u{1fae8}\u{1f3fb}"]) expect(emojiNames(text)).toBe(text);
    expect(emojify("a :tada: b:tada: :x:y:")).toBe("a 🎉 b:tada: ❌y:");
    expect(shortcodeOf("👍")).toBe("+1");
  });
  test("are shown for reaction types", () => {
    expect(["like", "love", "eyes", "👍", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "my_own", "a\x1b[2J", "👍👍"].map(reactionGlyph)).toEqual([
      "👍",
      "❤",
      "👀",
      "👍",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      ":my_own:",
      ":a␛:",
      ":👍👍:",
    ]);
    for (const type of hostile) {
      expect(reactionGlyph(type)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      expect(cellWidth(reactionGlyph(type))).toBeLessThanOrEqual(24);
    }
  });
  test("are completed with exact names first, then short ones", () => {
    for (const typed of ["tad", ":tad", "TAD", ":Tad"])
      expect(completeEmoji(typed)).toEqual([{ name: "tada", emoji: "🎉" }]);
    expect(completeEmoji("heart", 3)[0]).toEqual({ name: "heart", emoji: "❤️" });
    expect(completeEmoji("thumbs").map((e) => e.name)).toEqual(["thumbsup", "thumbsdown"]);
    expect(completeEmoji("")).toEqual([]);
    expect(completeEmoji("a", 7)).toHaveLength(7);
  });
});

describe("colour (specification/command-line.md §6)", () => {
  const tty = { isTTY: true };
  test.each([
    [tty, "auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    [{}, "auto", { FORCE_COLOR: "1" }, true],
    [tty, "auto", { FORCE_COLOR: "0" }, false],
    [tty, "auto", {}, true],
    [tty, "auto", { NO_COLOR: "" }, true],
    [{}, "auto", {}, false],
    [{}, "auto", { CLICOLOR_FORCE: "1" }, true],
    [tty, "auto", { TERM: "dumb" }, false],
    [tty, "auto", { CLICOLOR: "0" }, false],
    [{}, "always", { NO_COLOR: "1" }, true],
    [tty, "never", { FORCE_COLOR: "3" }, false],
  ] as const)("%j %s %j → %s", (stream, flag, env, result) =>
    expect(useColor(stream, flag, env)).toBe(result),
  );
  test("the colour level follows the terminal, and FORCE_COLOR and NO_COLOR override it", () => {
    const level = (env: Record<string, string>): number => colorLevel(tty, "auto", env);
    expect([
      level({ COLORTERM: "truecolor" }),
      level({ TERM: "xterm-256color" }),
      level({ TERM: "xterm" }),
      level({ FORCE_COLOR: "2" }),
      level({ NO_COLOR: "1", COLORTERM: "truecolor" }),
      level({ TERM: "xterm-kitty" }),
    ]).toEqual([3, 2, 1, 2, 0, 3]);
  });
});
