/** What a command and a key act on: the chosen message if it was sent, and the filter or Vim's keys unless something lies over them. */
import { expect, test } from "vitest";
import { defaultMessageIn } from "../../../src/tui/screen/selectors.ts";
import { isFiltering, isVimNormal } from "../../../src/tui/screen/screen.ts";
import { placeKey } from "../../../src/tui/screen/place-key.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

const PLACE = { cid: "messaging:general" };

test.each([
  ["none", undefined, "m2"],
  ["a message that was sent", "m1", "m1"],
  ["one that could not be sent", "m3", "m2"],
  ["one that is not loaded", "m9", "m2"],
])("with %s under the cursor a command without an id means the right message", (_, selected, meant) => {
  const messages = [
    message("m1", "ana", "one"),
    message("m2", "bo", "two"),
    message("m3", "me", "three", { status: "failed" }),
  ];
  const { model } = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages })])));
  const views = new Map([[placeKey(PLACE), selected === undefined ? {} : { selected }]]);
  const found = defaultMessageIn({ ...model, screen: { ...model.screen, views } }, PLACE, "message");
  expect(found?.id).toBe(meant);
});

test("the filter of the sidebar and Vim's normal mode have the keys only with the focus, and not below a popup", () => {
  const { sidebar } = new ScreenDriver(new FakeCore(stateOf([channel("general")]))).screen;
  const vim = {} as never;
  const popup = { kind: "picker" } as never;
  for (const focus of ["sidebar", "messages", "panel", "composer"] as const)
    for (const popups of [[], [popup]]) {
      const isFree = popups.length === 0;
      const filtered = { focus, popups, sidebar: { ...sidebar, filter: "" } };
      expect(isFiltering(filtered)).toBe(focus === "sidebar" && isFree);
      expect(isFiltering({ focus, popups, sidebar })).toBe(false);
      expect(isVimNormal({ focus, popups, vim })).toBe(focus === "composer" && isFree);
      expect(isVimNormal({ focus, popups })).toBe(false);
    }
});
