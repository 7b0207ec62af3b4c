/** The last line names no key that would do nothing or be refused in the current context. */
import { openSearch } from "../../../../src/tui/views/search/actions.ts";
import { userLists } from "../../../../src/tui/views/lists/lists.ts";
import { afterEach, describe, expect, test } from "vitest";
import type { State } from "../../../../src/model/state.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { panelHandler } from "../../../../src/tui/ports/panels.ts";
import { filesPane } from "../../../../src/tui/views/channel-files/files.ts";
import { mapState } from "../../../../src/tui/views/map/state.ts";
import { HANDLERS } from "../../../../src/tui/bindings/handlers.ts";
import { withFocus, panelPushed } from "../../../../src/tui/screen/transitions.ts";
import { popupPushed } from "../../../../src/tui/screen/popup.ts";
import type { Panel } from "../../../../src/tui/screen/screen.ts";
import { CAPABLE, FakeCore, channel, message, stateOf, thread } from "../../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const CID = "messaging:general";
const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

async function start(state: State, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(new FakeCore(state), { columns: 200, rows: 30, theme: makeTheme(0), ...options });
  open.push(m);
  return m;
}

const hints = (m: Mounted): string[] => m.line(29).trim().split("  ").slice(1);

const workspace = (last: Parameters<typeof message>[3] = {}, own_capabilities?: readonly string[]): State => {
  const general = channel("general", { messages: [message("m1", "ana", "hello", last)] });
  const channelOf = own_capabilities ? { ...general.channel, own_capabilities } : general.channel;
  return stateOf([{ ...general, channel: channelOf } as never]);
};

async function browsing(state: State): Promise<string[]> {
  const m = await start(state);
  HANDLERS.escape(m.ports);
  await m.settle();
  return hints(m);
}

describe("writing", () => {
  test("with completions listed the hints are Tab, the arrow and Esc, and not Enter to send", async () => {
    const m = await start(workspace());
    await m.type("/th");
    expect(hints(m)).toEqual(["Tab complete", "↓ next", "Esc close", "F1 help"]);
    await m.press("esc");
    expect(hints(m)).toContain("⏎ send");
  });
});

describe("browsing", () => {
  test("only a message with a link hints at opening one", async () => {
    expect(await browsing(workspace())).toContain("r reply");
    expect(await browsing(workspace())).not.toContain("o open");
    expect(await browsing(workspace({ text: "see https://a.example/1" }))).toContain("o open");
  });

  test("a message deleted under the cursor only has its details", async () => {
    const m = await start(workspace());
    HANDLERS.escape(m.ports);
    m.core.change(() => workspace({ type: "deleted", text: "" }));
    await m.settle();
    expect(hints(m)).toEqual(["m more", "Esc write", "^F search", "? help"]);
  });

  test("a channel without messages has no message actions", async () => {
    expect(await browsing(stateOf([channel("general")]))).toEqual(["Esc write", "^F search", "? help"]);
  });

  test("what the channel does not allow is not offered, by key or in the menu", async () => {
    const rights = CAPABLE.filter((one) => one !== "send-reaction" && one !== "pin-message");
    expect(await browsing(workspace({}, rights))).not.toContain("+ react");
    expect(await browsing(workspace({}, rights))).not.toContain("p pin");
    expect(await browsing(workspace({}, [...CAPABLE]))).toContain("+ react");
    const [m] = [open.at(-2)!];
    HANDLERS.menu(m.ports);
    await m.settle();
    expect(m.text()).not.toContain("React with an emoji");
  });
});

describe("writing", () => {
  test("where posting is impossible no key sends", async () => {
    expect(hints(await start(workspace()))).toContain("⏎ send");
    const frozen = channel("general", {});
    const shut = { ...frozen, channel: { ...frozen.channel, frozen: true, own_capabilities: [] } };
    expect(hints(await start(stateOf([shut as never])))).not.toContain("⏎ send");
  });
});

