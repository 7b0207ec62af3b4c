/** Lines that other programs send to the screen: commands run as if they were typed in the box, and nothing is posted as a message. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { changeScreenOutbox } from "../../../src/config/screens.ts";
import { listenForLines, runRemote } from "../../../src/tui/effects/remote.ts";
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

test("an unsent message of this screen is sent or dropped from outside, and not one that is being sent", async () => {
  const m = new ScreenDriver(listWorkspace());
  const row = (id: string, busy: boolean) =>
    ({
      id,
      cid: "messaging:general",
      kind: "send",
      state: "parked",
      tries: 0,
      created_at: "",
      busy,
    }) as never;
  m.core.waitingRows = [row("sending", true), row("waits", false)];
  m.core.drop = (id) => {
    m.core.waitingRows = m.core.waitingRows.filter((one) => one.id !== id);
  };
  const home = mkdtempSync(path.join(tmpdir(), "prem-"));
  const env = { HOME: home, XDG_STATE_HOME: home };
  const stop = listenForLines(m.ports, env, { profile: "work", user: "me", folder: "/state" });
  const ask = (act: "drop" | "retry", id: string) =>
    changeScreenOutbox(env, { profile: "work", folder: "/state" }, act, id);
  try {
    await expect.poll(() => ask("retry", "waits")).toBe(true);
    expect(m.asked("retry").at(-1)).toEqual(["retry", "waits"]);
    for (const [act, id, done] of [
      ["retry", "sending", false],
      ["drop", "sending", false],
      ["retry", "gone", false],
      ["drop", "waits", true],
      ["drop", "waits", false],
    ] as const)
      expect([act, id, await ask(act, id)]).toEqual([act, id, done]);
    expect(m.core.waitingRows.map(({ id }) => id)).toEqual(["sending"]);
  } finally {
    stop();
    rmSync(home, { recursive: true, force: true });
  }
});
