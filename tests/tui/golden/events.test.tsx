/** How events change the open screen: bans, freezes, invites, reminders, live locations, link previews with buttons, threads with new replies. */
import { afterEach, describe, expect, test } from "vitest";
import type { ChannelEntry, ClientMessage } from "../../../src/model/state.ts";
import type { Member } from "../../../src/wire/entities/channel.ts";
import {
  EPOCH,
  FakeCore,
  ListTimeline,
  channel,
  message,
  messageSet,
  stateOf,
} from "../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../support/mount.tsx";
import { redrawOnTick } from "../../../src/tui/effects/clock.ts";
import { showError } from "../../../src/tui/screen/notices.ts";

const GENERAL = "messaging:general";
const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
async function show(core: FakeCore, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, { columns: 80, rows: 20, ...options });
  open.push(m);
  return m;
}
/** Converts milliseconds since the screen's start to an ISO time. */
const later = (ms: number): string => new Date(EPOCH + 86_400_000 + ms).toISOString();
const MINUTE = 60_000;

const member = (more: Partial<Member> = {}): Member => ({
  user_id: "me",
  channel_role: "channel_member",
  created_at: "",
  updated_at: "",
  ...more,
});
const workspace = (...messages: ClientMessage[]): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", { messages: [message("m1", "ana", "hello"), ...messages], membership: member() }),
      channel("ops"),
    ]),
  );
const change = async (m: Mounted, how: (entry: ChannelEntry) => ChannelEntry): Promise<void> => {
  m.core.changeChannel(GENERAL, how);
  await m.settle();
};
const updateMessage = (m: Mounted, next: ClientMessage): Promise<void> =>
  change(m, (entry) => {
    const list = [...entry.sets[0]!.messages].map((held) => (held.id === next.id ? next : held));
    return { ...entry, sets: [messageSet(new ListTimeline(list).list)] };
  });
const box = (m: Mounted): string[] =>
  m
    .text()
    .split("\n")
    .slice(-4)
    .map((l) => l.trimEnd());
const lineWith = (m: Mounted, words: string): string =>
  m
    .text()
    .split("\n")
    .find((l) => l.includes(words))
    ?.trim() ?? `no line with ${words}`;

describe("what prevents posting is shown above the box", () => {
  test("a ban is shown at once with its end; the typed text stays and nothing is sent", async () => {
    const m = await show(workspace());
    await m.type("so what");
    await change(m, (entry) => ({
      ...entry,
      membership: member({ banned: true, ban_expires: later(90 * MINUTE) }),
    }));
    expect(box(m)).toMatchInlineSnapshot(`
      [
        "────────────────────┴───────────────────────────────────────────────────────────",
        " You are banned in this channel until 10:30",
        " › so what                                                          draft saved",
        " WRITE  Esc browse  ^K go  Alt-A unread  ^F search  F1 help",
      ]
    `);
    await m.press("enter");
    expect(m.core.calls("send")).toEqual([]);
    expect(m.text()).toContain("› so what");
    expect(m.core.calls("notify")).toMatchObject([
      [{ level: "warning", text: "You are banned in this channel until 10:30" }],
    ]);
    await change(m, (entry) => ({ ...entry, membership: member({ banned: false, ban_expires: null }) }));
    expect(box(m).join()).not.toContain("banned");
    await m.press("enter");
    expect(m.core.calls("send")).toHaveLength(1);
  });
  test("Parley's commands still run, and edits are still saved", async () => {
    const mine = message("m2", "me", "tset", { minute: 1 });
    const m = await show(workspace(mine));
    await change(m, (entry) => ({ ...entry, membership: member({ banned: true }) }));
    expect(m.text()).toContain("You are banned in this channel");
    await m.press("up");
    expect(m.text()).toContain("editing · tset");
    await m.type(" tube");
    await m.press("enter");
    expect(m.core.calls("edit").map(([about, set]) => [(about as ClientMessage).id, set])).toMatchObject([
      ["m2", { text: "tset tube" }],
    ]);
    await m.type("/help");
    await m.press("enter");
    expect(m.core.calls("send")).toEqual([]);
    expect(m.text()).toContain("Keys");
  });
  test("frozen, disabled, globally banned and unavailable have their own texts, in a small window too", async () => {
    const m = await show(workspace());
    const entry = m.core.state().channels.get(GENERAL)!;
    const says = async (more: Partial<ChannelEntry>): Promise<string> => {
      await change(m, () => ({ ...entry, ...more }));
      return box(m)[1]!.replace(/[│]/g, "").trim();
    };
    expect(await says({ channel: { ...entry.channel, frozen: true, own_capabilities: [] } })).toBe(
      "This channel is frozen: nothing new can be posted",
    );
    // A user who may still write in a frozen channel sees no hint.
    expect(await says({ channel: { ...entry.channel, frozen: true } })).not.toContain("frozen:");
    expect(await says({ channel: { ...entry.channel, disabled: true } })).toBe("This channel is disabled");
    expect(await says({ unavailable: true })).toBe("This channel is gone or you can no longer read it");
    m.core.change((state) => ({ ...state, me: { ...state.me!, banned: true } }));
    expect(await says({})).toBe("You are banned");
    await m.resize(44, 11);
    expect(m.text()).toContain("You are banned");
  });
});

