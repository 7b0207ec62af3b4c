/** Jumps to messages and back: how many ways back are kept, and what a jump that comes late does. */
import { expect, test } from "vitest";
import { goToMessage, jumpBack, jumpWithReturn } from "../../../../src/tui/views/messages/jump.ts";
import { scrollTo } from "../../../../src/tui/views/messages/navigation.ts";
import { detailsPanel, scrollOf } from "../../../../src/tui/screen/screen.ts";
import { panelPushed, withFocus } from "../../../../src/tui/screen/transitions.ts";
import { words } from "../../../../src/text/words.ts";
import { FakeCore, channel, message, messageSet, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const OPS = "messaging:ops";
const LATER = "messaging:later";

function screen(): ScreenDriver {
  const messages = Array.from({ length: 40 }, (_, i) => message(`m${i}`, "ana", `line ${i}`, { minute: i }));
  return new ScreenDriver(new FakeCore(stateOf([channel("general", { messages }), channel("ops")])));
}
const selected = (m: ScreenDriver): string | undefined => scrollOf(m.screen, { cid: GENERAL }).selected;

test("the last twenty positions are kept, and then there is no way back", () => {
  const m = screen();
  for (let n = 1; n <= 25; n++) jumpWithReturn(m.ports, { id: `m${n}`, cid: GENERAL });
  const back: (string | undefined)[] = [];
  for (let n = 1; n <= 20; n++) {
    jumpBack(m.ports);
    back.push(selected(m));
  }
  expect(back).toEqual(Array.from({ length: 20 }, (_, i) => `m${24 - i}`));
  expect(m.told()).toEqual([]);
  jumpBack(m.ports);
  expect([selected(m), m.told()]).toEqual(["m5", [words.notices.noWayBack]]);
});

test("the way back from another channel restores channel, panels, focus and cursor", async () => {
  const m = screen();
  await m.press("esc", "up", "up");
  m.change((s) => withFocus(panelPushed(s, detailsPanel(GENERAL)), "messages"));
  const before = [m.screen.cid, m.screen.panels, m.screen.focus, selected(m)];
  m.core.changeChannel(OPS, (entry) => ({
    ...entry,
    sets: channel("ops", { messages: [message("o1", "bo", "x")] }).sets,
  }));
  jumpWithReturn(m.ports, { id: "o1", cid: OPS });
  expect([m.screen.cid, m.screen.panels, m.selected()?.id]).toEqual([OPS, [], "o1"]);
  jumpBack(m.ports);
  expect([m.screen.cid, m.screen.panels, m.screen.focus, selected(m)]).toEqual(before);
});

test.each([
  ["the newest ones", undefined, ["backToLatest", { cid: GENERAL }]],
  ["those around the place", "m3", ["jumpTo", { cid: GENERAL }, "m3"]],
] as const)("the way back loads messages that are no longer held: %s", async (_, anchor, request) => {
  const m = screen();
  if (anchor) scrollTo(m.ports, { cid: GENERAL }, { id: anchor, row: 0 }, anchor);
  jumpWithReturn(m.ports, { id: "old", cid: GENERAL });
  const old = messageSet([message("old", "ana", "x")], { isLatest: false, hasNext: true });
  m.core.changeChannel(GENERAL, (entry) => ({ ...entry, sets: [old] }));
  await m.settle();
  expect(selected(m)).toBe("old");
  m.core.asked.length = 0;
  jumpBack(m.ports);
  expect(m.asked("backToLatest", "jumpTo")).toEqual([request]);
  await m.settle();
  expect([selected(m), scrollOf(m.screen, { cid: GENERAL }).anchor?.id]).toEqual([anchor, anchor]);
});

test("a jump into a channel that is still loading is made once it is there, unless the user has gone elsewhere", async () => {
  for (const goes of [false, true]) {
    const m = screen();
    const loaded = Promise.withResolvers<void>();
    m.core.watchExisting = () => loaded.promise as never;
    goToMessage(m.ports, { id: "l1", cid: LATER });
    expect([m.screen.cid, m.screen.jumping]).toEqual([LATER, true]);
    if (goes) m.open(OPS);
    loaded.resolve();
    await m.settle();
    expect(m.asked("jumpTo")).toEqual(goes ? [] : [["jumpTo", { cid: LATER }, "l1"]]);
    expect(m.screen.cid).toBe(goes ? OPS : LATER);
  }
});
