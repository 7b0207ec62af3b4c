/** Resizing panes by key and by mouse, and the layout that the next start restores. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const fake = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m", "ana", "hello there")] })]));

async function start(core = fake(), options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, { columns: 130, rows: 24, ...options });
  open.push(m);
  return m;
}

const widths = (m: Mounted): (number | undefined)[] => {
  const { sidebar, panel } = m.model.layout;
  return [sidebar?.width, panel?.width];
};

async function drag(m: Mounted, from: number, to: number): Promise<void> {
  await m.type(`\x1b[<0;${from + 1};6M\x1b[<32;${to + 1};6M\x1b[<0;${to + 1};6m`);
}

test("Alt-= and Alt-- resize the panel beside the messages, or the sidebar without one or with the focus", async () => {
  const m = await start();
  await m.press("A-=");
  expect(widths(m)).toEqual([26, undefined]);
  await m.press("C-t", "A-=");
  expect(widths(m)).toEqual([26, 48]);
  await m.press("A--", "A--");
  expect(widths(m)).toEqual([26, 44]);
  m.change((s) => ({ ...s, focus: "sidebar" }));
  await m.press("A--");
  expect(widths(m)).toEqual([24, 44]);
  await m.press("C-p");
  await m.type("reset the widths");
  await m.press("enter");
  expect(widths(m)).toEqual([24, 46]);
});

test("dragging a border resizes the panes, and selects and opens nothing", async () => {
  const m = await start();
  await m.press("C-t");
  const { x, width } = m.model.layout.sidebar!;
  await drag(m, x + width, 40);
  expect(m.model.layout.sidebar!.width).toBe(40);
  expect(m.model.layout.rules).toContain(40);
  for (let y = 1; y < m.model.layout.divider!; y++) expect(m.line(y)[40]).toBe("│");
  expect([m.line(0)[40], m.line(m.model.layout.divider!)[40]]).toEqual([" ", "┴"]);
  const border = m.model.layout.panel!.x - 1;
  await drag(m, border, border + 7);
  expect(m.model.layout.panel!.x - 1).toBe(border + 7);
  expect(m.copied).toEqual([]);
  expect(m.screen.movingBorder).toBeUndefined();
});

test("a border dragged too far stops, and a key continues from there", async () => {
  const m = await start();
  await drag(m, 25, 129);
  const [most] = widths(m);
  expect(m.model.layout.main!.width).toBe(105);
  await m.press("A--");
  expect(widths(m)[0]).toBe(most! - 2);
});

test("the next start restores the widths, the hidden sidebar and the panel, with the focus in the box", async () => {
  const core = fake();
  const m = await start(core);
  await m.press("A-=", "A-i", "A-=");
  const left = widths(m);
  const next = await start(core);
  expect(widths(next)).toEqual(left);
  expect(next.text()).toContain("Inbox");
  expect(next.screen.panels).toMatchObject([{ name: "inbox" }]);
  expect(next.screen.focus).toBe("composer");
  await next.press("C-t", "C-\\");
  const last = await start(core);
  expect(last.screen.panels).toEqual([]);
  expect(last.model.layout.sidebar).toBeUndefined();
});

test("the panel is remembered even if the screen is closing", async () => {
  const core = fake();
  const m = await start(core);
  await m.press("A-i");
  m.change((s) => ({ ...s, panels: [], loading: true }));
  const next = await start(core);
  expect(next.screen.panels).toMatchObject([{ name: "inbox" }]);
});

test("a small window opens without the panel, and invalid saved values are ignored", async () => {
  const core = fake();
  core.keep("layout", { panes: { sidebar: "wide", panel: -4 }, panel: "details", hidden: 7 });
  const m = await start(core, { columns: 90 });
  expect(m.screen.panels).toEqual([]);
  expect(widths(m)[0]).toBe(20);
});

test("a message sent while a list covers the messages closes the list, so that it is seen; a list beside them stays", async () => {
  for (const [columns, panels] of [
    [100, 0],
    [130, 1],
  ] as const) {
    const m = await start(fake(), { columns });
    await m.press("A-i", "i");
    await m.type("so there\r");
    expect([m.core.calls("send").length, m.screen.panels.length], String(columns)).toEqual([1, panels]);
  }
});
