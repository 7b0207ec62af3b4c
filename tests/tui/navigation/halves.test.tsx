/** Two channels side by side at work: what is written, read, scrolled, opened, lost and remembered in each half. */
import { afterEach, describe, expect, test } from "vitest";
import { READ_AFTER } from "../../../src/wire/constants.ts";
import { ChannelNotFound } from "../../../src/model/errors.ts";
import { TransportError } from "../../../src/model/transport.ts";
import type { ChannelEntry } from "../../../src/model/state.ts";
import { composerPlace } from "../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../src/tui/screen/popup.ts";
import { FakeCore, channel, message, messageSet, stateOf } from "../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../support/mount.tsx";

const GENERAL = "messaging:general";
const OPS = "messaging:ops";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const lines = (cid: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    message(`${cid}-${i}`, "ana", `${cid} line ${i}.`, { cid: `messaging:${cid}`, minute: i * 6 }),
  );
const filled = (cid: string, more: Partial<ChannelEntry> = {}): ChannelEntry => ({
  ...channel(cid, more),
  sets: [messageSet(lines(cid, 60))],
  watched: true,
  ...more,
});
const workspace = (ops: Partial<ChannelEntry> = {}): FakeCore =>
  new FakeCore(stateOf([filled("general"), filled("ops", ops), filled("design")]));

async function start(core = workspace(), options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, { columns: 160, rows: 30, ...options });
  open.push(m);
  return m;
}
/** #general at the left with the focus, #ops at the right. */
async function halves(core = workspace(), options: MountOptions = {}): Promise<Mounted> {
  const m = await start(core, options);
  await m.type("/split #ops\r");
  m.core.asked.length = 0;
  return m;
}

/** The channels from left to right, that with the focus in brackets. */
function shown({ screen: { cid, other } }: Mounted): string {
  const name = (one: string | undefined): string => one?.replace("messaging:", "") ?? "";
  if (!other) return `[${name(cid)}]`;
  return other.isLeft ? `${name(other.cid)} [${name(cid)}]` : `[${name(cid)}] ${name(other.cid)}`;
}
const told = (m: Mounted): string[] =>
  m.core.calls("notify").map(([notice]) => (notice as { text: string }).text);
const asked = (m: Mounted, ...names: string[]): unknown[][] =>
  m.core.asked.filter(({ name }) => names.includes(name)).map(({ name, args }) => [name, args[0]]);

describe("opening and closing", () => {
  test("Alt-\\ shows the previous channel at the right, and the same key closes the half without the focus", async () => {
    const m = await start();
    m.open("messaging:design");
    await m.press("A-\\");
    expect(shown(m)).toBe("[design] general");
    await m.press("tab", "A-\\");
    expect(shown(m)).toBe("[general]");
  });

  test("the next step of the tour stands above the half with the focus alone, the pin of the other one above that", async () => {
    const pin = message("p1", "ana", "Read this first.", { cid: OPS });
    const m = await halves(workspace({ pinned: [pin] }));
    m.change((s) => ({ ...s, tour: { on: true, done: [] } }));
    await m.settle();
    expect(m.text().split("Reply in a thread:").length - 1).toBe(1);
    expect(m.text()).toContain("Read this first.");
    await m.press("tab");
    expect(m.text().split("Reply in a thread:").length - 1).toBe(1);
    expect(m.line(1).indexOf("Reply in a thread:")).toBeGreaterThan(80);
  });

  test("without a previous channel the first other one of the list is shown; with none a sentence says so", async () => {
    const m = await start();
    await m.press("A-\\");
    expect(m.screen.other?.cid).not.toBe(GENERAL);
    const alone = await start(new FakeCore(stateOf([filled("general")])));
    await alone.press("A-\\");
    expect([shown(alone), told(alone)]).toEqual([
      "[general]",
      ["There is no other channel to show beside this one."],
    ]);
  });

  test("/split opens the channel it names; the one of this half is refused, and several go to a list", async () => {
    const m = await halves();
    expect(shown(m)).toBe("[general] ops");
    await m.type("/split design\r");
    expect(shown(m)).toBe("[general] design");
    await m.type("/split #general\r");
    expect([shown(m), told(m)]).toEqual(["[general] design", ["#general is in this half already."]]);
    await m.type("/split s\r");
    expect(topPopup(m.screen)).toMatchObject({ kind: "picker", title: "Beside this channel", query: "s" });
    await m.press("esc");
    await m.type("/split\r");
    expect(shown(m)).toBe("[general]");
  });

  test("below 120 columns it is refused; a half that is folded is closed with a sentence", async () => {
    const m = await start(workspace(), { columns: 119 });
    await m.press("A-\\");
    expect([shown(m), told(m)]).toEqual(["[general]", ["Two channels side by side need 120 columns."]]);
    const folded = await halves();
    await folded.resize(119, 30);
    await folded.press("A-\\");
    expect([shown(folded), told(folded)]).toEqual([
      "[general]",
      ["The half with #ops, for which there was no room, was closed."],
    ]);
  });

  test("a channel that is not watched yet is watched beside the one with the focus", async () => {
    const m = await start(workspace({ watched: false }));
    await m.type("/split #ops\r");
    expect(asked(m, "watch")).toContainEqual(["watch", OPS]);
  });

  test("a channel chosen in the sidebar, with Ctrl-K or as unread opens in the half with the focus", async () => {
    const m = await halves();
    await m.press("tab", "C-k");
    await m.type("design\r");
    expect(shown(m)).toBe("general [design]");
    m.core.changeChannel(OPS, (entry) => ({ ...entry, unread: 1 }));
    await m.settle();
    await m.press("A-a");
    expect(shown(m)).toBe("general [ops]");
    await m.press("A-a");
    await m.press("C-k");
    await m.type("general\r");
    expect(shown(m)).toBe("[general] design");
  });
});

