/** The text editor, one row per case: motions, edits, cutting and yanking, undo, selection, history. */
import { describe, expect, test } from "vitest";
import { EDITS, MOTIONS, clear, edit, insert, move, paste, setText } from "../../../src/tui/editor/edits.ts";
import { NO_HISTORY, addToHistory, stepHistory } from "../../../src/tui/editor/history.ts";
import {
  cleanInput,
  createEditor,
  moveTo,
  replaceRange,
  selectionOf,
  type EditorState,
} from "../../../src/tui/editor/state.ts";

/** `ab|cd` is the text abcd with the cursor before c. */
function at(marked: string): EditorState {
  const cursor = marked.indexOf("|");
  return moveTo(createEditor(marked.replace("|", "")), cursor);
}
const show = (s: EditorState): string => `${s.text.slice(0, s.cursor)}|${s.text.slice(s.cursor)}`;

describe("motions", () => {
  test.each<[keyof typeof MOTIONS, string, string]>([
    ["left", "ab|c", "a|bc"],
    ["left", "|a", "|a"],
    ["left", "a👨‍👩‍👧|b", "a|👨‍👩‍👧b"],
    ["left", "🇩🇪🇫🇷|", "🇩🇪|🇫🇷"],
    ["right", "|👍🏽x", "👍🏽|x"],
    ["right", "|e\u0301x", "e\u0301|x"],
    ["right", "a|\nb", "a\n|b"],
    ["wordLeft", "one two|", "one |two"],
    ["wordLeft", "one, |two", "|one, two"],
    ["wordLeft", "größe |x", "|größe x"],
    ["wordRight", "one| two", "one two|"],
    ["wordRight", "|日本語 x", "日本語| x"],
    ["nextWord", "|one two", "one |two"],
    ["home", "a\nbc|d", "a\n|bcd"],
    ["home", "a\n|b", "a\n|b"],
    ["end", "a|b\nc", "ab|\nc"],
    ["firstNonBlank", "x\n  ab|", "x\n  |ab"],
    ["start", "a\nb|", "|a\nb"],
    ["finish", "|a\nb", "a\nb|"],
  ])("%s: %j becomes %j", (motion, from, to) => expect(show(move(at(from), motion))).toBe(to));
});

describe("edits", () => {
  test.each<[keyof typeof EDITS, string, string]>([
    ["backspace", "ab|c", "a|c"],
    ["backspace", "|a", "|a"],
    ["backspace", "x👨‍👩‍👧|", "x|"],
    ["backspace", "x❤️|", "x|"],
    ["backspace", "🇩🇪🇫🇷|", "🇩🇪|"],
    ["backspace", "a\n|b", "a|b"],
    ["delete", "|👍🏽b", "|b"],
    ["delete", "a|", "a|"],
    ["newline", "a|b", "a\n|b"],
    ["killWordLeft", "one two|", "one |"],
    ["killWordLeft", "a/b-c|", "a/b-|"],
    ["killBlankLeft", "x a/b-c|", "x |"],
    ["killBlankLeft", "one  |", "|"],
    ["killWordRight", "one| two three", "one| three"],
    ["killToStart", "a\nbc|d", "a\n|d"],
    ["killToStart", "a\n|d", "a|d"],
    ["killToEnd", "a|b\nc", "a|\nc"],
    ["killToEnd", "a|\nc", "a|c"],
    ["killAll", "a|b\nc", "|"],
    ["transpose", "ab|", "ba|"],
    ["transpose", "a|b", "ba|"],
    ["transpose", "a👍🏽|", "👍🏽a|"],
    ["transpose", "👍🏽a|", "a👍🏽|"],
    ["transpose", "e\u0301|👍🏽x", "👍🏽e\u0301|x"],
    ["transpose", "|ab", "|ab"],
  ])("%s: %j becomes %j", (name, from, to) => expect(show(edit(at(from), name))).toBe(to));

  test("inserting an accent joins it to the letter before the cursor", () =>
    expect(show(insert(at("e|x"), "\u0301"))).toBe("e\u0301|x"));
  test("inserting a flag half between two others never leaves the cursor inside a flag", () => {
    const s = insert(at("🇩|🇪"), "🇫");
    expect(moveTo(s, s.cursor).cursor).toBe(s.cursor);
  });
  test("replaceRange replaces the word before the cursor with a completion", () => {
    expect(show(replaceRange(at("hi @an| there"), 3, 6, "@ana "))).toBe("hi @ana | there");
  });
  test("replaceRange never splits a grapheme", () => {
    const s = replaceRange(createEditor("a👨‍👩‍👧b"), 3, 5, "x");
    expect(s.text.isWellFormed()).toBe(true);
    expect(s.text).toBe("ax👨‍👩‍👧b");
  });
});

describe("cleaning of input", () => {
  test.each([
    ["a\r\nb\rc", "a\nb\nc"],
    ["\x1b[31mred\x07", "[31mred"],
    ["a\tb", "a\tb"],
    ["\ud83d", "\ufffd"],
    ["a\u2028b\x9b", "a\nb"],
  ])("%j becomes %j", (raw, clean) => {
    expect(cleanInput(raw)).toBe(clean);
    expect(paste(createEditor(), raw).text).toBe(clean);
  });
});

