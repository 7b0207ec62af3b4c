/** The mouse: what a click and the wheel do in each part of the screen, and where they do nothing. */
import { expect, test } from "vitest";
import { listOf } from "../../../src/tui/views/messages/list.ts";
import { linesOf } from "../../../src/tui/views/sidebar/lines.ts";
import { popupRect } from "../../../src/tui/screen/layout.ts";
import { channelTitle } from "../../../src/model/channels.ts";
import { choicesOf } from "../../../src/tui/screen/choices.ts";
import { detailsPanel, threadPanel, scrollOf } from "../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../src/tui/screen/popup.ts";
import { FakeCore, channel, message, stateOf, thread, user } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const workspaceWith = (count: number): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: Array.from({ length: count }, (_, i) =>
          message(`m${i}`, "ana", `line ${i}`, { minute: i * 6 }),
        ),
        threads: new Map([
          [
            "m1",
            thread(
              "m1",
              Array.from({ length: 30 }, (_, i) => message(`r${i}`, "bo", "re", { minute: i * 6 })),
            ),
          ],
        ]),
      }),
      ...Array.from({ length: 40 }, (_, i) =>
        channel(`c${i}`, i === 0 ? { typing: [{ user: user("bo") }] as never } : {}),
      ),
    ]),
  );
const anchor = (m: ScreenDriver, parentId?: string) =>
  scrollOf(m.screen, parentId === undefined ? { cid: GENERAL } : { cid: GENERAL, parentId }).anchor;

test("the wheel over the sidebar scrolls its lines by three and stops at both ends", async () => {
  const m = new ScreenDriver(workspaceWith(3), { rows: 20 });
  const rect = m.model.layout.sidebar!;
  const tops: number[] = [];
  for (const down of [false, true, true, false]) {
    await m.wheel(rect.x + 1, rect.y + 1, down);
    tops.push(m.screen.sidebar.top);
  }
  expect(tops).toEqual([0, 3, 6, 3]);
  for (let i = 0; i < 20; i++) await m.wheel(rect.x + 1, rect.y + 1, true);
  // The last row counts what is new elsewhere.
  expect(m.screen.sidebar.top).toBe(linesOf(m.model).length - (rect.height - 1));
  expect(m.screen.focus).toBe("composer");
});

test("a click in the sidebar opens the line under it, also when scrolled; a typing line opens nothing", async () => {
  const m = new ScreenDriver(workspaceWith(3), { rows: 20 });
  const rect = m.model.layout.sidebar!;
  const lines = linesOf(m.model);
  const rowOf = (key: string): number =>
    rect.y + lines.findIndex((l) => l.key === key) - m.screen.sidebar.top;
  const typing = lines.find((l) => l.kind === "typing");
  expect(typing).toBeDefined();
  await m.click(rect.x + 2, rowOf(typing!.key));
  expect(m.screen.cid).toBe(GENERAL);
  await m.wheel(rect.x, rect.y, true);
  const { key } = lines[3 + 6]!;
  await m.click(rect.x + 2, rect.y + 6);
  expect(m.screen.cid).toBe(key);
  await m.wheel(rect.x, rect.y, false);
  await m.click(rect.x + 2, rowOf("group:channels"));
  expect([...m.screen.sidebar.folded]).toContain("channels");
});

test("a click in the sidebar opens the line drawn there after the cursor scrolled it or lines disappeared", async () => {
  const m = new ScreenDriver(workspaceWith(3), { rows: 20 });
  const rect = m.model.layout.sidebar!;
  const lines = linesOf(m.model);
  await m.press("S-tab", "G");
  await m.click(rect.x + 2, rect.y + rect.height - 3);
  expect(m.screen.cid).toBe(lines.at(-2)!.key);
  const tall = new ScreenDriver(workspaceWith(3), { rows: 20 });
  for (let i = 0; i < 20; i++) await tall.wheel(rect.x, rect.y, true);
  tall.change((s) => ({ ...s, rows: 30 }));
  const high = tall.model.layout.sidebar!;
  await tall.click(high.x + 2, high.y + high.height - 2);
  expect(tall.screen.cid).toBe(linesOf(tall.model).at(-1)!.key);
});

test("the left button clicks and the right one opens the menu; the middle button and a lone release do nothing", async () => {
  const m = new ScreenDriver(workspaceWith(80));
  const rect = m.model.layout.main!;
  await m.click(rect.x + 2, rect.y + rect.height - 3, 1);
  const last = rect.y + listOf(m.ports, { cid: GENERAL }).height - 1;
  await m.send(`\x1b[<0;${rect.x + 3};${last + 1}m`);
  expect(m.screen.focus).toBe("composer");
  await m.click(rect.x + 2, last);
  expect([m.screen.focus, m.selected()?.id]).toEqual(["messages", "m79"]);
  await m.click(rect.x + 2, rect.y + rect.height - 3, 2);
  expect(topPopup(m.screen)).toMatchObject({ kind: "picker" });
});

