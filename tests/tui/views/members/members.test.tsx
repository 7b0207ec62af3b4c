/** The members of a channel in the right panel: who is listed, paging in a big channel, and what can be done with a member. */
import { afterEach, describe, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import type { ListState } from "../../../../src/tui/components/list-pane.tsx";
import { threadPanel, topPanelOf } from "../../../../src/tui/screen/screen.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import type { Member } from "../../../../src/wire/entities/channel.ts";
import { FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const name = (n: number): string => `p${String(n).padStart(3, "0")}`;
const member = (id: string, more: Partial<Member> & { online?: boolean } = {}): Member => {
  const { online = false, ...rest } = more;
  return { user_id: id, user: user(id, { online }), channel_role: "channel_member", ...rest } as Member;
};

/** A channel with `people` members, the first `held` of which are loaded; it returns pages of a hundred. */
class BigChannelCore extends FakeCore {
  readonly after: string[] = [];
  refuses = false;
  readonly people: number;
  constructor(people: number, held = 5) {
    const members = new Map(Array.from({ length: held }, (_, n) => [name(n), member(name(n))]));
    super(
      stateOf([
        channel("general", { messages: [message("m1", "ana", "hello")], members, memberCount: people }),
      ]),
    );
    this.people = people;
  }
  override async call(what: string, args?: unknown): Promise<never> {
    await super.call(what, args);
    if (what !== "queryMembers") return {} as never;
    if (this.refuses) throw new Error("not now");
    const { user_id_gt: last = "", limit } = (args as { query: { user_id_gt?: string; limit: number } })
      .query;
    this.after.push(last);
    const all = Array.from({ length: this.people }, (_, n) => name(n)).filter((id) => id > last);
    return { members: all.slice(0, limit).map((id) => member(id)) } as never;
  }
}

async function screen(core: FakeCore, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, { theme: makeTheme(0), ...options });
  open.push(m);
  return m;
}

const selected = (m: Mounted): string | undefined =>
  topPanelOf<ListState>(m.ports.store.screen, "members")?.cursor?.key;

describe("the list", () => {
  test("online members come first, each group by name, with the roles of those who have one", async () => {
    const members = new Map(
      [
        member("zoe", { online: true }),
        member("cy"),
        member("bo", { channel_role: "channel_moderator" }),
        member("ana", { online: true }),
      ].map((one) => [one.user_id, one]),
    );
    const m = await screen(new FakeCore(stateOf([channel("general", { members, memberCount: 4 })])));
    await m.type("/who\r");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   4 members · 2 watching                                                                      ● online   work
       Inbox                  │                                                   │ Members · #general          1 of 4  Esc ×
       Threads                │                                                   │▌● ana
       Later                  │                                                   │ ● zoe
       Drafts                 │                                                   │ ○ bo  channel_moderator
                              │                                                   │ ○ cy
       ▾ Channels             │                                                   │
      ▌  #general             │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │ No messages yet. Say something.                   │
                              │                                                   │
                              │                                                   │
      ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
       › message #general
       MEMBERS  ⏎ person  ↓ down  Esc close  ? help"
    `);
  });

  test("the rest of a big channel is counted, and loaded page by page while moving down", async () => {
    const core = new BigChannelCore(250);
    const m = await screen(core);
    await m.type("/who\r");
    await m.settle();
    expect(core.after).toEqual([""]);
    expect(m.text()).toContain("… 150 more members");
    await m.press("end");
    await m.settle();
    expect([core.after, selected(m)]).toEqual([["", name(99)], name(99)]);
    await m.press("end");
    await m.settle();
    await m.press("end");
    await m.settle();
    expect([core.after, selected(m)]).toEqual([["", name(99), name(199)], name(249)]);
    expect(m.text()).not.toContain("more member");
  });

  test("rows added above the cursor do not move it to another member", async () => {
    const core = new BigChannelCore(3, 0);
    core.changeChannel("messaging:general", (entry) => ({
      ...entry,
      members: new Map([["p001", member("p001")]]),
    }));
    const m = await screen(core);
    await m.type("/who\r");
    await m.press("down");
    await m.settle();
    expect(selected(m)).toBe("p001");
    expect(m.text()).toContain("▌○ p001");
    expect(m.text()).toContain(" ○ p000");
  });

  test("a page that fails is reported, and loaded again when moving on", async () => {
    const core = new BigChannelCore(250);
    const m = await screen(core);
    await m.type("/who\r");
    await m.settle();
    core.refuses = true;
    await m.press("end");
    await m.settle();
    expect(m.text()).toContain("not now");
    core.refuses = false;
    await m.press("end");
    await m.settle();
    expect(core.after).toEqual(["", name(99)]);
  });

  test("a page that arrives while a thread covers the list is there afterwards", async () => {
    const core = new BigChannelCore(250);
    const gate = Promise.withResolvers<void>();
    const { call } = core;
    core.call = async (what: string, args?: unknown) => {
      if (what === "queryMembers") await gate.promise;
      return call.call(core, what, args);
    };
    const m = await screen(core);
    await m.type("/who\r");
    const over = threadPanel({ cid: "messaging:general", parentId: "m1" });
    m.change((s) => ({ ...s, panels: [...s.panels, over] }));
    gate.resolve();
    await m.settle();
    m.change((s) => ({ ...s, panels: s.panels.slice(0, -1) }));
    await m.settle();
    expect(m.text()).toContain("… 150 more members");
    expect(m.text()).not.toContain("loading");
    expect(topPanelOf(m.ports.store.screen, "members")).toMatchObject({ loading: false, next: name(99) });
  });

  test("Enter offers what can be done with the selected person", async () => {
    const m = await screen(new BigChannelCore(5));
    await m.type("/who\r");
    await m.press("down");
    await m.press("enter");
    expect(topPopup(m.ports.store.screen)).toMatchObject({ kind: "picker", title: name(1) });
  });

  test("a click selects a person, and a second click offers what can be done", async () => {
    const m = await screen(new BigChannelCore(5));
    await m.type("/who\r");
    const y = m
      .text()
      .split("\n")
      .findIndex((row) => row.includes(` ○ ${name(3)}`));
    await m.click(100, y);
    expect(selected(m)).toBe(name(3));
    expect(topPopup(m.ports.store.screen)).toBeUndefined();
    await m.click(100, y);
    expect(topPopup(m.ports.store.screen)).toMatchObject({ title: name(3) });
  });

  test("the action that opens the list also closes it", async () => {
    const m = await screen(new BigChannelCore(5));
    await m.press("C-p");
    await m.type("members of\r");
    expect(topPanelOf(m.ports.store.screen, "members")).toBeDefined();
    await m.press("C-p");
    await m.type("members of\r");
    expect(topPanelOf(m.ports.store.screen, "members")).toBeUndefined();
  });
});
