/** Parsing terminal input: every keyboard protocol, Enter inside chunks, pastes, replies, and input split at any byte. */
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { chordsOf } from "../../../src/tui/input/chord.ts";
import type { InputEvent } from "../../../src/tui/input/events.ts";
import { createInputParser } from "../../../src/tui/input/parser.ts";

/** Timers with at most one pending, which `pass` fires. */
function fakeTimers() {
  let due: { run: () => void; ms: number } | undefined;
  return {
    timers: {
      set: (run: () => void, ms: number) => (due = { run, ms }),
      clear: () => (due = undefined),
    },
    waiting: () => due?.ms,
    pass() {
      const now = due;
      due = undefined;
      now?.run();
    },
  };
}

function read(...chunks: string[]): InputEvent[] {
  const events: InputEvent[] = [];
  const clock = fakeTimers();
  const parser = createInputParser((e) => events.push(e), { timers: clock.timers });
  for (const chunk of chunks) parser.push(chunk);
  clock.pass();
  return events;
}

/** Events as short strings: chords for keys, quoted text, and a mark for all others. */
const words = (events: InputEvent[]): string =>
  events
    .map((e) => {
      if (e.type === "text") return JSON.stringify(e.text);
      if (e.type === "key") return chordsOf(e)[0] + (e.repeat ? "*" : "");
      if (e.type === "paste") return `paste${JSON.stringify(e.text)}`;
      if (e.type === "focus") return e.on ? "focus" : "blur";
      if (e.type === "reply") return `${e.kind}(${e.data})`;
      return `${e.kind}@${e.x},${e.y}${e.button >= 0 ? `:${e.button}` : ""}${e.ctrl ? "+C" : ""}${e.alt ? "+A" : ""}${e.shift ? "+S" : ""}`;
    })
    .join(" ");

