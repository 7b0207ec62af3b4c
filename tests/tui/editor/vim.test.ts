/** Vim keys in the box: text, cursor and mode after each key of the vim profile. */
import { describe, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";
import { mount } from "../../support/mount.tsx";
import type { KeyProfile } from "../../../src/tui/keys/lookup.ts";

const vimScreen = (keys: KeyProfile = "vim"): ScreenDriver =>
  new ScreenDriver(new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })])), {
    keys,
  });

/** Puts `text` in the box with the cursor at `|`, presses `keys` in normal mode, and returns the text with `|` before the cursor. */
async function after(text: string, keys: string): Promise<string> {
  const m = vimScreen();
  const at = text.indexOf("|");
  m.ports.boxes.setEditor({
    ...m.ports.boxes.at().editor,
    text: text.replace("|", ""),
    // Esc moves the cursor one to the left.
    cursor: Math.min(text.length - 1, at + 1),
  });
  await m.press("esc");
  m.ports.boxes.setEditor({ ...m.ports.boxes.at().editor, cursor: at });
  for (const key of keys.match(/<[^>]+>|[^]/g)!)
    if (key.length > 1) await m.press(key.slice(1, -1));
    else await m.type(key);
  const { editor } = m.ports.boxes.at();
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
}

test.each([
  // Motions.
  ["on|e two three", "w", "one |two three"],
  ["|one two three", "2w", "one two |three"],
  ["one two |three", "b", "one |two three"],
  ["|one two", "e", "on|e two"],
  ["|a.b c", "w", "a|.b c"],
  ["one t|wo", "0", "|one two"],
  ["  one t|wo", "^", "  |one two"],
  ["|one two", "$", "one tw|o"],
  ["|one\ntwo", "$", "on|e\ntwo"],
  ["|one\ntwo\nsix", "2$", "one\ntw|o\nsix"],
  ["one\ntw|o\nsix", "0", "one\n|two\nsix"],
  ["  one\n  tw|o\n six", "^", "  one\n  |two\n six"],
  ["one\ntwo\nth|ree", "gg", "|one\ntwo\nthree"],
  ["|one\ntwo\n three", "G", "one\ntwo\n |three"],
  ["|one\ntwo\nthree", "2G", "one\n|two\nthree"],
  ["on|e\ntwo", "j", "one\ntw|o"],
  ["one\ntw|o", "k", "on|e\ntwo"],
  ["|one", "h", "|one"],
  ["on|e\ntwo", "l", "on|e\ntwo"],
  ["|a, b, c", "f,", "a|, b, c"],
  ["|a, b, c", "f,;", "a, b|, c"],
  ["|a, b, c", "2f,", "a, b|, c"],
  ["a, b|, c", ",", "a, b|, c"],
  ["a, b, |c", "F,", "a, b|, c"],
  ["a, b, |c", "T,", "a, b,| c"],
  ["|a, b, c", "t,;", "a, |b, c"],
  ["a, |b, c", "f,;,", "a|, b, c"],
  ["|one", "fx", "|one"],
  // Operators.
  ["one |two three", "dw", "one |three"],
  ["one |two\nthree", "dw", "one| \nthree"],
  ["|one two three", "d2w", "|three"],
  ["one |two\nthree four", "d2w", "one |four"],
  ["|one two three four", "2dw", "|three four"],
  ["one |two three", "d$", "one| "],
  ["o|ne\ntwo", "d$", "|o\ntwo"],
  ["one\n|two\nsix", "D", "one\n|\nsix"],
  ["one |two three", "D", "one| "],
  ["one two |three", "db", "one |three"],
  ["|one two", "de", "| two"],
  ["|one, two", "dt,", "|, two"],
  ["|one, two", "df,", "| two"],
  ["one\nt|wo\nthree", "dd", "one\n|three"],
  ["one\nt|wo", "dd", "|one"],
  ["on|e", "dd", "|"],
  ["o|ne\ntwo\nthree", "2dd", "|three"],
  ["o|ne\ntwo\nthree", "dj", "|three"],
  ["one\ntwo\nt|hree", "dgg", "|"],
  ["o|ne two", "xx", "o| two"],
  ["one tw|o", "3X", "one|o"],
  ["|one two", "cwx<esc>", "|x two"],
  ["|one  two", "cwx<esc>", "|x  two"],
  ["o|ne two", "Cx<esc>", "o|x"],
  ["o|ne\ntwo", "ccx<esc>", "|x\ntwo"],
  ["o|ne\ntwo", "Sx<esc>", "|x\ntwo"],
  ["o|ne", "sx<esc>", "o|xe"],
  // Text objects.
  ["one t|wo three", "diw", "one | three"],
  ["one t|wo three", "daw", "one |three"],
  ["one two th|ree", "daw", "one tw|o"],
  ['say "he|llo you" now', 'di"', 'say "|" now'],
  ['say "he|llo you" now', 'da"', "say | now"],
  ['s|ay "hello you" now', 'ci"x<esc>', 'say "|x" now'],
  ["f(a, (b|c), d)", "di(", "f(a, (|), d)"],
  ["f(a, |(bc), d)", "da(", "f(a, |, d)"],
  ["f(a|, b)", "dib", "f(|)"],
  ["f(a, (b)|)", "di(", "f(|)"],
  ["{a |b}", "diB", "{|}"],
  ["no|ne", 'di"', "no|ne"],
  // Pasting what was cut or yanked.
  ["|one two", "dwp", "tone| wo"],
  ["|one\ntwo", "ddp", "two\n|one"],
  ["|one\ntwo", "yyP", "|one\none\ntwo"],
  ["|one\ntwo", "Yjp", "one\ntwo\n|one"],
  ["|one two", "ywwP", "one one| two"],
  ["|ab", "x3p", "baa|a"],
  // Single-key edits and insert commands.
  ["|one", "rx", "|xne"],
  ["|one", "2rx", "x|xe"],
  ["|one", "3rx", "xx|x"],
  ["|one", "9rx", "xx|x"],
  ["|one", "~~", "ON|e"],
  ["|one\n  two", "J", "one| two"],
  ["|one", "A!<esc>", "one|!"],
  ["  on|e", "I!<esc>", "  |!one"],
  ["o|ne\ntwo", "ox<esc>", "one\n|x\ntwo"],
  ["one\nt|wo", "Ox<esc>", "one\n|x\ntwo"],
  ["o|ne", "a!<esc>", "on|!e"],
  ["o|ne", "i!<esc>", "o|!ne"],
  // Undo.
  ["|one two three", "dwdwuu", "|one two three"],
  ["|one two three", "dwdw2u", "|one two three"],
  ["|one two three", "dwu<C-r>", "|two three"],
  // An unfinished operator is dropped.
  ["|one two", "d<esc>w", "one |two"],
  ["|one two", "dyw", "one |two"],
  // Visual mode: characters and lines.
  ["|one two", "vex", "| two"],
  ["one |two three", "ved", "one | three"],
  ["one tw|o", "vbd", "one| "],
  ["|one two three", "vwy$p", "one two threeone |t"],
  ["|one two", "vecx<esc>", "|x two"],
  ["|one two", "ve~", "|ONE two"],
  ["|one\ntwo", "vjrx", "|xxx\nxwo"],
  ["o|ne\ntwo\nthree", "Vd", "|two\nthree"],
  ["o|ne\ntwo\nthree", "Vjd", "|three"],
  ["one\ntwo\nth|ree", "Vkd", "|one"],
  ["o|ne\ntwo", "Vcx<esc>", "|x\ntwo"],
  ["o|ne\ntwo", "VyP", "|one\none\ntwo"],
  ["o|ne\ntwo\nthree", "vjD", "|three"],
  ["|one\ntwo\nthree", "VjJ", "one| two\nthree"],
  ["|one two", "yewvep", "one on|e"],
  ["|one\ntwo six", "yyjwvep", "one\ntwo \n|one\n"],
  ["one two t|hree", "vbbod", "one |ree"],
  ["say (o|ne two)", "vibd", "say (|)"],
  ["|one two three", "v2wd", "|hree"],
  ["|one two", "vvd", "|one two"],
  ["o|ne\ntwo", "Vvd", "o|e\ntwo"],
  ["|one two", "v<esc>x", "|ne two"],
  ["|👨‍👩‍👧é one", "vlx", "| one"],
  // Repeating the last change.
  ["|one two three four", "dw.", "|three four"],
  ["|one two three four", "dw2.", "|four"],
  ["|abcdefgh", "2x3.", "|fgh"],
  ["|one two three four five", "2dw.", "|five"],
  ["|one two three", "cwx<esc>w.", "x |x three"],
  ["|one\ntwo\nthree", "A!<esc>j.", "one!\ntwo|!\nthree"],
  ["|abcdef", "x..", "|def"],
  ["|abcd", "rxl.", "x|xcd"],
  ["|a, b, c", "dt,x.", "|b, c"],
  ["|one two three", "daw.", "|three"],
  ["|abcdefgh", "vllx.", "|gh"],
  ["|a\nb\nc\nd\ne", "Vjd.", "|e"],
  ["|one two", ".", "|one two"],
  ["|one two three", "dwu.", "|two three"],
  ["|ab", "ylp.", "aa|ab"],
  // Emoji and accented letters are deleted whole.
  ["|👨‍👩‍👧é one", "x", "|é one"],
  ["|👨‍👩‍👧 one", "dw", "|one"],
])("%j %s", async (text, keys, expected) => {
  expect(await after(text, keys)).toBe(expected);
});

