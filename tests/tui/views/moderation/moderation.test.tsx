/** Reporting, muting, blocking and banning on the screen, and messages that moderation returned to their author. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { CAPABLE, FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
const ALL = [...CAPABLE, "flag-message"];
function core(last: ClientMessage, capabilities: readonly string[] = ALL): FakeCore {
  const entry = channel("general", { messages: [message("m0", "bo", "before", { minute: -1 }), last] });
  return new FakeCore(
    stateOf([
      { ...entry, channel: { ...entry.channel, own_capabilities: capabilities } as typeof entry.channel },
    ]),
  );
}
async function browsing(last: ClientMessage, capabilities?: readonly string[]): Promise<ScreenDriver> {
  const m = new ScreenDriver(core(last, capabilities), { columns: 80, rows: 20 });
  await m.press("esc");
  return m;
}
const calls = (m: ScreenDriver): unknown[] => m.core.calls("call").map(([name, args]) => [name, args]);
const rude = (): ClientMessage => message("m1", "ana", "rude words");

test("! reports a message for a chosen or typed reason, and the report can be undone", async () => {
  const m = await browsing(rude());
  await m.press("!");
  expect(m.screen.popups).toMatchObject([{ title: "Why report it? · ana: rude words" }]);
  await m.type("hara\r");
  expect(calls(m)).toEqual([["flag", { body: { target_message_id: "m1", reason: "Harassment" } }]]);
  expect(m.told()).toEqual(["reported to the moderators · Ctrl-_ to undo"]);
  await m.press("C-_");
  expect(calls(m).at(-1)).toEqual(["unflag", { body: { target_message_id: "m1" } }]);
  await m.press("!");
  await m.type("sells shoes\r");
  expect(calls(m).at(-1)).toEqual(["flag", { body: { target_message_id: "m1", reason: "sells shoes" } }]);
});

test("/flag alone asks for a reason, also if the provider has a command of that name", async () => {
  const entry = channel("general", { messages: [rude()] });
  const config = { commands: [{ name: "flag", description: "", args: "[@username]", set: "" }] } as never;
  const theirs = { ...entry.channel, own_capabilities: ALL, config } as typeof entry.channel;
  const m = new ScreenDriver(new FakeCore(stateOf([{ ...entry, channel: theirs }])), {
    columns: 80,
    rows: 20,
  });
  await m.type("/flag\r");
  expect(m.screen.popups).toMatchObject([{ title: "Why report it? · ana: rude words" }]);
  await m.type("spam\r");
  expect(calls(m)).toEqual([["flag", { body: { target_message_id: "m1", reason: "Spam" } }]]);
});

test("my own message cannot be reported, and a channel without reports says so", async () => {
  const own = await browsing(message("m1", "me", "x"));
  await own.press("!");
  const without = await browsing(rude(), CAPABLE);
  await without.press("!");
  expect([own.told(), without.told(), calls(own), calls(without)]).toEqual([
    ["That is your own message."],
    ["This channel does not allow that (flag-message)."],
    [],
    [],
  ]);
});

test.each([
  [
    "Mute for an hour",
    ["muteUser", { body: { target_ids: ["ana"], timeout: 60 } }],
    "ana muted",
    "unmuteUser",
  ],
  ["Mute until I unmute", ["muteUser", { body: { target_ids: ["ana"] } }], "ana muted", "unmuteUser"],
  ["Block", ["blockUser", { body: { blocked_user_id: "ana" } }], "ana blocked", "unblockUser"],
])("@ and “%s” does it and can be undone", async (choice, call, notice, back) => {
  const m = await browsing(rude());
  await m.press("@");
  await m.type(`${choice}\r`);
  expect(calls(m)).toEqual([call]);
  expect(m.told()).toEqual([`${notice} · Ctrl-_ to undo`]);
  await m.press("C-_");
  expect((calls(m).at(-1) as unknown[])[0]).toBe(back);
});

const HERE = { target_user_id: "ana", type: "messaging", id: "general" };
const mute = ["muteUser", { body: { target_ids: ["ana"] } }];
const unmute = ["unmuteUser", { body: { target_ids: ["ana"] } }];
const block = ["blockUser", { body: { blocked_user_id: "ana" } }];
const unblock = ["unblockUser", { body: { blocked_user_id: "ana" } }];
const ban = ["ban", { body: HERE }];
const unban = ["unban", { query: HERE }];

test.each([
  ["Mute until I unmute", mute, unmute, {}],
  ["Unmute", unmute, mute, { muted: true }],
  ["Block: their direct messages are hidden", block, unblock, {}],
  ["Unblock", unblock, block, { blocked: true }],
  ["Ban from #general permanently", ban, unban, {}],
  ["Unban from #general", unban, ban, { banned: true }],
])(
  "“%s” is for that person, a ban for that channel alone, and undo is its opposite",
  async (label, call, back, is) => {
    const { muted = false, blocked = false, banned = false } = is as Record<string, boolean>;
    const m = await browsing(rude(), [...ALL, "ban-channel-members"]);
    m.core.change((state) => ({
      ...state,
      me: {
        ...state.me!,
        mutes: muted ? [{ user: user("me"), target: user("ana"), created_at: "", updated_at: "" }] : [],
        blocked_user_ids: blocked ? ["ana"] : [],
      },
    }));
    const member = { user_id: "ana", user: user("ana"), banned } as never;
    m.core.changeChannel("messaging:general", (entry) => ({ ...entry, members: new Map([["ana", member]]) }));
    await m.settle();
    await m.press("@");
    const choice = choicesOf(topPopup(m.screen), m.model).find((one) => one.label === label);
    choice!.choose!();
    await m.settle();
    await m.press("esc", "C-_");
    expect(calls(m)).toEqual([call, back]);
  },
);

test.each(["ban\r", "bck\r", "lk\r"])(
  "stray letters such as %j choose neither block nor ban",
  async (typed) => {
    const m = await browsing(rude());
    await m.press("@");
    await m.type(typed);
    expect(calls(m)).toEqual([]);
  },
);

test("banning is offered only to those who may, also for a time", async () => {
  const plain = await browsing(rude());
  await plain.press("@");
  await plain.type("ban from\r");
  expect(calls(plain)).toEqual([]);
  const m = await browsing(rude(), [...ALL, "ban-channel-members"]);
  await m.press("@");
  await m.type("Ban from #general for a day\r");
  expect(calls(m)).toEqual([
    ["ban", { body: { target_user_id: "ana", type: "messaging", id: "general", timeout: 1440 } }],
  ]);
  expect(m.told()).toEqual(["ana banned · Ctrl-_ to undo"]);
});

test("removing a member is offered only to those who may, and can be undone", async () => {
  const plain = await browsing(rude());
  await plain.press("@");
  await plain.type("kick\r");
  expect(calls(plain)).toEqual([]);
  const m = await browsing(rude(), [...ALL, "update-channel-members"]);
  await m.press("@");
  await m.type("kick\r");
  await m.press("C-_");
  const path = { type: "messaging", id: "general" };
  expect(calls(m)).toEqual([
    ["updateChannel", { path, body: { remove_members: ["ana"] } }],
    ["updateChannel", { path, body: { add_members: ["ana"] } }],
  ]);
  expect(m.told()[0]).toBe("ana removed · Ctrl-_ to undo");
});

test.each([
  [2, "all members are held", false],
  [3, "one member is not held", true],
])(
  "of %i members, where %s, an author who is not among them can be removed: %s",
  async (memberCount, _, offered) => {
    const m = await browsing(message("m1", "guest", "passing by"), [...ALL, "update-channel-members"]);
    m.core.changeChannel("messaging:general", (entry) => ({
      ...entry,
      members: new Map(["me", "bo"].map((id) => [id, { user_id: id, user: { id } } as never])),
      memberCount,
    }));
    await m.settle();
    await m.press("@");
    const popup = m.screen.popups[0] as unknown as { choices: { label: string }[] };
    expect(popup.choices.some(({ label }) => label.startsWith("Remove from"))).toBe(offered);
  },
);

test("a person can be written to or reported from the same menu, which does not open for myself", async () => {
  const m = await browsing(rude());
  await m.press("@");
  await m.type("report\r");
  await m.type("spam\r");
  expect(calls(m)).toEqual([["flag", { body: { target_user_id: "ana", reason: "Spam" } }]]);
  const own = await browsing(message("m1", "me", "x"));
  await own.press("@");
  expect([own.screen.popups, own.told()]).toEqual([[], ["That's you."]]);
});

test("for a muted or blocked person the menu offers to undo that", async () => {
  const m = await browsing(rude());
  m.core.change((state) => ({
    ...state,
    me: { ...state.me!, blocked_user_ids: ["ana"], mutes: [{ target: { id: "ana" } } as never] },
  }));
  await m.settle();
  await m.press("@");
  const popup = m.screen.popups[0] as unknown as { choices: { label: string }[] };
  expect(popup.choices.map(({ label }) => label)).toEqual([
    "Send a direct message",
    "Unmute",
    "Unblock",
    "Report to the moderators",
  ]);
});

test("the blocked people are listed, and choosing one unblocks", async () => {
  const m = await browsing(rude());
  m.core.answers.set("getBlockedUsers", () => ({
    blocks: [{ blocked_user_id: "ana", blocked_user: { id: "ana", name: "Ana" } }],
  }));
  await m.press("C-p");
  await m.type("people i blocked\r");
  expect(m.screen.popups).toMatchObject([{ title: "Blocked people", choices: [{ label: "Ana" }] }]);
  await m.press("enter");
  expect(calls(m).at(-1)).toEqual(["unblockUser", { body: { blocked_user_id: "ana" } }]);
});

const bounced = (): ClientMessage =>
  message("m1", "me", "something rude", {
    status: "failed",
    error: { message: "The text holds a word that is not allowed here", code: 73 },
  });

test("a message returned by moderation is edited in the box and removed", async () => {
  const m = await browsing(bounced());
  await m.press("e");
  expect([m.text(), m.core.calls("drop"), m.screen.focus]).toEqual(["something rude", [["m1"]], "composer"]);
});

test("r sends it anyway, and x deletes it", async () => {
  const m = await browsing(bounced());
  await m.press("r");
  expect(m.core.calls("retry")).toEqual([["m1"]]);
  await m.press("x", "y");
  expect(m.core.calls("drop")).toEqual([["m1"]]);
});

test("a box with text keeps it instead of the edit", async () => {
  const m = await browsing(bounced());
  await m.press("i");
  await m.type("other words");
  await m.press("esc", "e");
  expect([m.text(), m.core.calls("drop"), m.told()]).toEqual([
    "other words",
    [],
    ["Send or clear the text in the box first."],
  ]);
});

test("its buttons work with the mouse", async () => {
  const m = await mount(core(bounced()), { columns: 80, rows: 20 });
  open.push(m);
  const y = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("[r send anyway]"));
  await m.click(m.line(y).indexOf("[r send") + 3, y);
  expect(m.core.calls("retry")).toEqual([["m1"]]);
  await m.click(m.line(y).indexOf("[e edit]") + 2, y);
  expect(m.ports.boxes.at().editor.text).toBe("something rude");
});

test.each([
  ["120 × 16", { columns: 120, rows: 16 }],
  ["80 × 24", { columns: 80, rows: 24 }],
  ["50 × 20", { columns: 50, rows: 20 }],
  ["without colours", { columns: 80, rows: 16, theme: makeTheme(0, "dark", { styled: true }) }],
] as const)("golden: %s", async (_, options: MountOptions) => {
  const m = await mount(core(bounced()), options);
  open.push(m);
  await m.press("esc");
  expect(m.text().replace(/[ ]+$/gm, "")).toMatchSnapshot();
});
