/** Lines that other programs send to the screen: commands run as if they were typed in the box, and nothing is posted as a message. */
import { expect, test } from "vitest";
import { runRemote } from "../../../src/tui/effects/remote.ts";
import { topPanel } from "../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../src/tui/screen/popup.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";
import { listWorkspace } from "../../support/user-lists.ts";

test("a command from outside runs, and the text in the box stays", async () => {
  const m = new ScreenDriver(listWorkspace());
  await m.type("half a thought");
  expect(await runRemote(m.ports, "/search tea")).toBeUndefined();
  expect(topPanel(m.screen)?.name).toBe("search");
  expect(await runRemote(m.ports, " /help ")).toBeUndefined();
  expect(topPopup(m.screen)?.kind).toBe("help");
  expect(m.text()).toBe("half a thought");
});

test("a command that needs confirmation asks on the screen", async () => {
  const m = new ScreenDriver(listWorkspace());
  expect(await runRemote(m.ports, "/channel truncate messaging:general")).toBeUndefined();
  await m.settle();
  expect(topPopup(m.screen)?.kind).toBe("confirm");
  expect(m.core.calls("call")).toEqual([]);
});

test.each([
  ["deploy done", "Only a command such as"],
  ["", "Only a command such as"],
  ["//etc/hosts", "Only a command such as"],
  ["/nope", "There is no /nope here"],
  ["/channel mute --until yesterday-ish", "yesterday-ish"],
])("%j is refused with a reason, and nothing is sent", async (line, words) => {
  const m = new ScreenDriver(listWorkspace());
  expect(await runRemote(m.ports, line)).toContain(words);
  expect(m.core.asked).toEqual([]);
});
