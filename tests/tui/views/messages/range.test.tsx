/** Selecting several messages, what the keys do with them, and forwarding to other channels and people. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import type { OutgoingMessage } from "../../../../src/core/core.ts";
import { CAPABLE, FakeCore, channel, message, messageSet, stateOf } from "../../../support/fake-core.ts";
import { words } from "../../../../src/text/words.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
const conversation = (): ClientMessage[] => [
  message("m1", "ana", "deploy at ten?"),
  message("m2", "me", "after the freeze", { minute: 12 }),
  message("m3", "me", "see https://ci.example/881", {
    minute: 20,
    attachments: [
      { type: "image", title: "plan.png", image_url: "https://files.example/plan.png" },
      { title: "Build", title_link: "https://ci.example/881", og_scrape_url: "https://ci.example/881" },
    ],
  }),
  message("m4", "bo", "ok", { minute: 30 }),
];
const workspace = (capabilities = CAPABLE): FakeCore => {
  const general = channel("general", { messages: conversation() });
  return new FakeCore(
    stateOf([
      {
        ...general,
        channel: { ...general.channel, own_capabilities: capabilities } as typeof general.channel,
      },
      channel("ops"),
    ]),
  );
};
const screenOf = (core = workspace()): ScreenDriver => new ScreenDriver(core, { columns: 80, rows: 20 });
/** A screen with the range from m2 to m4 and the cursor on m4. */
async function screenWithSelection(core = workspace()): Promise<ScreenDriver> {
  const m = screenOf(core);
  await m.press("esc", "V", "k", "k");
  return m;
}

test("V begins at the cursor, j and k extend and shrink the selection, and the hints count", async () => {
  const m = await mount(workspace(), { columns: 120, rows: 18 });
  open.push(m);
  await m.press("esc", "V");
  expect(m.text()).toContain("1 selected  y copy  s later  F forward  d delete  U unread  Esc");
  await m.press("k", "k");
  expect(m.text()).toContain("3 selected");
  await m.press("j");
  expect(m.text()).toContain("2 selected");
  await m.press("esc");
  expect(m.text()).not.toContain("selected");
  expect(m.screen.focus).toBe("messages");
});

test.each([
  ["120 × 16", { columns: 120, rows: 16 }],
  ["50 × 20", { columns: 50, rows: 20 }],
  ["without colours", { columns: 80, rows: 16, theme: makeTheme(0, "dark", { styled: true }) }],
] as const)("golden: %s", async (_, options: MountOptions) => {
  const m = await mount(workspace(), options);
  open.push(m);
  await m.press("esc", "V", "k");
  expect(m.text().replace(/[ ]+$/gm, "")).toMatchSnapshot();
});

test("y copies all selected messages with time and name, oldest first, and ends the selection", async () => {
  const m = await screenWithSelection();
  await m.press("y");
  expect(m.copied).toEqual([
    "2026-11-17 09:12 me: after the freeze\n2026-11-17 09:20 me: see https://ci.example/881\n2026-11-17 09:30 bo: ok",
  ]);
  expect(m.screen.range).toBeUndefined();
});

test("y leaves out deleted messages", async () => {
  const core = workspace();
  core.changeChannel("messaging:general", (entry) => {
    const [first, second, third, last] = conversation();
    const deleted = { ...third!, type: "deleted" as const, text: "" };
    return { ...entry, sets: [messageSet([first!, second!, deleted, last!])] };
  });
  const m = screenOf(core);
  await m.press("esc", "V", "k");
  await m.press("y");
  expect(m.copied).toEqual(["2026-11-17 09:12 me: after the freeze\n2026-11-17 09:30 bo: ok"]);
});