test("an invite is in its own group and says how to answer; a rejected one disappears", async () => {
  const core = workspace();
  const m = await show(core);
  const invited = (status: Member["status"]): void =>
    core.changeChannel(GENERAL, (entry) => ({
      ...entry,
      membership: member({ invited: true, ...(status && { status }) }),
    }));
  invited("pending");
  await m.settle();
  expect(m.text()).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching · invited                    ● online   work 
     Inbox              │
     Threads            │
     Later              │
     Drafts             │
                        │
     ▾ Invites          │
    ▌  #general         │
                        │
     ▾ Channels         │
       #ops             │ the beginning of this channel
                        │
                        │ ── Tue 17 Nov ───────────────────────────────────────────
                        │ ana  09:00
                        │   hello
                        │                                                           
    ────────────────────┴───────────────────────────────────────────────────────────
     You are invited: /accept or /reject
     › message #general                                                             
     WRITE  ⏎ send  Esc browse  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
  `);
  invited("accepted");
  await m.settle();
  expect(m.text()).not.toContain("nvite");
  invited("rejected");
  await m.settle();
  expect(lineWith(m, "#ops")).toContain("#ops");
  expect(
    m
      .text()
      .split("\n")
      .filter((l) => l.startsWith("   #general") || l.startsWith("▌  #general")),
  ).toEqual([]);
});

test("unread threads are counted in the sidebar, and its line opens them (R-READ-8)", async () => {
  const core = workspace();
  const m = await show(core);
  expect(lineWith(m, "Threads")).toMatch(/^Threads +│/);
  core.change((state) => ({ ...state, totals: { ...state.totals, threads: 3 } }));
  await m.settle();
  expect(lineWith(m, "Threads")).toMatch(/^Threads +3/);
  await m.click(2, 2);
  expect(core.calls("call").map(([name]) => name)).toEqual(["queryThreads"]);
});

describe("reminders", () => {
  const reminder = (remindAt: string | null) => ({
    channel_cid: GENERAL,
    message_id: "m1",
    user_id: "me",
    remind_at: remindAt,
    created_at: "",
    updated_at: "",
  });
  test("a reminder counts down, and is due at once when the provider says so (R-REM-2)", async () => {
    const m = await show(workspace());
    const held = message("m1", "ana", "hello", { reminder: reminder(later(12 * MINUTE)) });
    await updateMessage(m, held);
    expect(lineWith(m, "hello")).toContain("hello (reminder in 12 min)");
    m.pace.tick(7 * MINUTE);
    m.ports.store.scheduleUpdate();
    await m.settle();
    m.pace.tick(100);
    await m.settle();
    expect(lineWith(m, "hello")).toContain("hello (reminder in 5 min)");
    await updateMessage(m, { ...held, reminderDue: true });
    expect(lineWith(m, "hello")).toContain("hello (reminder due)");
    await updateMessage(m, message("m1", "ana", "hello", { reminder: reminder(null) }));
    expect(lineWith(m, "hello")).toContain("hello (bookmarked)");
  });
  test("the notice of a due reminder shows the first words of the message", async () => {
    const m = await show(workspace());
    m.core.change((state) => ({
      ...state,
      notices: [
        { id: "n", level: "info", text: "A reminder is due", reason: "water the plants", until: 9e15 },
      ],
    }));
    await m.settle();
    expect(lineWith(m, "reminder")).toContain("· A reminder is due: water the plants");
  });
});

test("a live location moves, counts down and ends in its row (R-LOC-3)", async () => {
  const at = (latitude: number) =>
    message("m2", "bo", "", {
      minute: 1,
      shared_location: { latitude, longitude: 8.5417, end_at: later(12 * MINUTE) },
    });
  const m = await show(workspace(at(47.3769)));
  expect(lineWith(m, "location")).toMatch(/live location · 12 min left · 47.37690°N 8.54170°E/);
  await updateMessage(m, at(47.5));
  expect(lineWith(m, "location")).toMatch(/live location · 12 min left · 47.50000°N 8.54170°E/);
  m.ports.store.scheduleUpdate();
  m.pace.tick(5 * MINUTE);
  await m.settle();
  expect(lineWith(m, "location")).toMatch(/· 7 min left/);
  m.ports.store.scheduleUpdate();
  m.pace.tick(8 * MINUTE);
  await m.settle();
  expect(lineWith(m, "location")).toMatch(/live location ended · 47.50000°N 8.54170°E/);
});

describe("answers of provider commands", () => {
  const preview = message("m2", "me", "/giphy tea", {
    minute: 1,
    type: "ephemeral",
    command: "giphy",
    attachments: [
      {
        type: "giphy",
        title: "tea",
        thumb_url: "http://127.0.0.1/gif/tea-1.gif",
        actions: ["Send", "Shuffle", "Cancel"].map((text) => ({
          name: "image_action",
          text,
          type: "button",
          value: text.toLowerCase(),
        })),
      },
    ],
  });
  test("a preview shows its buttons, and digits press them", async () => {
    const m = await show(workspace(preview));
    await m.press("esc");
    expect(m.text()).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                              ● online   work 
       Inbox              │
       Threads            │
       Later              │
       Drafts             │
                          │
       ▾ Channels         │ the beginning of this channel
      ▌  #general         │
         #ops             │ ── Tue 17 Nov ───────────────────────────────────────────
                          │ ana  09:00
                          │   hello
                          │▌me  09:01
                          │▌  /giphy tea
                          │▌  only you see this
                          │▌  tea   GIF
                          │▌  [1 Send] [2 Shuffle] [3 Cancel]
                          │                                                           
      ────────────────────┴───────────────────────────────────────────────────────────
       › message #general                                                             
       BROWSE  1 Send  2 Shuffle  3 Cancel  Esc write  ? help"
    `);
    await m.press("2", "1", "3", "4");
    expect(m.core.calls("act").map(([about, button]) => [(about as ClientMessage).id, button])).toMatchObject(
      [
        ["m2", { name: "image_action", value: "shuffle" }],
        ["m2", { name: "image_action", value: "send" }],
        ["m2", { name: "image_action", value: "cancel" }],
      ],
    );
    expect(m.core.calls("notify")).toMatchObject([[{ text: "The message has no button 4." }]]);
    expect(m.core.calls("call")).toEqual([]);
  });
  test("an error message is marked, and says that only its author sees it", async () => {
    const m = await show(workspace(message("m2", "me", 'User "bo" not found', { minute: 1, type: "error" })));
    expect(lineWith(m, "not found")).toContain('✗ User "bo" not found');
    expect(m.text()).toContain("only you see this");
  });
});