test("the wheel scrolls the list under it by three rows, whatever has the focus", async () => {
  const m = new ScreenDriver(workspaceWith(80), { columns: 220, rows: 30 });
  m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
  const { main, panel } = m.model.layout;
  await m.wheel(main!.x + 1, main!.y + 1, false);
  await m.wheel(main!.x + 1, main!.y + 1, false);
  const { feed } = listOf(m.ports, { cid: GENERAL });
  const rowsOf = (a: { id: string; row: number }): number => feed.indexOf(a.id) + a.row;
  const before = rowsOf(anchor(m)!);
  await m.wheel(main!.x + 1, main!.y + 1, true);
  expect(rowsOf(anchor(m)!) - before).toBe(3);
  expect(anchor(m, "m1")).toBeUndefined();
  await m.wheel(panel!.x + 1, panel!.y + 2, false);
  expect(anchor(m, "m1")).toBeDefined();
  expect(m.screen.focus).toBe("composer");
});

test("a click in a thread puts the cursor on the reply under it", async () => {
  const m = new ScreenDriver(workspaceWith(3), { rows: 30 });
  m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
  const { panel } = m.model.layout;
  const { height } = listOf(m.ports, { cid: GENERAL, parentId: "m1" });
  await m.click(panel!.x + 3, panel!.y + height);
  expect([m.screen.focus, m.selected()?.id]).toEqual(["panel", "r29"]);
  await m.click(panel!.x + 3, panel!.y + height - 2);
  expect(m.selected()?.id).toBe("r28");
});

test("a page that fits ignores click and wheel", async () => {
  const m = new ScreenDriver(workspaceWith(30), { rows: 30 });
  m.change((s) => ({ ...s, panels: [detailsPanel(GENERAL)] }));
  const before = m.screen;
  const { panel } = m.model.layout;
  await m.click(panel!.x + 3, panel!.y + 3);
  await m.wheel(panel!.x + 3, panel!.y + 3, false);
  expect(m.screen).toEqual(before);
});

test("a click in the box puts the cursor there; a click on the line above it only focuses it", async () => {
  const m = new ScreenDriver(workspaceWith(3));
  await m.type("one two");
  await m.press("C-j");
  await m.type("three");
  await m.press("esc");
  const { composer } = m.model.layout;
  await m.click(composer.x + 3 + 2, composer.y + composer.height - 1);
  expect([m.screen.focus, m.ports.boxes.at().editor.cursor]).toEqual(["composer", "one two\nth".length]);
  await m.click(composer.x + 3 + 4, composer.y + composer.height - 2);
  expect(m.ports.boxes.at().editor.cursor).toBe(4);
  await m.click(composer.x, composer.y + composer.height - 2);
  expect(m.ports.boxes.at().editor.cursor).toBe(0);
  await m.click(composer.x + 60, composer.y + composer.height - 2);
  expect(m.ports.boxes.at().editor.cursor).toBe("one two".length);
  await m.wheel(composer.x + 5, composer.y + composer.height - 1, false);
  expect(m.ports.boxes.at().editor.cursor).toBe("one two".length);
  m.change((s) => ({ ...s, panels: [threadPanel({ cid: GENERAL, parentId: "m1" })] }));
  await m.type("abc");
  const banner = m.model.layout.composer;
  await m.press("esc");
  await m.click(banner.x + 4, banner.y);
  expect([m.screen.focus, m.ports.boxes.at().editor.cursor]).toEqual(["composer", 3]);
});

test("a click on a choice of a popup takes it", async () => {
  const m = new ScreenDriver(workspaceWith(3));
  await m.press("C-k");
  const choices = choicesOf(topPopup(m.screen), m.model);
  const { label } = choices[3]!;
  // The border, the input line and a rule are drawn above the choices.
  await m.click(
    60,
    popupRect({ columns: 120, rows: 40 }, { width: 64, height: choices.length + 4 }).y + 3 + 3,
  );
  expect([channelTitle(m.state.channels.get(m.screen.cid!)!, "me"), m.screen.popups]).toEqual([label, []]);
});

test("over a popup the wheel moves the selected choice, and a click outside it does nothing", async () => {
  const m = new ScreenDriver(workspaceWith(3));
  await m.press("C-k");
  await m.wheel(2, 5, true);
  await m.wheel(2, 5, true);
  await m.wheel(2, 5, false);
  expect(m.screen.popups).toMatchObject([{ selected: 1 }]);
  await m.click(2, 5);
  expect([m.screen.cid, m.screen.popups.length]).toEqual([GENERAL, 1]);
});