const TABLE: [about: string, bytes: string, said: string][] = [
  ["Enter inside a chunk", "hello\r", '"hello" enter'],
  ["two tabs in a chunk", "\t\t", "tab tab"],
  ["text and a control", "ab\x15", '"ab" C-u'],
  ["a line feed is C-j", "a\nb", '"a" C-j "b"'],
  ["both backspaces", "\x7f\b", "backspace backspace"],
  ["C0 punctuation", "\x1c\x1d\x1e\x1f\0", "C-\\ C-] C-^ C-_ C-space"],
  ["arrows, both modes", "\x1b[A\x1bOB\x1b[C\x1bOD", "up down right left"],
  ["arrows with modifiers", "\x1b[1;5C\x1b[1;3D\x1b[1;2A\x1b[1;7B", "C-right A-left S-up C-A-down"],
  [
    "home and end in three dialects",
    "\x1b[H\x1b[1~\x1b[7~\x1bOF\x1b[4~\x1b[8~",
    "home home home end end end",
  ],
  ["editing pad", "\x1b[2~\x1b[3~\x1b[5~\x1b[6~\x1b[3;5~", "insert delete pageup pagedown C-delete"],
  ["F1 to F5, SS3, CSI, console", "\x1bOP\x1b[11~\x1b[[A\x1b[15~\x1b[1;5P", "f1 f1 f1 f5 C-f1"],
  ["F12 and shifted F3", "\x1b[24~\x1b[1;2R", "f12 S-f3"],
  ["rxvt shift and ctrl", "\x1b[3$\x1b[3^x", 'S-delete C-delete "x"'],
  ["rxvt Alt-arrow", "\x1b\x1b[A", "up"],
  ["Shift-Tab", "\x1b[Z", "S-tab"],
  ["Alt letters", "\x1ba\x1bA\x1b1\x1bü", "A-a A-S-a A-1 A-ü"],
  ["Alt-Enter, Alt-Backspace", "\x1b\r\x1b\x7f", "A-enter A-backspace"],
  ["Alt-Ctrl letter", "\x1b\x0b", "C-A-k"],
  ["kitty Ctrl and Shift-Enter", "\x1b[107;5u\x1b[13;2u\x1b[13;5u", "C-k S-enter C-enter"],
  ["kitty Esc, Tab, Backspace", "\x1b[27u\x1b[9;5u\x1b[127;5u", "esc C-tab C-backspace"],
  ["kitty plain text", "\x1b[97u\x1b[97:65;2u\x1b[97;2;65u", '"a" "A" "A"'],
  ["kitty Cyrillic Ctrl is named by place", "\x1b[1089::99;5u", "C-c"],
  ["kitty Latin layouts keep their letter", "\x1b[107::118;5u", "C-k"],
  ["Ctrl-_ in kitty, with and without alternates", "\x1b[45:95;6u\x1b[45;6u", "C-_ C-_"],
  ["kitty locks do not count", "\x1b[107;69u\x1b[107;197u", "C-k C-k"],
  ["kitty repeat and release", "\x1b[57352;1u\x1b[97;5:2u\x1b[97;5:3u\x1b[1;1:3A", "C-a*"],
  ["kitty keypad", "\x1b[57400u\x1b[57414u\x1b[57413u\x1b[57419;5u", '"1" enter "+" C-up'],
  ["kitty F13 and lone Shift", "\x1b[57376u\x1b[57441;2u", "f13"],
  ["modifyOtherKeys", "\x1b[27;5;107~\x1b[27;2;13~\x1b[27;6;75~\x1b[27;2;32~", 'C-k S-enter C-S-k " "'],
  [
    "AltGr in kitty: as Ctrl and Alt, with the typed text, and as Alt",
    "\x1b[64;7u\x1b[113;7;64u\x1b[8364::101;7u\x1b[108;3;64u\x1b[8364;3u",
    '"@" "@" "€" "@" "€"',
  ],
  [
    "AltGr in kitty: Latin letters, brackets, with Shift",
    "\x1b[261;7u\x1b[123;7u\x1b[124;8u\x1b[181;7u",
    '"ą" "{" "|" "µ"',
  ],
  [
    "Ctrl and Alt with a letter, a digit or another script stays a chord",
    "\x1b[107;7u\x1b[49;7u\x1b[1089::99;7u\x1b[107;7;107u",
    "C-A-k C-A-1 C-A-c C-A-k",
  ],
  [
    "AltGr in modifyOtherKeys",
    "\x1b[27;7;64~\x1b[27;7;8364~\x1b[27;3;8364~\x1b[27;7;107~\x1b[27;3;64~",
    '"@" "€" "€" C-A-k A-@',
  ],
  [
    "Shift-Backspace in both protocols",
    "\x1b[127;2u\x1b[27;2;127~\x1b[127;6u",
    "S-backspace S-backspace C-S-backspace",
  ],
  [
    "SGR mouse",
    "\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<32;5;6M\x1b[<35;1;1M",
    "down@2,3:0 up@2,3:0 drag@4,5:0 move@0,0",
  ],
  [
    "wheel and modifiers",
    "\x1b[<64;1;1M\x1b[<65;2;2M\x1b[<20;1;1M\x1b[<128;1;1M",
    "wheelup@0,0 wheeldown@1,1 down@0,0:0+C+S down@0,0:8",
  ],
  ["old mouse form is swallowed", "\x1b[M !!x", '"x"'],
  ["focus", "\x1b[I\x1b[O", "focus blur"],
  [
    "cursor position, device attributes",
    "\x1b[2;3R\x1b[?62;4c\x1b[>1;2;3c",
    "csi(2;3R) csi(?62;4c) csi(>1;2;3c)",
  ],
  [
    "kitty flags, modes, cell size",
    "\x1b[?5u\x1b[?2026;2$y\x1b[6;18;9t",
    "csi(?5u) csi(?2026;2$y) csi(6;18;9t)",
  ],
  [
    "OSC 11 with either end",
    "\x1b]11;rgb:00/00/00\x07x\x1b]11;y\x1b\\z",
    'osc(11;rgb:00/00/00) "x" osc(11;y) "z"',
  ],
  ["DCS and APC", "\x1bP>|term(1)\x1b\\\x1b_Gi=1;OK\x1b\\", "dcs(>|term(1)) apc(Gi=1;OK)"],
  ["paste keeps everything inside", "\x1b[200~a\r\x1b[A\x1b[201~b", 'paste"a\\r\\u001b[A" "b"'],
  ["an empty paste", "\x1b[200~\x1b[201~", 'paste""'],
  ["a stray end of paste", "\x1b[201~x", '"x"'],
  ["a lone Esc", "\x1b", "esc"],
  ["two Esc", "\x1b\x1b", "esc esc"],
  ["Alt-[ and Alt-O after the wait", "\x1b[", "A-["],
  ["Alt-O", "\x1bO", "A-S-o"],
  ["a broken sequence is dropped", "\x1b[1;", ""],
  ["a broken sequence before text is dropped", "\x1b[1;\rok", 'enter "ok"'],
  ["nonsense is dropped", "\x1b[99~\x1b[5;5X\x1b[999999999u\x1b[55296u\x1b[<1M", ""],
  ["C1 characters are never text", "a\x9bb", '"ab"'],
  ["IME commits and families", "日本👨‍👩‍👧\r", '"日本👨‍👩‍👧" enter'],
];

describe("the meaning of bytes", () => {
  test.each(TABLE)("%s", (_about, bytes, said) => expect(words(read(bytes))).toBe(said));
});