test("d deletes those that are mine at once, says how many are not, and one key undoes all", async () => {
  const m = await screenWithSelection();
  for (const id of ["m2", "m3"]) m.core.waitingDeletes.add(id);
  await m.press("d");
  expect(m.asked("remove").map(([, id]) => id)).toEqual(["m2", "m3"]);
  expect(m.told()).toEqual(["2 messages deleted, 1 not yours · Ctrl-_ to undo"]);
  await m.press("C-_");
  expect(m.core.calls("keepMessage")).toEqual([["m2"], ["m3"]]);
  expect(m.told().at(-1)).toBe("undone: delete");
});

test("undoing a delete says how many it was too late for", async () => {
  const m = await screenWithSelection();
  m.core.waitingDeletes.add("m3");
  await m.press("d", "C-_");
  expect(m.told().at(-1)).toBe("Only 1 could be undone: it is too late for the others.");
  const late = await screenWithSelection();
  await late.press("d", "C-_");
  expect(late.told().at(-1)).toBe(words.notices.tooLate);
});

test("deleting two messages shows one notice with their number, and deleting one shows no number", async () => {
  const both = new ScreenDriver(workspace());
  await both.type("/message delete m2 m3\r");
  expect(both.asked("remove").map(([, id]) => id)).toEqual(["m2", "m3"]);
  expect(both.told()).toEqual(["2 messages deleted · Ctrl-_ to undo"]);
  const one = new ScreenDriver(workspace());
  await one.type("/message delete m2\r");
  expect(one.told()).toEqual(["deleted · Ctrl-_ to undo"]);
});

test("a selection of others' messages cannot be deleted", async () => {
  const m = screenOf();
  await m.press("esc", "V", "d");
  expect([m.asked("remove"), m.told()]).toEqual([[], ["You can't delete any of them."]]);
});

test("U marks unread from the oldest selected message", async () => {
  const m = await screenWithSelection();
  await m.press("U");
  expect(m.core.calls("markUnread")).toEqual([["messaging:general", "m2"]]);
});

test("s saves all for later, and one key undoes it", async () => {
  const m = await screenWithSelection();
  m.core.answers.set("createReminder", ({ path }: { path: { id: string } }) => ({
    reminder: { message_id: path.id, channel_cid: "messaging:general", created_at: "", updated_at: "" },
  }));
  await m.press("s");
  await m.settle();
  expect(m.told()).toEqual(["3 messages saved for later · Ctrl-_ to undo"]);
  await m.press("C-_");
  expect(m.core.calls("call").filter(([name]) => name === "deleteReminder").length).toBe(3);
});

test("a selection ends when another list gets the focus", async () => {
  const m = await screenWithSelection();
  await m.press("i");
  expect(m.screen.range).toBeUndefined();
});

const sent = (m: ScreenDriver): [string, OutgoingMessage][] =>
  m.core.calls("send").map(([place, out]) => [(place as { cid: string }).cid, out as OutgoingMessage]);

test("F forwards a message with author, text and files, but not the card of its link", async () => {
  const m = screenOf();
  await m.press("esc", "k", "F");
  await m.type("ops\r");
  expect(sent(m)).toEqual([
    [
      "messaging:ops",
      {
        text: "↪ me in #general\nsee https://ci.example/881",
        attachments: [{ type: "image", title: "plan.png", image_url: "https://files.example/plan.png" }],
      },
    ],
  ]);
  expect(m.told()).toEqual(["forwarded to #ops"]);
});

test("messages are forwarded as they are when the place is chosen: edited ones with their new text, deleted ones not", async () => {
  const now = (change: (held: ClientMessage) => ClientMessage[]) => ({
    sets: [messageSet(conversation().flatMap(change))],
  });
  const gone = { type: "deleted" as const, text: "", attachments: [] };
  const cases: [(held: ClientMessage) => ClientMessage[], string[], string][] = [
    [
      (held) => [
        held.id === "m2" ? { ...held, text: "after lunch" } : held.id === "m4" ? { ...held, ...gone } : held,
      ],
      ["↪ me in #general\nafter lunch", "↪ me in #general\nsee https://ci.example/881"],
      "forwarded to #ops",
    ],
    [(held) => (held.id === "m1" ? [held] : []), [], words.acting.notThere],
    [(held) => [{ ...held, ...gone }], [], words.acting.notThere],
  ];
  for (const [change, texts, notice] of cases) {
    const m = await screenWithSelection();
    await m.press("F");
    m.core.changeChannel("messaging:general", (entry) => ({ ...entry, ...now(change) }));
    await m.settle();
    await m.type("ops\r");
    expect([sent(m).map(([, { text }]) => text), m.told().at(-1)]).toEqual([texts, notice]);
  }
});

