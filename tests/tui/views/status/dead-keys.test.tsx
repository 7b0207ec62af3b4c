/** The last line names no key that would do nothing or be refused in the current context. */
import { afterEach, describe, expect, test } from "vitest";
import type { State } from "../../../../src/model/state.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
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

const hints = (m: Mounted): string[] =>
  m
    .line(29)
    .replace(/^└ |[─┘ ]+$/g, "")
    .split(" · ")
    .slice(1);

const room = (last: Parameters<typeof message>[3] = {}, own_capabilities?: readonly string[]): State => {
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
  test("while completions are listed, Tab, the arrow and Esc do what is hinted, and Enter is not said to send", async () => {
    const m = await start(room());
    await m.type("/th");
    expect(hints(m)).toEqual(["Tab complete", "↓ next", "Esc close", "F1 help"]);
    await m.press("esc");
    expect(hints(m)).toContain("⏎ send");
  });
});

describe("browsing", () => {
  test("a message without a link has nothing to open; one with an address has", async () => {
    expect(await browsing(room())).toContain("r reply");
    expect(await browsing(room())).not.toContain("o open");
    expect(await browsing(room({ text: "see https://a.example/1" }))).toContain("o open");
  });

  test("of a deleted message only what is known of it is left", async () => {
    expect(await browsing(room({ type: "deleted", text: "" }))).toEqual([
      "m more",
      "Esc write",
      "^F search",
      "? help",
    ]);
  });

  test("a channel without messages has none to answer", async () => {
    expect(await browsing(stateOf([channel("general")]))).toEqual(["Esc write", "^F search", "? help"]);
  });

  test("what the channel does not allow is not offered, by a key or in the menu", async () => {
    const rights = CAPABLE.filter((one) => one !== "send-reaction" && one !== "pin-message");
    expect(await browsing(room({}, rights))).not.toContain("+ react");
    expect(await browsing(room({}, rights))).not.toContain("p pin");
    expect(await browsing(room({}, [...CAPABLE]))).toContain("+ react");
    const [m] = [open.at(-2)!];
    HANDLERS.menu(m.ports);
    await m.settle();
    expect(m.text()).not.toContain("React with an emoji");
  });
});

describe("writing", () => {
  test("where nothing can be posted no key sends", async () => {
    expect(hints(await start(room()))).toContain("⏎ send");
    const frozen = channel("general", {});
    const shut = { ...frozen, channel: { ...frozen.channel, frozen: true, own_capabilities: [] } };
    expect(hints(await start(stateOf([shut as never])))).not.toContain("⏎ send");
  });
});

describe("the sidebar", () => {
  test("letters that are typed to find a channel are no keys, and where none is found nothing opens", async () => {
    const m = await start(room());
    HANDLERS.sidebarFilter(m.ports);
    await m.type("gen");
    expect(hints(m)).toEqual(["⏎ open", "Esc close", "F1 help"]);
    await m.type("zzz");
    expect(hints(m)).toEqual(["Esc close", "F1 help"]);
  });

  test("on a view there is no group to fold and no channel to do something with", async () => {
    const m = await start(room());
    m.change((s) => withFocus(s, "sidebar"));
    await m.settle();
    expect(hints(m)).toContain("m more");
    HANDLERS.sidebarFirst(m.ports);
    await m.settle();
    expect(hints(m)).toEqual(["⏎ open", "/ find", "Esc write", "? help"]);
  });
});

describe("panels", () => {
  const show = async (panel: Panel, state = room()): Promise<string[]> => {
    const m = await start(state, { maps: "braille" });
    m.change((s) => withFocus(panelPushed(s, panel), "panel"));
    await m.settle();
    return hints(m);
  };
  const files = { kind: "files", cid: CID, found: [], loading: false, selected: 0 } as const;

  test("a channel without files has none to open, and a link is not saved", async () => {
    expect(await show(files)).toEqual(["Esc close", "? help"]);
    expect(await show(files, room({ text: "https://a.example/1" }))).toEqual([
      "⏎ open",
      "m message",
      "Esc close",
      "? help",
    ]);
  });

  test("a search that found nothing leads nowhere, and one that found something does", async () => {
    const m = await start(room());
    HANDLERS.search(m.ports);
    await m.settle();
    expect(hints(m)).toEqual(["Esc close", "F1 help"]);
    await m.type("general");
    expect(hints(m)).toEqual(["⏎ go there", "Esc close", "F1 help"]);
    await m.type("zzz");
    expect(hints(m)).toEqual(["Esc close", "F1 help"]);
  });

  test("a map with one person has nobody to go on to, and is where it began until it is moved", async () => {
    const place = { latitude: 59.3, longitude: 18, created_by_device_id: "phone" };
    const m = await start(room({ shared_location: place } as object), { maps: "braille" });
    m.change((s) => withFocus(panelPushed(s, { kind: "map", cid: CID, id: "m1", openedFor: "m1" }), "panel"));
    await m.settle();
    expect(hints(m)).toEqual(["+ zoom in", "- zoom out", "o browser", "Esc close", "? help"]);
    HANDLERS.mapLeft(m.ports);
    await m.settle();
    expect(hints(m)).toContain("c centre");
  });
});

describe("popups", () => {
  test("a list that offers nothing has nothing to choose, but for what counts as it is typed", async () => {
    const m = await start(room());
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

  test("a sheet that is seen whole does not scroll", async () => {
    const m = await start(room());
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

  test("only an option of a poll is moved or removed", async () => {
    const m = await start(room());
    HANDLERS.newPoll(m.ports);
    await m.settle();
    expect(hints(m).join()).not.toContain("option");
    HANDLERS.formNext(m.ports);
    HANDLERS.formNext(m.ports);
    await m.settle();
    expect(hints(m)).toContain("^K remove option");
  });
});

test("the own threads are marked read only while one is not", async () => {
  const state = stateOf([
    channel("general", { threads: new Map([["m1", thread("m1", [message("r1", "ana", "re")])]]) }),
  ]);
  const m = await start(state);
  HANDLERS.threads(m.ports);
  await m.settle();
  expect(hints(m)).not.toContain("A all read");
});