test("the visual selection is marked, including the character under the cursor, and the mode is shown", async () => {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]));
  const m = await mount(core, { columns: 90, rows: 20, keys: "vim" });
  await m.type("one two");
  await m.press("esc");
  await m.type("bve");
  expect(m.text()).toContain("VISUAL  ");
  expect(m.writes.join("")).toContain(m.model.look.theme.marked("two"));
  await m.press("esc");
  expect(m.text()).toContain("NORMAL  ");
  m.unmount();
});

describe("the vim mode", () => {
  test("Esc goes from text to normal mode and then to browsing; from an empty box to browsing at once", async () => {
    const m = vimScreen();
    await m.press("esc");
    expect(m.screen.focus).toBe("messages");
    await m.press("esc");
    await m.type("one");
    await m.press("esc");
    expect([m.screen.focus, m.screen.vim?.keys]).toEqual(["composer", ""]);
    await m.press("esc");
    expect([m.screen.focus, m.screen.vim, m.text()]).toEqual(["messages", undefined, "one"]);
  });

  test("letters without a meaning type nothing, and editing keys work", async () => {
    const m = vimScreen();
    await m.type("one");
    await m.press("esc");
    await m.type("zq");
    await m.press("C-a");
    expect([m.text(), m.ports.boxes.at().editor.cursor]).toEqual(["one", 0]);
  });

  test("Enter sends, and then letters are typed", async () => {
    const m = vimScreen();
    await m.type("one");
    await m.press("esc", "enter");
    await m.type("it");
    expect([m.asked("send").length, m.screen.vim, m.text()]).toEqual([1, undefined, "it"]);
  });

  test("Ctrl-C clears, and then letters are typed", async () => {
    const m = vimScreen();
    await m.type("one");
    await m.press("esc", "C-c");
    await m.type("it");
    expect(m.text()).toBe("it");
  });

  test("the other profiles have no modes", async () => {
    const m = vimScreen("default");
    await m.type("one");
    await m.press("esc");
    expect([m.screen.vim, m.screen.focus]).toEqual([undefined, "messages"]);
  });
});

test("a count is at most ten thousand, also the product of two counts", async () => {
  const long = "a".repeat(15_000);
  expect(await after(`|${long}`, "99999x")).toBe(`|${"a".repeat(5000)}`);
  expect(await after(`|${long}`, "300d99l")).toBe(`|${"a".repeat(5000)}`);
});