describe("writing", () => {
  test("each half has its own text, files and quote, and Enter sends that of the half with the focus", async () => {
    const m = await halves();
    await m.type("for general");
    await m.press("tab");
    await m.type("for ops");
    expect(m.text()).toMatch(/› for general .*│ › for ops/);
    await m.press("enter");
    expect(m.core.calls("send")).toMatchObject([[{ cid: OPS }, { text: "for ops" }]]);
    await m.press("tab");
    expect(composerPlace(m.screen)).toEqual({ cid: GENERAL });
    expect(m.ports.boxes.at().editor.text).toBe("for general");
    await m.press("esc", "q");
    await m.press("tab");
    expect([m.ports.boxes.at().quotedId, m.ports.boxes.at({ cid: GENERAL }).quotedId]).toEqual([
      undefined,
      "general-59",
    ]);
  });

  test("what was typed before the first channel opened goes to the half with the focus", async () => {
    const core = workspace();
    core.keep("layout", { halves: { cids: [GENERAL, OPS], focused: "left" } });
    const m = await start(core, { open: "messaging:none" });
    await m.type("early");
    m.open(GENERAL);
    await m.settle();
    expect([shown(m), m.ports.boxes.at().editor.text]).toEqual(["[general] ops", "early"]);
    expect(m.ports.boxes.at({ cid: OPS }).editor.text).toBe("");
  });

  test("the text cursor is in the box of the half with the focus, and completion stays on the screen", async () => {
    const m = await halves();
    await m.press("tab");
    await m.type("hm");
    const { x, y } = m.model.layout.composer;
    expect(m.cursor()).toEqual({ x: x + 5, y });
    await m.type(" #des");
    expect(m.text()).toContain("#design");
    await m.press("tab");
    expect([shown(m), m.ports.boxes.at().editor.text]).toEqual(["general [ops]", "hm #design "]);
  });

  test("a preview is as wide as its half, and the box of the other half keeps its own", async () => {
    const m = await halves();
    await m.type("**bold** words that go on and on until they are wider than one half of the screen");
    await m.press("tab");
    await m.type("__short__");
    m.change((s) => ({ ...s, preview: true }));
    await m.settle();
    const { middle } = m.model.layout;
    for (let y = 1; y < 29; y++)
      if (y !== m.model.layout.divider) expect(m.line(y)[middle!], String(y)).toBe("│");
    expect(m.text()).toMatch(/┃ bold words .*│ +┃ short/);
  });
});

