/** Recently used emoji come first in completions and in the list of reactions, with the chosen skin tone. */
import { expect, test } from "vitest";
import { withTone } from "../../../../src/text/emoji.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver, type ScreenDriverOptions } from "../../../support/screen-driver.ts";

const workspace = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]));
const screenWith = (options?: ScreenDriverOptions, core = workspace()): ScreenDriver =>
  new ScreenDriver(core, options);
const completions = (m: ScreenDriver): string[] =>
  m.screen.completion?.items.map(({ detail }) => detail ?? "") ?? [];
/** The name after the emoji. */
const nameOf = ({ label }: { label: string }): string => label.split(" ").at(-1)!;
const favourites = (m: ScreenDriver): string[] =>
  choicesOf(topPopup(m.screen), m.model).flatMap((one) => (one.mark === undefined ? [] : [nameOf(one)]));
const reactions = (m: ScreenDriver): string[] => choicesOf(topPopup(m.screen), m.model).map(nameOf);

test("an emoji completed before comes first among matching ones, also after a restart", async () => {
  const core = workspace();
  const m = screenWith({}, core);
  await m.type(":smil");
  const [first, second, third] = completions(m);
  await m.press("down", "down", "tab");
  await m.press("C-u");
  await m.type(":smil");
  expect(completions(m).slice(0, 3)).toEqual([third, first, second]);
  const later = screenWith({}, core);
  await later.type(":smil");
  expect(completions(later)[0]).toBe(third);
  await later.press("C-u");
  await later.type(":smile");
  expect(completions(later)[0]).toBe(":smile:");
});

test("the list of reactions begins with the most recent ones, each once", async () => {
  const m = screenWith();
  await m.press("esc", "g", "g", "+");
  const before = reactions(m);
  await m.type("rocket");
  await m.press("enter");
  await m.press("+");
  const after = reactions(m);
  expect(after[0]).toBe("rocket");
  expect(after.toSorted()).toEqual(before.toSorted());
});

test("Ctrl-F makes an emoji a favourite, first in the list of reactions and in completions, also after a restart", async () => {
  const core = workspace();
  const m = screenWith({}, core);
  await m.press("esc", "g", "g", "+");
  const plain = reactions(m);
  await m.type("smiley");
  await m.press("C-f");
  expect(favourites(m)).toEqual(["smiley"]);
  await m.press("C-u");
  expect(reactions(m)).toEqual(["smiley", ...plain]);
  await m.press("down", "down", "C-f");
  expect(topPopup(m.screen)).toMatchObject({ selected: 1 });
  expect(reactions(m).slice(0, 2)).toEqual(["smiley", plain[1]]);
  const later = screenWith({}, core);
  await later.type(":smil");
  expect(completions(later)[0]).toBe(":smiley:");
  await later.press("C-u", "esc", "g", "g", "+", "C-f", "C-u");
  expect(favourites(later)).toEqual([plain[1]]);
});

test("Ctrl-F does nothing in other lists", async () => {
  const m = screenWith();
  await m.press("C-k");
  const before = m.screen;
  await m.press("C-f");
  expect(m.screen.popups).toEqual(before.popups);
});

test.each(["(", "[", "*", "\\", ":(", "+("])(
  "%s typed into the list of reactions finds nothing and throws nothing",
  async (typed) => {
    const m = screenWith();
    await m.press("esc", "g", "g", "+");
    await m.type(typed);
    expect(reactions(m)).toEqual([]);
  },
);

test("a reaction typed with a skin tone counts as the one without", async () => {
  const core = workspace();
  const m = screenWith({ settings: { skinTone: "dark" } }, core);
  await m.press("esc", "g", "g", "+");
  await m.type("👋🏽");
  expect(reactions(m)).toEqual(["wave"]);
  await m.press("enter");
  expect(core.asked.find(({ name }) => name === "react")?.args.slice(1)).toEqual(["wave", undefined]);
});

test("completed emoji of people have the skin tone of the setting, others have none", async () => {
  const m = screenWith({ settings: { skinTone: "medium" } });
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
