/** Recently used emoji come first in completions and in the list of reactions, with the chosen skin tone. */
import { expect, test } from "vitest";
import { withTone } from "../../../../src/text/emoji.ts";
import { choicesOf } from "../../../../src/tui/views/popup/choices.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { Hands, type HandsOptions } from "../../../support/hands.ts";

const room = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]));
const hands = (options?: HandsOptions, core = room()): Hands => new Hands(core, options);
const offered = (m: Hands): string[] => m.screen.completion?.items.map(({ detail }) => detail ?? "") ?? [];
const marked = (m: Hands): string[] =>
  choicesOf(topPopup(m.screen), 0, true).flatMap(({ value, mark }) => (mark === undefined ? [] : [value]));
const reactions = (m: Hands): string[] => choicesOf(topPopup(m.screen), 0, true).map(({ value }) => value);

test("one that was completed stands first among those that begin alike, after a restart, too", async () => {
  const core = room();
  const m = hands({}, core);
  await m.type(":smil");
  const [first, second, third] = offered(m);
  await m.press("down", "down", "tab");
  await m.press("C-u");
  await m.type(":smil");
  expect(offered(m).slice(0, 3)).toEqual([third, first, second]);
  const later = hands({}, core);
  await later.type(":smil");
  expect(offered(later)[0]).toBe(third);
  await later.press("C-u");
  await later.type(":smile");
  expect(offered(later)[0]).toBe(":smile:");
});

test("the list of reactions begins with what was used last, each once", async () => {
  const m = hands();
  await m.press("esc", "g", "g", "+");
  const before = reactions(m);
  await m.type("rocket");
  await m.press("enter");
  await m.press("+");
  const after = reactions(m);
  expect(after[0]).toBe("rocket");
  expect(after.toSorted()).toEqual(before.toSorted());
});

test("Ctrl-F keeps the emoji under the cursor first in the list of reactions and among those completed, after a restart, too", async () => {
  const core = room();
  const m = hands({}, core);
  await m.press("esc", "g", "g", "+");
  const plain = reactions(m);
  await m.type("smiley");
  await m.press("C-f");
  expect(marked(m)).toEqual(["smiley"]);
  await m.press("C-u");
  expect(reactions(m)).toEqual(["smiley", ...plain]);
  await m.press("down", "down", "C-f");
  expect(topPopup(m.screen)).toMatchObject({ selected: 1 });
  expect(reactions(m).slice(0, 2)).toEqual(["smiley", plain[1]]);
  const later = hands({}, core);
  await later.type(":smil");
  expect(offered(later)[0]).toBe(":smiley:");
  await later.press("C-u", "esc", "g", "g", "+", "C-f", "C-u");
  expect(marked(later)).toEqual([plain[1]]);
});

test("in a list of other things Ctrl-F does nothing", async () => {
  const m = hands();
  await m.press("C-k");
  const before = m.screen;
  await m.press("C-f");
  expect(m.screen.popups).toEqual(before.popups);
});

test.each(["(", "[", "*", "\\", ":(", "+("])(
  "%s typed into the list of reactions finds nothing and throws nothing",
  async (typed) => {
    const m = hands();
    await m.press("esc", "g", "g", "+");
    await m.type(typed);
    expect(reactions(m)).toEqual([]);
  },
);

test("a reaction typed in a tone of skin counts with those of all tones", async () => {
  const core = room();
  const m = hands({ settings: { skinTone: "dark" } }, core);
  await m.press("esc", "g", "g", "+");
  await m.type("👋🏽");
  expect(reactions(m)).toEqual(["wave"]);
  await m.press("enter");
  expect(core.asked.find(({ name }) => name === "react")?.args.slice(1)).toEqual(["wave", undefined]);
});

test("completed emoji of people have the tone of the setting, others stay", async () => {
  const m = hands({ settings: { skinTone: "medium" } });
  await m.type(":wave");
  await m.press("tab");
  expect(m.text()).toBe("👋🏽 ");
  await m.type(":rocket");
  await m.press("tab");
  expect(m.text()).toBe("👋🏽 🚀 ");
});

test.each([
  ["👍", "light", "👍🏻"],
  ["👍", "dark", "👍🏿"],
  ["✌️", "medium-light", "✌🏼"],
  ["👍", "none", "👍"],
  ["🚀", "dark", "🚀"],
  ["👍🏻", "dark", "👍🏻"],
  ["👨‍👩‍👧", "dark", "👨‍👩‍👧"],
  ["👩‍💻", "dark", "👩🏿‍💻"],
  ["🏋️‍♂️", "medium", "🏋🏽‍♂️"],
  ["👩‍❤️‍👨", "light", "👩🏻‍❤️‍👨🏻"],
] as const)("%s in %s is %s", (plain, tone, toned) => {
  expect(withTone(plain, tone)).toBe(toned);
});