describe("reading", () => {
  const unread = { unread: 3, firstUnreadId: "ops-57" };

  test("what the half without the focus shows stays unread until the half gets the focus", async () => {
    const m = await halves(workspace(unread));
    const look = async (): Promise<void> => {
      m.pace.tick(READ_AFTER);
      m.pace.pause();
      await m.settle();
    };
    await look();
    expect(m.text()).toContain("ops line 59.");
    expect(asked(m, "seen")).not.toContainEqual(["seen", OPS]);
    await m.press("tab");
    await look();
    expect(asked(m, "seen")).toContainEqual(["seen", OPS]);
  });

  test("the half that loses the focus ends its line, so that what arrives there gets a line of new ones, and is not left", async () => {
    const m = await halves();
    await m.press("tab");
    expect(asked(m, "endLine", "left")).toEqual([["endLine", GENERAL]]);
  });

  test("messages arrive in both halves, and both follow the newest one", async () => {
    const m = await halves();
    m.core.arrive(GENERAL, message("a", "ana", "for the left", { cid: GENERAL, minute: 500 }));
    m.core.arrive(OPS, message("b", "bo", "for the right", { cid: OPS, minute: 500 }));
    await m.settle();
    expect(m.text()).toContain("for the left");
    expect(m.text()).toContain("for the right");
  });

  test("the wheel scrolls the half under the mouse without moving the focus, and Tab leaves both where they are", async () => {
    const m = await halves();
    const { x } = m.model.layout.other!.main;
    for (let i = 0; i < 4; i++) await m.wheel(x + 5, 10, false);
    const { anchor } = m.screen.views.get(OPS)!;
    expect([shown(m), anchor?.id.startsWith("ops-"), m.screen.views.get(GENERAL)?.anchor]).toEqual([
      "[general] ops",
      true,
      undefined,
    ]);
    expect(asked(m, "hold")).toEqual([["hold", OPS]]);
    await m.press("tab", "tab");
    expect(m.screen.views.get(OPS)!.anchor).toEqual(anchor);
    expect(m.core.calls("hold")).toEqual([[OPS, true]]);
  });

  test("older pages are loaded in the half that is scrolled to its start", async () => {
    const m = await halves(workspace({ sets: [messageSet(lines("ops", 60), { hasPrev: true })] }));
    const { x } = m.model.layout.other!.main;
    for (let i = 0; i < 60; i++) m.send(`\x1b[<64;${x + 5};11M`);
    await m.settle();
    expect(asked(m, "loadOlder")).toEqual([["loadOlder", { cid: OPS }]]);
  });

  test("the second half opens at its first unread message, and is not placed again by Tab", async () => {
    const m = await halves(workspace({ unread: 50, firstUnreadId: "ops-10" }), { readOn: "manual" });
    const { anchor } = m.screen.views.get(OPS)!;
    expect(m.text()).toContain("ops line 10.");
    for (let i = 0; i < 3; i++) await m.wheel(m.model.layout.other!.main.x + 5, 10, true);
    const moved = m.screen.views.get(OPS)!.anchor;
    expect(moved).not.toEqual(anchor);
    await m.press("tab", "tab", "tab");
    expect(m.screen.views.get(OPS)!.anchor).toEqual(moved);
  });

  test("the cursor of a list comes back into sight with the focus", async () => {
    const m = await halves();
    await m.press("esc", "tab");
    expect([m.screen.focus, m.screen.views.get(OPS)?.selected]).toEqual(["messages", "ops-59"]);
    for (let i = 0; i < 30; i++)
      m.core.arrive(GENERAL, message(`new-${i}`, "bo", `news ${i}.`, { cid: GENERAL, minute: 500 + i * 6 }));
    await m.settle();
    expect(m.text()).not.toContain("general line 59.");
    await m.press("tab");
    expect([m.screen.views.get(GENERAL)?.selected, m.text()]).toEqual([
      "general-59",
      expect.stringContaining("general line 59."),
    ]);
  });
});

describe("the mouse", () => {
  test("a click in the other half moves the focus there and acts there: on a message, in the box, on the title", async () => {
    const m = await halves();
    const list = m.model.layout.other!.main;
    await m.click(list.x + 5, list.y + list.height - 3);
    expect([shown(m), m.screen.focus, m.screen.views.get(OPS)?.selected?.startsWith("ops-")]).toEqual([
      "general [ops]",
      "messages",
      true,
    ]);
    const box = m.model.layout.other!.composer;
    await m.click(box.x + 4, box.y);
    expect([shown(m), m.screen.focus]).toEqual(["[general] ops", "composer"]);
    const title = m.model.layout.other!.header;
    await m.click(title.x + 2, title.y);
    expect([shown(m), m.screen.panels]).toMatchObject(["general [ops]", [{ name: "details", cid: OPS }]]);
  });

  test("a right click there opens the menu of its message", async () => {
    const m = await halves();
    const { x, y, height } = m.model.layout.other!.main;
    await m.type(`\x1b[<2;${x + 30};${y + height - 2}M`);
    expect([shown(m), topPopup(m.screen)?.kind]).toEqual(["general [ops]", "picker"]);
  });

  test("a drag selects within one half", async () => {
    const m = await halves();
    const { x, y, height } = m.model.layout.other!.main;
    const row = y + height - 2;
    await m.type(`\x1b[<0;${x + 4};${row + 1}M\x1b[<32;10;${row + 1}M\x1b[<0;10;${row + 1}m`);
    expect(m.copied.join("")).not.toContain("general");
    expect(shown(m)).toBe("[general] ops");
  });
});

