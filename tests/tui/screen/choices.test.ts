/** The cursor of a picker whose choices are made anew: it stays on its choice, or goes to the first where that is gone. */
import { expect, test } from "vitest";
import { selectedChoice, withCursorOn } from "../../../src/tui/screen/choices.ts";
import { openPicker } from "../../../src/tui/screen/notices.ts";
import { topPopup, type Picker } from "../../../src/tui/screen/popup.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

test.each([
  ["ops", "ops"],
  ["tea", "tea"],
  ["gone", "general"],
  [undefined, "general"],
])("the cursor on %s of other choices is on %s afterwards", (label, shown) => {
  const { model, ports } = new ScreenDriver(new FakeCore(stateOf([channel("general")])));
  openPicker(ports, { title: "Go to", choices: ["general", "ops", "tea"].map((one) => ({ label: one })) });
  const picker = { ...(topPopup(ports.store.screen) as Picker), selected: 2 };
  expect(selectedChoice(withCursorOn(picker, label, model), model)?.label).toBe(shown);
});