describe("cutting and yanking", () => {
  test("consecutive cuts make one text, in both directions", () => {
    let s = at("one two| three four");
    s = edit(s, "killWordLeft");
    s = edit(s, "killWordRight");
    expect(s.kills).toEqual(["two three"]);
    expect(show(edit(s, "yank"))).toBe("one two three| four");
  });
  test("a motion between cuts begins another entry, and yank-pop goes through the entries", () => {
    let s = edit(at("one two|"), "killWordLeft");
    s = edit(move(s, "start"), "killWordRight");
    s = edit(s, "yank");
    expect(show(s)).toBe("one| ");
    s = edit(s, "yankPop");
    expect(show(s)).toBe("two| ");
    expect(show(edit(s, "yankPop"))).toBe("one| ");
  });
  test("yank-pop without a yank does nothing", () => expect(show(edit(at("a|"), "yankPop"))).toBe("a|"));
  test("cut text survives clearing the message", () => {
    const s = clear(edit(at("one|"), "killToStart"));
    expect(show(edit(s, "yank"))).toBe("one|");
    expect(s.undo).toEqual([]);
  });
});

describe("undo", () => {
  const type = (s: EditorState, text: string): EditorState =>
    [...text].reduce((state, c) => insert(state, c), s);
  test("goes back by typed words, and redo returns", () => {
    let s = type(createEditor(), "one two");
    s = edit(s, "undo");
    expect(show(s)).toBe("one |");
    s = edit(s, "undo");
    expect(show(s)).toBe("|");
    s = edit(edit(s, "redo"), "redo");
    expect(show(s)).toBe("one two|");
    expect(edit(s, "redo")).toBe(s);
  });
  test("words that arrive together are undone one by one", () => {
    let s = insert(createEditor(), "one two  three");
    const texts = [1, 2, 3].map(() => (s = edit(s, "undo")).text);
    expect(texts).toEqual(["one two  ", "one ", ""]);
  });

  test("a motion ends an undo unit", () => {
    let s = type(createEditor(), "ab");
    s = type(move(s, "left"), "x");
    expect(show(edit(s, "undo"))).toBe("a|b");
  });
  test("consecutive deletions are one unit", () => {
    let s = at("abcd|");
    for (let i = 0; i < 3; i++) s = edit(s, "backspace");
    expect(show(edit(s, "undo"))).toBe("abcd|");
    s = at("|abcd");
    for (let i = 0; i < 3; i++) s = edit(s, "delete");
    expect(show(edit(s, "undo"))).toBe("|abcd");
  });
  test("a paste is one unit, and new text discards what could be redone", () => {
    let s = paste(at("a|b"), "1\n2");
    expect(show(edit(s, "undo"))).toBe("a|b");
    s = insert(edit(s, "undo"), "z");
    expect(edit(s, "redo").text).toBe("azb");
  });
  test("typing that joined with the next character is undone correctly", () => {
    let s = type(at("|🇪b"), "🇩");
    expect(show(s)).toBe("🇩🇪|b");
    s = type(s, "x");
    while (s.undo.length > 0) s = edit(s, "undo");
    expect(s.text).toBe("🇪b");
  });
  test("a line break is an undo unit", () => {
    let s = type(createEditor(), "a");
    s = type(edit(s, "newline"), "b");
    expect(edit(s, "undo").text).toBe("a\n");
  });
});

describe("selection", () => {
  test("is replaced by typing, and restored by undo", () => {
    let s: EditorState = { ...at("one tw|o"), anchor: 4 };
    expect(selectionOf(s)).toEqual({ start: 4, end: 6 });
    s = insert(s, "X");
    expect(show(s)).toBe("one X|o");
    expect(edit(s, "undo").text).toBe("one two");
  });
  test("is left by an arrow at its own side, removed by backspace, and cut by kill", () => {
    const s = edit(at("a|bc"), "selectAll");
    expect(show(move(s, "left"))).toBe("|abc");
    expect(show(move(s, "right"))).toBe("abc|");
    expect(edit(s, "backspace").text).toBe("");
    expect(edit(s, "killSelection").kills).toEqual(["abc"]);
  });
});

describe("history of sent messages", () => {
  test("steps to older and newer messages, and back to the draft", () => {
    let history = addToHistory(addToHistory(addToHistory(NO_HISTORY, "one"), "two"), "two");
    expect(history.entries).toEqual(["one", "two"]);
    let state = createEditor("dra");
    const step = (by: -1 | 1): string | undefined => {
      const went = stepHistory(history, state, by);
      if (went) ({ history, state } = went);
      return went && show(state);
    };
    expect(step(1)).toBeUndefined();
    expect(step(-1)).toBe("two|");
    expect(step(-1)).toBe("one|");
    expect(step(-1)).toBeUndefined();
    expect(step(1)).toBe("two|");
    expect(step(1)).toBe("dra|");
  });
  test("leaves out blank messages", () => expect(addToHistory(NO_HISTORY, " \n").entries).toEqual([]));
  test("setText is one undo unit", () => expect(show(edit(setText(at("a|b"), "xyz"), "undo"))).toBe("a|b"));
});