describe("panels", () => {
  test("a panel covers the half without the focus and gives it back", async () => {
    const m = await halves();
    await m.press("tab", "C-t");
    expect(m.text()).toContain("Details · #ops");
    expect(m.text()).not.toContain("general line 59.");
    await m.press("C-t");
    expect(m.text()).toContain("general line 59.");
    expect(shown(m)).toBe("general [ops]");
  });

  test("opening a half closes the panel that would cover it", async () => {
    const m = await start();
    await m.press("C-t", "A-\\");
    expect([m.screen.panels, m.screen.focus, m.screen.other !== undefined]).toEqual([[], "composer", true]);
  });
});

describe("channels that go", () => {
  const lose = (m: Mounted, cid: string): Promise<void> => {
    m.core.changeChannel(cid, (entry) => ({ ...entry, unavailable: true, sets: [] }));
    return m.settle();
  };

  test("the half without the focus closes with a sentence when its channel is deleted or lost", async () => {
    const m = await halves();
    await m.type("still here");
    await lose(m, OPS);
    expect([shown(m), m.ports.boxes.at().editor.text]).toEqual(["[general]", "still here"]);
    expect(told(m)).toEqual(["#ops can no longer be read, so its half was closed."]);
  });

  test("the half with the focus stays, so that no letter goes to another channel, and closes when the focus goes", async () => {
    const m = await halves();
    await lose(m, GENERAL);
    expect([shown(m), told(m)]).toEqual(["[general] ops", []]);
    await m.press("tab");
    expect([shown(m), told(m)]).toEqual([
      "[ops]",
      ["#general can no longer be read, so its half was closed."],
    ]);
  });

  test("leaving a channel leaves the other half alone", async () => {
    const m = await halves();
    await m.type("/leave\r");
    await m.press("y");
    await m.settle();
    expect(shown(m)).toBe("[ops]");
    expect(told(m)).toEqual(["you left #general"]);
  });

  test("a channel that is not found at the start falls back to one half; without an answer the half waits", async () => {
    const core = workspace();
    core.keep("layout", { halves: { cids: [GENERAL, "messaging:gone"], focused: "left" } });
    core.watchExisting = () => Promise.reject(new TransportError("ERR_NETWORK", "no way"));
    const offline = await start(core);
    expect(shown(offline)).toBe("[general] gone");
    core.asked.length = 0;
    core.watchExisting = (cid) => Promise.reject(new ChannelNotFound(cid));
    const m = await start(core);
    expect([shown(m), told(m)]).toEqual([
      "[general]",
      ["#gone can no longer be read, so its half was closed."],
    ]);
  });
});

describe("the next start", () => {
  async function restarted(first: Mounted, options: MountOptions = {}): Promise<string> {
    return shown(await start(first.core, options));
  }

  test("shows both channels again, with the focus in the same half", async () => {
    const m = await halves();
    expect(await restarted(m)).toBe("[general] ops");
    await m.press("tab");
    expect(await restarted(m, { open: OPS })).toBe("general [ops]");
  });

  test("a channel that it opens by name takes the half that had the focus, or gets the half that it is in", async () => {
    const m = await halves();
    expect(await restarted(m, { open: "messaging:design" })).toBe("[design] ops");
    const other = await halves();
    expect(await restarted(other, { open: OPS })).toBe("general [ops]");
  });

  test("one half stays one, and what cannot be read of the saved halves is ignored", async () => {
    const m = await halves();
    await m.press("A-\\");
    expect(await restarted(m)).toBe("[general]");
    for (const stored of [7, { cids: [OPS] }, { cids: [OPS, OPS] }, { cids: "ab" }, { cids: [1, 2] }]) {
      const core = workspace();
      core.keep("layout", { halves: stored });
      expect(shown(await start(core)), JSON.stringify(stored)).toBe("[general]");
    }
  });
});

test("in all three key profiles Alt-\\ and Tab are the same", async () => {
  for (const keys of ["default", "vim", "emacs"] as const) {
    const m = await start(workspace(), { keys });
    await m.press("A-\\", "tab");
    expect(m.screen.other?.isLeft, keys).toBe(true);
  }
});
