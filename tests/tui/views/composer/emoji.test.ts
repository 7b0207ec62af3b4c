/** Emoji one used stand first the next time, in the box and in the list of reactions, and have the tone that was chosen. */
import { expect, test } from "vitest";
import { withTone } from "../../../../src/text/emoji.ts";
import { choicesOf } from "../../../../src/tui/views/popup/choices.ts";
import { topPopup } from "../../../../src/tui/screen/screen.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { Hands } from "../../../support/hands.ts";
import type { HandsOptions } from "../../../support/hands.ts";

const room = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]));
const hands = (options?: HandsOptions, core = room()): Hands => new Hands(core, options);
const offered = (m: Hands): string[] => m.screen.completion?.items.map(({ detail }) => detail ?? "") ?? [];
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
] as const)("%s in %s is %s", (plain, tone, toned) => {
  expect(withTone(plain, tone)).toBe(toned);
});