test("the buttons of a message are not forwarded: they belong to whom it was shown to", async () => {
  const general = channel("general", { messages: conversation() });
  const actions = [{ name: "a", text: "Send", type: "button", value: "send" }];
  const last = message("m5", "bot", "choose", {
    minute: 40,
    attachments: [{ type: "giphy", title: "tea", actions }] as never,
  });
  const from = { ...general, sets: [messageSet([...conversation(), last])] };
  const m = new ScreenDriver(new FakeCore(stateOf([from, channel("ops")])), { columns: 80, rows: 20 });
  await m.press("esc", "F");
  await m.type("ops\r");
  const [attachment] = sent(m)[0]![1].attachments!;
  expect(JSON.parse(JSON.stringify(attachment))).toEqual({ type: "giphy", title: "tea" });
});

test("a refused forward is reported, and a read-only screen does not offer it", async () => {
  const m = screenOf();
  m.core.send = () => ({ id: "x", outcome: Promise.reject(new Error("not yours")) }) as never;
  await m.press("esc", "F");
  await m.type("ops\r");
  await m.settle();
  expect(m.told()).toContain("not yours");
  const looks = new ScreenDriver(workspace(), { settings: { readOnly: true } });
  await looks.press("esc", "F");
  await looks.settle();
  expect(looks.screen.popups).toEqual([]);
  expect(looks.core.calls("send")).toEqual([]);
  expect(looks.told()).toEqual([words.readOnly.refused]);
});

test.each([
  [{ id: "!members-x" }, 3, "↪ ana"],
  [{ id: "!members-x", name: "plans" }, 3, "↪ ana in #plans"],
  [{ id: "ana-me" }, 2, "↪ ana"],
  [{ id: "tea" }, 2, "↪ ana in #general"],
])(
  "a message of a channel %j of %i is forwarded as “%s”: who is in a direct channel stays there",
  async (names, memberCount, head) => {
    const general = channel("general", { messages: conversation() });
    const members = new Map(
      ["me", "ana"].map((id) => [id, { user_id: id, user: { id, name: id } } as never]),
    );
    const from = {
      ...general,
      channel: { ...general.channel, name: undefined, ...names },
      members,
      memberCount,
    };
    const m = new ScreenDriver(new FakeCore(stateOf([from as typeof general, channel("ops")])), {
      columns: 80,
      rows: 20,
    });
    await m.press("esc", "k", "k", "k", "F");
    await m.type("ops\r");
    expect(sent(m).map(([cid, { text }]) => [cid, text])).toEqual([
      ["messaging:ops", `${head}\ndeploy at ten?`],
    ]);
  },
);

test("forwarding to a person uses the direct channel", async () => {
  const m = screenOf();
  await m.press("esc", "F");
  await m.type("@cy\r");
  expect(m.core.calls("openDirect")).toEqual([[["cy"]]]);
  expect(sent(m)[0]![0]).toBe("messaging:!members-cy");
});

test("a selection is forwarded in order", async () => {
  const m = await screenWithSelection();
  await m.press("F");
  expect(m.screen.popups).toMatchObject([{ title: "Forward 3 messages to" }]);
  await m.type("ops\r");
  expect(sent(m).map(([, { text }]) => text.split("\n")[1])).toEqual([
    "after the freeze",
    "see https://ci.example/881",
    "ok",
  ]);
});