describe("the sidebar", () => {
  test("while filtering letters are not hints, and without a match nothing opens", async () => {
    const m = await start(workspace());
    HANDLERS.sidebarFilter(m.ports);
    await m.type("gen");
    expect(hints(m)).toEqual(["⏎ open", "Esc close", "F1 help"]);
    await m.type("zzz");
    expect(hints(m)).toEqual(["Esc close", "F1 help"]);
  });

  test("on a view there is no group to fold and no channel menu", async () => {
    const m = await start(workspace());
    m.change((s) => withFocus(s, "sidebar"));
    await m.settle();
    expect(hints(m)).toContain("m more");
    HANDLERS.firstLine(m.ports);
    await m.settle();
    expect(hints(m)).toEqual(["⏎ open", "/ find", "Esc write", "? help"]);
  });
});

describe("panels", () => {
  const show = async (panel: Panel, state = workspace()): Promise<string[]> => {
    const m = await start(state, { maps: "braille" });
    m.change((s) => withFocus(panelPushed(s, panel), "panel"));
    await m.settle();
    return hints(m);
  };

  test("a channel without files has none to open, and a link cannot be saved", async () => {
    expect(await show(filesPane.pane.open(CID))).toEqual(["Esc close", "? help"]);
    expect(await show(filesPane.pane.open(CID), workspace({ text: "https://a.example/1" }))).toEqual([
      "⏎ open",
      "m message",
      "Esc close",
      "? help",
    ]);
  });

  test("a search without results opens nothing, and one with results does", async () => {
    const m = await start(workspace());
    openSearch(m.ports);
    await m.settle();
    expect(hints(m)).toEqual(["Esc close", "F1 help"]);
    await m.type("general");
    expect(hints(m)).toEqual(["⏎ go there", "Esc close", "F1 help"]);
    await m.type("zzz");
    expect(hints(m)).toEqual(["Esc close", "F1 help"]);
  });

  test("a map with one person has nobody to switch to, and can be reset only after it moved", async () => {
    const place = { latitude: 59.3, longitude: 18, created_by_device_id: "phone" };
    const m = await start(workspace({ shared_location: place } as object), { maps: "braille" });
    m.change((s) => withFocus(panelPushed(s, mapState(CID, "m1")), "panel"));
    await m.settle();
    expect(hints(m)).toEqual(["+ zoom in", "- zoom out", "o browser", "Esc close", "? help"]);
    panelHandler("map.left")!(m.ports);
    await m.settle();
    expect(hints(m)).toContain("c centre");
  });
});

describe("popups", () => {
  test("a list without choices has nothing to choose, unless the typed text counts", async () => {
    const m = await start(workspace());
    HANDLERS.goto(m.ports);
    await m.settle();
    expect(hints(m)).toEqual(["⏎ choose", "Esc close", "↑↓ move", "type to search"]);
    await m.type("zzzqqq");
    expect(hints(m)).toEqual(["Esc close", "type to search"]);
    HANDLERS.escape(m.ports);
    HANDLERS.jump(m.ports);
    await m.type("m77");
    expect(hints(m)).toContain("⏎ choose");
  });

  test("a sheet that is completely visible does not scroll", async () => {
    const m = await start(workspace());
    const shown = (lines: number): void =>
      m.change((s) =>
        popupPushed(s, { kind: "sheet", title: "/x", lines: Array<string>(lines).fill("line"), top: 0 }),
      );
    shown(3);
    await m.settle();
    expect(hints(m)).toEqual(["Esc close"]);
    shown(80);
    await m.settle();
    expect(hints(m)).toEqual(["↑↓ scroll", "Esc close"]);
  });

  test("only an option of a poll can be moved or removed", async () => {
    const m = await start(workspace());
    HANDLERS.newPoll(m.ports);
    await m.settle();
    expect(hints(m).join()).not.toContain("option");
    HANDLERS.formNext(m.ports);
    HANDLERS.formNext(m.ports);
    await m.settle();
    expect(hints(m)).toContain("^K remove option");
  });
});

test("Threads can be marked read only while one is unread", async () => {
  const state = stateOf([
    channel("general", { threads: new Map([["m1", thread("m1", [message("r1", "ana", "re")])]]) }),
  ]);
  const m = await start(state);
  userLists.threads.show(m.ports);
  await m.settle();
  expect(hints(m)).not.toContain("A all read");
});
