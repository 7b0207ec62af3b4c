/** Sequences written besides frames, and replies: titles, clipboard, notifications per terminal, answers to queries. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CapabilityReader, capabilityQueries, isLight } from "../../../src/tui/terminal/capabilities.ts";
import { modesOff, modesOn } from "../../../src/tui/terminal/modes.ts";
import { noticeRoute, type NoticeRoute } from "../../../src/config/notice-route.ts";
import { notificationBytes, withdrawalBytes } from "../../../src/config/notice-bytes.ts";
import { cleanForTerminal } from "../../../src/text/sequence-text.ts";
import { CLIPBOARD_LIMIT, clipboardBytes, titleBytes } from "../../../src/tui/terminal/session.ts";
import type { ReplyEvent } from "../../../src/tui/input/events.ts";

describe("titles", () => {
  test.each([
    ["(3) #general", "(3) #general"],
    ["a\x1b]0;b\x07c", "a]0;bc"],
    ["a\n\tb", "a b"],
    ["a\u202eb\u2066c", "abc"],
    ["\x9d0;x\x9c", "0;x"],
    ["\ud83d", "\ufffd"],
  ])("%j is written as %j", (title, clean) => expect(titleBytes(title)).toBe(`\x1b]2;${clean}\x07`));
  test("a long title is cut and marked, never inside a surrogate pair", () => {
    const cut = cleanForTerminal("👍".repeat(200), 100);
    expect(cut.length).toBeLessThanOrEqual(100);
    expect(cut.endsWith("👍…")).toBe(true);
  });
});

describe("clipboard", () => {
  test("OSC 52 carries the text as base64", () =>
    expect(clipboardBytes("hé\x1b")).toBe(`\x1b]52;c;${Buffer.from("hé\x1b").toString("base64")}\x07`));
  test("a text that is too long is refused", () => {
    expect(clipboardBytes("x".repeat(CLIPBOARD_LIMIT))).toBeUndefined();
    expect(clipboardBytes("x".repeat(CLIPBOARD_LIMIT / 2))).toBeDefined();
  });
  test("GNU Screen gets it in wrapped pieces that join to the same bytes", () => {
    const text = "long ".repeat(400);
    const wrapped = clipboardBytes(text, { STY: "1" })!;
    const parts = [...wrapped.matchAll(/\x1bP([^]*?)\x1b\\/g)].map((m) => m[1]!);
    expect(parts.every((p) => p.length <= 500)).toBe(true);
    expect(parts.join("")).toBe(clipboardBytes(text));
  });
});

describe("notifications (specification/screen.md §7)", () => {
  test.each<[Record<string, string>, NoticeRoute]>([
    [{ TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "osc99"],
    [{ TERM_PROGRAM: "ghostty" }, "osc777"],
    [{ TERM_PROGRAM: "WezTerm" }, "osc777"],
    [{ TERM_PROGRAM: "iTerm.app" }, "osc9"],
    [{ TERM: "foot-extra" }, "osc777"],
    [{ TERM: "rxvt-unicode-256color" }, "osc777"],
    [{ VTE_VERSION: "7600", TERM: "xterm-256color" }, "osc777"],
    [{ TERM_PROGRAM: "Apple_Terminal" }, "bell"],
    [{ TERM: "xterm-256color" }, "bell"],
    [{ TERM: "tmux-256color", TMUX: "/tmp/tmux", KITTY_WINDOW_ID: "1" }, "bell"],
    [{}, "bell"],
  ])("%j goes by %s", (env, route) => expect(noticeRoute({ setting: "auto", env }).route).toBe(route));
  test.each<[NoticeRoute, string]>([
    ["off", ""],
    ["bell", "\x07"],
    ["osc9", "\x1b]9;a;b: c;d\x07"],
    ["osc777", "\x1b]777;notify;a,b;c;d\x07"],
    ["osc99", "\x1b]99;i=parley:d=0;a;b\x1b\\\x1b]99;i=parley:d=1:p=body;c;d\x1b\\"],
  ])("by %s", (route, bytes) => expect(notificationBytes(route, "a;b", "c;d")).toBe(bytes));
  test("a title cannot be a command of OSC 9", () =>
    expect(notificationBytes("osc9", "4;1;50", "x")).toBe("\x1b]9;4,1;50: x\x07"));
  test("no title or text can end or begin a sequence", () =>
    fc.assert(
      fc.property(
        fc.constantFrom<NoticeRoute>("osc9", "osc777", "osc99"),
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }),
        (route, title, body) => {
          const bytes = notificationBytes(route, title, body);
          const inner = bytes.replaceAll("\x1b]", "").replaceAll("\x1b\\", "").replace(/\x07$/, "");
          expect(inner).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          expect(bytes.match(/\x1b\]/g)).toHaveLength(route === "osc99" ? 2 : 1);
        },
      ),
    ));
});

describe("answers of the terminal", () => {
  const read = (...replies: [ReplyEvent["kind"], string][]) => {
    const reader = new CapabilityReader();
    const taken = replies.map(([kind, data]) => reader.take({ type: "reply", kind, data }));
    return { found: reader.found, done: reader.done, taken };
  };
  test("all kinds are understood", () => {
    const { found, done } = read(
      ["csi", "2;2R"],
      ["csi", "2;5R"],
      ["csi", "2;3R"],
      ["csi", "?0u"],
      ["dcs", ">|kitty(0.40)\x07"],
      ["csi", "6;18;9t"],
      ["apc", "Gi=31;OK"],
      ["osc", "11;rgb:ffff/8080/00"],
      ["csi", "?62;4;22c"],
    );
    expect(done).toBe(true);
    expect(found).toEqual({
      answered: true,
      version: "kitty(0.40)",
      kittyKeyboard: true,
      kittyGraphics: true,
      sixel: true,
      background: { r: 255, g: 128, b: 0 },
      cell: { width: 9, height: 18 },
      widths: { vs16: 1, skinTone: 4, zwj: 2 },
    });
  });
  test("negative answers are understood", () => {
    const { found } = read(["apc", "Gi=31;EINVAL"], ["csi", "6;0;0t"], ["csi", "?1;2c"]);
    expect(found).toEqual({
      answered: true,
      kittyKeyboard: false,
      kittyGraphics: false,
      sixel: false,
    });
  });
  test("answers to other programs are not taken", () =>
    expect(read(["apc", "Gi=7;OK"], ["osc", "52;c;eA=="], ["csi", ">1;2c"]).taken).toEqual([
      false,
      false,
      false,
    ]));
  test("the background is light or dark", () => {
    expect(isLight(read(["osc", "11;rgb:ff/ff/ff"]).found)).toBe(true);
    expect(isLight(read(["osc", "11;rgb:1/1/1"]).found)).toBe(false);
    expect(isLight(read().found)).toBeUndefined();
  });
  test("consoles that would print queries get none, and Terminal.app only those it knows", () => {
    expect(capabilityQueries({ TERM: "linux" })).toBe("");
    expect(capabilityQueries({ TERM: "dumb" })).toBe("");
    expect(capabilityQueries({ TERM_PROGRAM: "Apple_Terminal", TERM: "xterm-256color" })).not.toMatch(
      /\$p|\x1b_/,
    );
    expect(capabilityQueries({ TERM: "xterm-256color" })).toMatch(/\x1b\[c$/);
  });
});

test("every private mode that is set is reset", () => {
  const on = [...modesOn({ mouse: true, focus: true }).matchAll(/\?(\d+)h/g)].map((m) => m[1]!);
  const off = [...modesOff(false).matchAll(/\?(\d+)l/g)].map((m) => m[1]!);
  expect(on.toSorted()).toEqual(off.toSorted());
  expect(modesOn({ mouse: true, focus: true })).toContain("\x1b[?7l");
  expect(modesOff(true)).toMatch(/^\x1b\[<u/);
  expect(modesOff(false)).toContain("\x1b[?7h");
});

test("kitty replaces and removes the notice of a conversation by its key, whatever signs are in it", () => {
  const id = /i=(parley-[0-9a-f]+):/.exec(notificationBytes("osc99", "a", "b", "messaging:x;y"))![1];
  expect(withdrawalBytes("osc99", "messaging:x;y")).toBe(`\x1b]99;i=${id}:p=close;\x1b\\`);
  expect(withdrawalBytes("osc777", "messaging:x")).toBe("");
});