describe("Alt with a letter that also begins control strings", () => {
  const LETTERS: [introducer: string, key: string][] = [
    ["_", "A-_"],
    ["^", "A-^"],
    ["]", "A-]"],
    ["P", "A-S-p"],
    ["X", "A-S-x"],
  ];
  test.each(LETTERS)("ESC %s followed at once by text is the key and the text", (introducer, key) => {
    for (const text of ["hello", "Go on", "r", "ü", "é1", ">x", "$5", "a;b"])
      expect(words(read(`\x1b${introducer}${text}`)), text).toBe(`${key} "${text}"`);
    expect(words(read(`\x1b${introducer}`))).toBe(key);
  });
  test.each(LETTERS)("ESC %s, text and another key lose nothing and do not wait", (introducer, key) => {
    expect(words(read(`\x1b${introducer}hi\r`))).toBe(`${key} "hi" enter`);
    expect(words(read(`\x1b${introducer}hi\x1b[A`))).toBe(`${key} "hi" up`);
    expect(words(read(`\x1b${introducer}hi\x7f`))).toBe(`${key} "hi" backspace`);
  });
  test("digits after Alt-] and Alt-P are typed if nothing follows", () => {
    expect(words(read("\x1b]12"))).toBe('A-] "12"');
    expect(words(read("\x1bP12"))).toBe('A-S-p "12"');
  });
  test("a control string of any kind is read whole, and answers of the terminal are never typed", () => {
    for (const [introducer, said] of [
      ["_", "apc"],
      ["^", "other"],
      ["]", "osc"],
      ["P", "dcs"],
      ["X", "other"],
    ])
      expect(words(read(`\x1b${introducer}any words\x1b\\x`))).toBe(`${said}(any words) "x"`);
    for (const begun of ["\x1b]11;rgb:00", "\x1bP>|xterm(3", "\x1bP1+r54", "\x1bP0$r", "\x1b_Gi=1;O"])
      expect(words(read(begun)), begun).toBe("");
  });
});

describe("input cut into pieces", () => {
  const joined = (events: InputEvent[]): string => words(events).replaceAll('" "', "");
  test.each(TABLE)("%s, one character at a time", (_about, bytes, said) => {
    expect(joined(read(...bytes))).toBe(said.replaceAll('" "', ""));
  });

  test("gives the same events wherever it is cut", () => {
    const whole = fc.shuffledSubarray(
      TABLE.filter(([about]) => !/lone|two Esc|wait|Alt-O|broken|rxvt/.test(about)),
    );
    fc.assert(
      fc.property(whole, fc.array(fc.nat(400), { maxLength: 12 }), (rows, cuts) => {
        const bytes = Array.from(rows.map((r) => r[1]).join(""));
        const points = [...new Set(cuts.map((c) => c % (bytes.length + 1)))].toSorted((a, b) => a - b);
        const chunks = [0, ...points].map((from, i) => bytes.slice(from, points[i] ?? bytes.length).join(""));
        expect(joined(read(...chunks))).toBe(joined(read(bytes.join(""))));
      }),
      { numRuns: 200 },
    );
  });

  test("never throws or makes text out of control characters", () => {
    const unit = fc.constantFrom(
      "\x1b",
      "[",
      "O",
      "]",
      "P",
      "M",
      "<",
      ";",
      ":",
      "1",
      "200~",
      "u",
      "~",
      "R",
      "\x07",
      "é",
      "\x9c",
      "\r",
      "👍",
      "$",
      "?",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (parts) => {
        for (const e of read(...parts)) {
          if (e.type === "text") expect(e.text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          if (e.type === "mouse") expect([e.x, e.y].every(Number.isInteger)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("time", () => {
  const startParser = () => {
    const events: InputEvent[] = [];
    const clock = fakeTimers();
    return { events, clock, parser: createInputParser((e) => events.push(e), { timers: clock.timers }) };
  };
  test("Esc is reported after 30 ms", () => {
    const { events, clock, parser } = startParser();
    parser.push("\x1b");
    expect(events).toEqual([]);
    expect(clock.waiting()).toBe(30);
    clock.pass();
    expect(words(events)).toBe("esc");
  });
  test("a mouse report cut in two waits longer than Esc and is never typed", () => {
    const { events, clock, parser } = startParser();
    parser.push("\x1b[<0;1");
    expect(clock.waiting()).toBe(500);
    parser.push("0;5M");
    expect(words(events)).toBe("down@9,4:0");
    expect(clock.waiting()).toBeUndefined();
  });
  test("a paste without its end is reported after three seconds of silence", () => {
    const { events, clock, parser } = startParser();
    parser.push("\x1b[200~lost");
    expect(clock.waiting()).toBe(3000);
    clock.pass();
    parser.push("x\x1b[201~y");
    expect(words(events)).toBe('paste"lost" "x" "y"');
  });
  test("end() reports what is pending and leaves no timer", () => {
    const { events, clock, parser } = startParser();
    parser.push("a\x1b");
    parser.end();
    expect(words(events)).toBe('"a" esc');
    expect(clock.waiting()).toBeUndefined();
  });
  test("the end of a 4 MB paste is searched once, not once per chunk", () => {
    const { events, parser } = startParser();
    const search = vi.spyOn(String.prototype, "indexOf");
    try {
      parser.push("\x1b[200~");
      for (let i = 0; i < 64; i++) parser.push("x".repeat(65536));
      parser.push("\x1b[201~");
      // Each search for the end mark continues where the last one stopped.
      const from = search.mock.calls.filter(([what]) => what === "\x1b[201~").map(([, at]) => at ?? 0);
      expect(from.length).toBeGreaterThanOrEqual(64);
      for (const [i, at] of from.slice(2).entries()) expect(at).toBeGreaterThan(i * 65536);
    } finally {
      search.mockRestore();
    }
    expect(events).toHaveLength(1);
  });
});