test("pinned channels come first, archived ones are folded and not in the list (R-PIN-1, R-PIN-2, R-PIN-3)", async () => {
  const core = new FakeCore(stateOf(["general", "ops", "attic", "design"].map((id) => channel(id))));
  const m = await show(core);
  const names = (): string[] =>
    m
      .text()
      .split("\n")
      .map((l) => /^(.{19}).│/.exec(l)?.[1]?.replace("▌", " ").trim() ?? "")
      .filter((l) => /[#▾▸]/.test(l));
  expect(names()).toEqual(["▾ Channels", "#attic", "#design", "#general", "#ops"]);
  const own = (id: string, more: Partial<Member>): void =>
    core.changeChannel(`messaging:${id}`, (entry) => ({ ...entry, membership: member(more) }));
  own("ops", { pinned_at: later(0) });
  own("general", { pinned_at: later(MINUTE) });
  own("attic", { archived_at: later(0) });
  await m.settle();
  expect(names()).toEqual(["▾ Pinned", "#general", "#ops", "▾ Channels", "#design", "▸ Archived"]);
  own("general", { pinned_at: null });
  await m.settle();
  expect(names()).toEqual(["▾ Pinned", "#ops", "▾ Channels", "#design", "#general", "▸ Archived"]);
});

test("a countdown changes exactly when its text does, and only then is anything drawn", async () => {
  // The countdown changes forty seconds after each full minute.
  const shared_location = { latitude: 1, longitude: 2, end_at: later(5 * MINUTE + 40_000) };
  const m = await show(workspace(message("m2", "bo", "", { minute: 1, shared_location })));
  redrawOnTick(m.ports, m.pace.now() + 40_000);
  m.pace.tick(40_000);
  await m.settle();
  const seen: string[] = [];
  let drawn = 0;
  const stop = m.ports.store.subscribe(() => drawn++);
  for (let second = 0; second <= 301; second++) {
    redrawOnTick(m.ports, m.pace.now());
    m.pace.tick(1000);
    await m.settle();
    const [left] = /\d min left|under a|ended/.exec(lineWith(m, "location")) ?? [];
    if (left !== undefined && left !== seen.at(-1)) seen.push(left);
  }
  stop();
  expect(seen).toEqual(["5 min left", "4 min left", "3 min left", "2 min left", "under a", "ended"]);
  // Six changes of the row, plus the wall clock's minutes.
  expect(drawn).toBeLessThan(16);
});

test("an error already shown in a notice is not shown again", async () => {
  const m = await show(workspace());
  showError(m.ports, Object.assign(new Error("Upload failed: too big"), { noticed: true }));
  expect(m.core.calls("notify")).toEqual([]);
  showError(m.ports, new Error("another"));
  expect(m.core.calls("notify")).toMatchObject([[{ text: "another" }]]);
});
