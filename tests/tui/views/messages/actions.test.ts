/** What the keys do with the message under the cursor: the requests to core, and the notice if an action is not allowed. */
import { redrawOnChange } from "../../../../src/tui/create-screen.ts";
import { plain } from "../../../../src/text/width.ts";
import { topPanelOf } from "../../../../src/tui/screen/screen.ts";
import { fullMessage, messagePanel } from "../../../../src/tui/views/messages/full-message.ts";
import { expect, test } from "vitest";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { mayEdit, mayRemove } from "../../../../src/model/permissions.ts";
import { redrawOnTick } from "../../../../src/tui/effects/clock.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { hintsFor, type StatusProps } from "../../../../src/tui/views/status/status-row.ts";
import { messageLinks } from "../../../../src/model/message-links.ts";
import type { Poll } from "../../../../src/wire/entities/poll.ts";
import { CAPABLE, EPOCH, FakeCore, channel, message, stateOf, thread } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const ALL = [...CAPABLE, "cast-poll-vote"];
const GENERAL = "messaging:general";

/** A channel whose last message is `last`, with the cursor on it. */
async function browsing(
  last: ClientMessage,
  capabilities: readonly string[] | undefined = ALL,
  now?: () => number,
): Promise<ScreenDriver> {
  const entry = channel("general", { messages: [message("m0", "bo", "before", { minute: -1 }), last] });
  const { own_capabilities: _, ...bare } = entry.channel;
  const own = capabilities === undefined ? bare : { ...bare, own_capabilities: [...capabilities] };
  const m = new ScreenDriver(new FakeCore(stateOf([{ ...entry, channel: own as typeof entry.channel }])), {
    columns: 70,
    rows: 16,
    ...(now && { now }),
  });
  await m.press("esc");
  expect(m.selected()?.id).toBe(last.id);
  return m;
}

test("on a read-only screen nothing is reported as done or offered to undo", async () => {
  const entry = channel("general", { messages: [message("m1", "me", "mine")] });
  const core = new FakeCore(stateOf([entry]));
  const m = new ScreenDriver(core, { settings: { readOnly: true } });
  await m.press("esc", "d");
  expect([m.told(), m.screen.takeBacks]).toEqual([[], []]);
});

test.each([
  ["react", "+"],
  ["report", "!"],
  ["forward", "F"],
  ["remind", "R"],
  ["attach", "C-o"],
  ["/poll", undefined],
  ["/location", undefined],
  ["/new", undefined],
] as const)(
  "on a read-only screen %s opens no list or form that only ends in a refusal",
  async (line, key) => {
    const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hers")] })]));
    const m = new ScreenDriver(core, { settings: { readOnly: true } });
    if (key === undefined) {
      await m.type(line);
      await m.press("enter");
    } else await m.press("esc", key);
    await m.settle();
    expect([m.screen.popups, m.told()]).toEqual([
      [],
      ["Read-only mode: nothing is sent, changed or marked read."],
    ]);
  },
);

const hintsOf = (m: ScreenDriver): string[] =>
  hintsFor({
    theme: makeTheme(0),
    width: 80,
    table: m.ports.keys,
    mode: "BROWSE",
    link: m.state.link,
    outbox: 0,
    storage: undefined,
    selected: m.selected(),
    pendingKey: undefined,
    asked: m.screen.typed as StatusProps["asked"],
    quitArmed: false,
    takeBack: m.screen.takeBacks.at(-1)?.what,
  });
const notices = (m: ScreenDriver): string[] => m.told();
const requestsOf = (m: ScreenDriver): unknown[][] =>
  m.asked("call", "pin", "react", "unreact", "remove", "edit", "markUnread", "retry", "drop", "act");
const poll = (more: Partial<Poll> = {}): Poll =>
  ({
    id: "p1",
    name: "Lunch?",
    options: [
      { id: "o1", text: "Soup" },
      { id: "o2", text: "Noodles" },
    ],
    own_votes: [],
    latest_votes_by_option: {},
    latest_answers: [],
    vote_counts_by_option: {},
    vote_count: 0,
    answers_count: 0,
    ...more,
  }) as unknown as Poll;

test("the notice of an undone action is removed", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await m.press("p");
  const offer = m.state.notices.find(({ text }) => text === "pinned · Ctrl-_ to undo");
  expect(m.asked("dismiss")).toEqual([]);
  await m.press("C-_");
  expect(m.asked("dismiss")).toEqual([["dismiss", offer?.id]]);
});

test("a notice for two equal actions is removed when the second is undone", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await m.press("p", "k", "p");
  const offers = m.state.notices.filter(({ text }) => text === "pinned · Ctrl-_ to undo");
  expect(offers).toHaveLength(1);
  await m.press("C-_");
  expect(m.asked("dismiss")).toEqual([]);
  await m.press("C-_");
  expect(m.asked("dismiss")).toEqual([["dismiss", offers[0]!.id]]);
});

const group = (minute: number) => {
  const at = `2026-11-17T09:0${minute}:00.000Z`;
  return { count: 1, sum_scores: 1, first_reaction_at: at, last_reaction_at: at };
};

test.each([
  ["tada", "party", "tada"],
  ["love", "heart", "love"],
  ["like", "tada", "tada"],
])("a message with %s gets the reaction chosen as %s as %s", async (there, typed, sent) => {
  const m = await browsing(message("m1", "bo", "x", { reaction_groups: { [there]: group(1) } }));
  await m.press("+");
  await m.type(`${typed}\r`);
  expect(requestsOf(m)).toEqual([["react", "m1", sent, undefined]]);
});

test("a refused reaction is reported, and nothing offers to undo it", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  m.core.react = () => Promise.reject(new Error("The message is deleted"));
  await m.press("+");
  await m.type("tada\r");
  await m.settle();
  const offered = m.state.notices.find(({ text }) => text.startsWith("reacted"));
  expect([m.told().at(-1), m.screen.takeBacks, m.asked("dismiss")]).toEqual([
    "The message is deleted",
    [],
    [["dismiss", offered?.id]],
  ]);
});

test("the hints begin with the digits of an open poll, but not of a closed one or a plain message", async () => {
  const first = async (held: ClientMessage): Promise<string | undefined> => hintsOf(await browsing(held))[0];
  const options = ["a", "b", "c"].map((id) => ({ id, text: id }));
  expect(await first(message("m1", "ana", "x", { poll: poll({ options }) }))).toBe("1-3 vote");
  expect(await first(message("m1", "ana", "x", { poll: poll({ options: options.slice(0, 1) }) }))).toBe(
    "1 vote",
  );
  expect(await first(message("m1", "ana", "x", { poll: poll({ is_closed: true }) }))).toBe("r reply");
  expect(await first(message("m1", "ana", "x"))).toBe("r reply");
});

test.each([
  ["a channel without reactions", "+", message("m1", "ana", "x"), "send-reaction"],
  ["a channel without reactions", "=", message("m1", "ana", "x"), "send-reaction"],
  ["a channel without quotes", "q", message("m1", "ana", "x"), "quote-message"],
  ["a channel without threads", "t", message("m1", "ana", "x"), "send-reply"],
  ["a channel without pins", "p", message("m1", "ana", "x"), "pin-message"],
  ["a channel without read marks", "U", message("m1", "ana", "x"), "read-events"],
  ["a channel without votes", "1", message("m1", "ana", "x", { poll: poll() }), "cast-poll-vote"],
])("%s is named in answer to %s, and nothing is sent", async (_, key, held, capability) => {
  const m = await browsing(
    held,
    ALL.filter((one) => one !== capability),
  );
  const before = m.screen;
  await m.press(key);
  expect(notices(m)).toEqual([`This channel does not allow that (${capability}).`]);
  expect(requestsOf(m)).toEqual([]);
  expect([m.screen.focus, m.screen.popups, m.screen.panels]).toEqual([before.focus, [], []]);
});

test.each([
  ["failed", {}],
  ["sending", {}],
  ["received", { type: "ephemeral" }],
  ["received", { type: "error" }],
] as const)(
  "a message that is %s %j has no reactions, quotes, pins, threads or marks",
  async (status, more) => {
    const m = await browsing(message("m1", "me", "x", { status, ...more } as Partial<ClientMessage>));
    const keys = ["+", "=", "q", "p", "U", "t", "1"];
    await m.press(...keys);
    expect(notices(m)).toEqual(keys.map(() => "That message is no longer there."));
    expect(requestsOf(m)).toEqual([]);
  },
);

test("a received message can be acted on", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await m.press("p");
  expect(requestsOf(m)).toEqual([["pin", "m1", true]]);
});

test("each key explains why it does nothing", async () => {
  const m = await browsing(message("m1", "ana", "no address here"));
  await m.press("x", "d", "e", "=", "1", "o");
  expect(notices(m)).toEqual([
    "Only an unsent message can be dropped; d deletes a sent one.",
    "You can't delete that message.",
    "You can't edit that message.",
    "No reactions yet: + adds one.",
    "That message has no poll.",
    "That message has no link or file.",
  ]);
  expect(requestsOf(m)).toEqual([]);
  expect([m.screen.popups, m.ports.boxes.at().editing]).toEqual([[], undefined]);
});

test("in an empty channel there is no message to act on", async () => {
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general")])), { columns: 60, rows: 14 });
  await m.press("esc", "y", "p");
  const words = "Choose a message first: Esc, then j and k.";
  expect(notices(m)).toEqual([words, words]);
});

test("an unsent message can be dropped, and its text recalled", async () => {
  const m = await browsing(message("m1", "me", "on its way", { status: "sending" }));
  await m.press("x");
  expect(m.screen.popups).toMatchObject([{ question: { question: "Drop “on its way”? It was not sent." } }]);
  await m.press("y");
  expect(requestsOf(m)).toEqual([["drop", "m1"]]);
  await m.press("i", "C-up");
  expect(m.ports.boxes.at().editor.text).toBe("on its way");
});

test("d drops a failed message after a confirmation, and deletes my own at once", async () => {
  const failed = await browsing(message("m1", "me", "", { status: "failed", error: { message: "no" } }));
  await failed.press("d");
  const question = "Drop “(no text)”? It was not sent.";
  expect(failed.screen.popups).toMatchObject([{ question: { question } }]);
  const m = await browsing(message("m1", "me", "x"));
  await m.press("d");
  expect(m.screen.popups).toEqual([]);
  expect(m.core.calls("remove")).toMatchObject([[{ id: "m1" }, { afterMs: 10_000 }]]);
  expect(notices(m)).toEqual(["deleted · Ctrl-_ to undo"]);
});

/** Chooses an action in the message menu by its title. */
async function chooseAction(m: ScreenDriver, title: string): Promise<void> {
  await m.press("m");
  await m.type(`${title}\r`);
}

test("deleting for me only does not ask; deleting permanently asks with the beginning of the text", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await chooseAction(m, "Delete for me only");
  expect(m.core.calls("remove")).toMatchObject([[{ id: "m1" }, { afterMs: 10_000, forMe: true }]]);
  const forty = "a".repeat(40);
  for (const [text, shown] of [
    [forty, forty],
    [`${forty}b`, `${"a".repeat(39)}…`],
  ] as const) {
    const own = await browsing(message("m1", "me", text));
    await chooseAction(own, "Delete the message for good");
    expect(own.screen.popups[0]).toMatchObject({
      question: { question: `Delete “${shown}” permanently? This cannot be undone.` },
    });
    await own.press("enter");
    expect(own.core.calls("remove")).toEqual([]);
    await own.press("y");
    expect(own.core.calls("remove")).toMatchObject([[{ id: "m1" }, { hard: true }]]);
  }
});

test("p pins and unpins, and says which", async () => {
  for (const [pinned, words] of [
    [false, "pinned · Ctrl-_ to undo"],
    [true, "unpinned · Ctrl-_ to undo"],
  ] as const) {
    const m = await browsing(message("m1", "ana", "x", { pinned }));
    await m.press("p");
    expect([requestsOf(m), notices(m)]).toEqual([[["pin", "m1", !pinned]], [words]]);
  }
});

test("Ctrl-_ undoes pins, reactions and deletions, the newest first, while browsing and in an untouched box", async () => {
  const m = await browsing(message("m1", "me", "x"));
  m.core.waitingDeletes.add("m1");
  await m.press("p", "+");
  await m.type("tada\r");
  await m.press("d");
  expect(hintsOf(m)[0]).toBe("^_ undo delete");
  m.core.asked.length = 0;
  await m.press("C-_", "C-_");
  expect(requestsOf(m)).toEqual([["unreact", "m1", "tada"]]);
  expect(notices(m)).toEqual(["undone: delete"]);
  await m.press("i");
  await m.type("word");
  await m.press("C-_");
  expect([m.text(), requestsOf(m)]).toEqual(["", [["unreact", "m1", "tada"]]]);
  await m.press("C-_");
  expect(requestsOf(m).at(-1)).toEqual(["pin", "m1", false]);
  await m.press("esc", "C-_");
  expect(notices(m).at(-1)).toBe("Nothing to undo.");
});

test("actions can be undone for ten seconds", async () => {
  let now = EPOCH;
  const m = await browsing(message("m1", "me", "x"), ALL, () => now);
  await m.press("p");
  now += 9999;
  redrawOnTick(m.ports, now);
  expect(hintsOf(m)[0]).toBe("^_ undo pin");
  now += 1;
  redrawOnTick(m.ports, now);
  expect(hintsOf(m)[0]).not.toContain("^_");
  await m.press("C-_");
  expect(requestsOf(m)).toEqual([["pin", "m1", true]]);
});

test("the key undoes nothing at the end of the ten seconds, also before the hint has gone", async () => {
  let now = EPOCH;
  const m = await browsing(message("m1", "me", "x"), ALL, () => now);
  await m.press("p");
  now += 5000;
  await m.press("+");
  await m.type("tada\r");
  now += 5000;
  m.core.asked.length = 0;
  await m.press("C-_", "C-_");
  expect(requestsOf(m)).toEqual([["unreact", "m1", "tada"]]);
  expect(notices(m).at(-1)).toBe("Nothing to undo.");
});

test("the hints of buttons are cut by cells and between characters", async () => {
  const actions = ["Send", "漢字".repeat(9), `x${"😀".repeat(9)}`].map((text) => ({
    text,
    name: "b",
    type: "button",
  }));
  const attachments = [{ type: "giphy", actions }] as unknown as ClientMessage["attachments"];
  const m = await browsing(message("m1", "me", "x", { type: "ephemeral", attachments }));
  expect(hintsOf(m).slice(0, 3)).toEqual(["1 Send", "2 漢字漢字漢字漢…", "3 x😀😀😀😀😀😀😀…"]);
  await m.send("1");
  expect(hintsOf(m)[0]).toBe("1 again, or ⏎: Send");
});

test("for a message that was not sent, r and its question say retry", async () => {
  const m = await browsing(message("m1", "me", "x", { status: "failed" }));
  expect(hintsOf(m)[0]).toBe("r retry");
  await m.send("r");
  expect(hintsOf(m)[0]).toBe("r again, or ⏎: retry");
});

test("the hint of deleting names the letter, not the longer key", async () => {
  const m = await browsing(message("m1", "me", "x"));
  expect(hintsOf(m)).toContain("d delete");
});

test("the hint of undoing also names what was removed", async () => {
  const m = await browsing(message("m1", "me", "x", { pinned: true }));
  await m.press("p");
  expect(hintsOf(m)[0]).toBe("^_ undo unpin");
  const own_reactions = [{ type: "tada", user_id: "me" }] as unknown as ClientMessage["own_reactions"];
  const reacted = await browsing(message("m1", "me", "x", { own_reactions }));
  await reacted.press("+");
  await reacted.type("tada\r");
  expect(hintsOf(reacted)[0]).toBe("^_ undo reaction removal");
});

test("a delete that was already sent cannot be undone, and that is said", async () => {
  const m = await browsing(message("m1", "me", "x"));
  await m.press("d", "y", "C-_");
  expect(m.core.calls("remove")).toMatchObject([[{ id: "m1" }, { afterMs: 10_000 }]]);
  expect(notices(m).at(-1)).toMatch(/too late/);
});

test("/ begins a command, and the text that was in the box comes back when that is deleted", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await m.press("i");
  await m.type("a draft");
  await m.press("esc");
  await m.type("/rea");
  expect([m.screen.focus, m.text(), m.screen.completion?.items[0]?.label]).toEqual([
    "composer",
    "/rea",
    "/react",
  ]);
  await m.press("esc", "C-u");
  expect(m.text()).toBe("a draft");
});

test("U marks unread from the message on, in a thread only for replies also shown in the channel", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await m.press("U");
  expect([requestsOf(m), notices(m)]).toEqual([[["markUnread", GENERAL, "m1"]], ["marked unread from here"]]);
  const hidden = await browsing(message("m1", "ana", "x", { parent_id: "m0" }));
  await hidden.press("U");
  expect([requestsOf(hidden), notices(hidden)]).toEqual([
    [],
    ["Only messages in the channel itself can be marked unread."],
  ]);
  const shown = await browsing(message("m1", "ana", "x", { parent_id: "m0", show_in_channel: true }));
  await shown.press("U");
  expect(requestsOf(shown)).toEqual([["markUnread", GENERAL, "m1"]]);
});

test("= adds the first reaction, and removes the own one of that kind", async () => {
  const reaction_groups = { wave: group(4), tada: group(2), eyes: group(3) };
  const m = await browsing(message("m1", "ana", "x", { reaction_groups }));
  await m.press("=");
  expect(requestsOf(m)).toEqual([["react", "m1", "tada", undefined]]);
  const other = { type: "wave", user_id: "me" };
  const mine = { type: "tada", user_id: "me" };
  const own_reactions = [other, mine] as unknown as ClientMessage["own_reactions"];
  const again = await browsing(message("m1", "ana", "x", { reaction_groups, own_reactions }));
  await again.press("=");
  expect(requestsOf(again)).toEqual([["unreact", "m1", "tada"]]);
});

test("a digit votes and removes the vote, and explains why it cannot", async () => {
  const m = await browsing(message("m1", "ana", "x", { poll: poll(), poll_id: "p1" }));
  await m.press("2", "3");
  const path = { message_id: "m1", poll_id: "p1" };
  expect(requestsOf(m)).toEqual([["call", "castPollVote", { path, body: { vote: { option_id: "o2" } } }]]);
  expect(notices(m)).toEqual(["The poll has no option 3."]);
  const own_votes = [{ id: "v1", option_id: "o2" }] as unknown as Poll["own_votes"];
  const voted = await browsing(message("m1", "ana", "x", { poll: poll({ own_votes }), poll_id: "p1" }));
  await voted.press("2", "1");
  expect(requestsOf(voted)).toEqual([
    ["call", "removePollVote", { path: { ...path, vote_id: "v1" } }],
    ["call", "castPollVote", { path, body: { vote: { option_id: "o1" } } }],
  ]);
  const closed = await browsing(
    message("m1", "ana", "x", { poll: poll({ is_closed: true }), poll_id: "p1" }),
  );
  await closed.press("1");
  expect([requestsOf(closed), notices(closed)]).toEqual([[], ["The poll is closed."]]);
});

test("y and Y copy text and address, and a failure is reported", async () => {
  const m = await browsing(message("m1", "ana", "the text"));
  await m.press("y", "Y");
  expect([m.copied, notices(m)]).toEqual([
    ["the text", "parley:messaging:general/m1"],
    ["copied", "copied"],
  ]);
  m.ports.terminal.copy = () => false;
  await m.press("y");
  expect(notices(m).at(-1)).toBe("Too long for the terminal's clipboard.");
});

test("the links of a message are those of its text and one per attachment, each once and only safe ones", () => {
  const held = message(
    "m1",
    "ana",
    "see https://a.example/1 and https://b.example/2 and https://a.example/1",
    {
      attachments: [
        {
          og_scrape_url: "https://c.example/og",
          title_link: "https://d.example/title",
          asset_url: "https://e.example/asset",
          image_url: "javascript:alert(1)",
        },
        { image_url: "https://b.example/2" },
        { image_url: "https://f.example/image" },
        // The page of a preview rather than its picture; the picture of a file rather than what it is about.
        { og_scrape_url: "https://g.example/page", image_url: "https://g.example/picture" },
        { title_link: "https://h.example/page", thumb_url: "https://h.example/thumb" },
        { title_link: "https://i.example/page", image_url: "https://i.example/image" },
        { thumb_url: "https://j.example/thumb" },
        {},
      ],
    },
  );
  expect(messageLinks(held).map(({ url }) => url)).toEqual([
    "https://a.example/1",
    "https://b.example/2",
    "https://e.example/asset",
    "https://f.example/image",
    "https://g.example/page",
    "https://h.example/page",
    "https://i.example/image",
    "https://j.example/thumb",
  ]);
});

test.each([
  [true, "No program on this machine opens links: copied instead."],
  [false, "No program on this machine opens links."],
])("without a program that opens links the address is copied if possible: %s", async (copies, notices) => {
  const m = await browsing(message("m1", "ana", "https://a.example/1"));
  m.ports.terminal.openUrl = async () => false;
  if (!copies) m.ports.terminal.copy = () => false;
  await m.press("o");
  expect([m.told(), m.copied]).toEqual([[notices], copies ? ["https://a.example/1"] : []]);
});

test("of several links one is chosen from a list and opened", async () => {
  const m = await browsing(message("m1", "ana", "https://a.example/1 https://b.example/2"));
  await m.press("o");
  expect(m.opened).toEqual([]);
  await m.press("down", "enter");
  expect([m.opened, m.screen.popups]).toEqual([["https://b.example/2"], []]);
});

test("replying to a reply opens its parent's thread, and in the thread focuses the box", async () => {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          message("m1", "ana", "parent"),
          message("r9", "bo", "shown", { parent_id: "m1", show_in_channel: true }),
        ],
        threads: new Map([["m1", thread("m1", [message("r9", "bo", "shown")])]]),
      }),
    ]),
  );
  const m = new ScreenDriver(core, { columns: 120, rows: 20 });
  await m.press("esc", "r");
  expect(core.calls("openThread")).toEqual([[GENERAL, "m1"]]);
  await m.press("esc", "t");
  expect([m.screen.focus, m.screen.panels.length]).toEqual(["composer", 1]);
  expect(core.calls("openThread")).toHaveLength(1);
});

test("v shows the whole message beside the others", async () => {
  const m = await browsing(message("m1", "ana", "x"));
  await m.press("v");
  expect(m.screen.panels).toMatchObject([{ name: "message", cid: GENERAL, found: [{ id: "m1" }] }]);
});

test("the whole message in the panel follows an edit, and has no text once it is deleted or erased", async () => {
  const shown = message("m1", "ana", "x");
  const m = await browsing(shown);
  redrawOnChange(m.ports);
  await m.press("v");
  const rows = (): string => {
    const panel = topPanelOf<ReturnType<typeof messagePanel>>(m.screen, "message")!;
    const entry = m.state.channels.get(GENERAL)!;
    const context = m.ports.feeds.context(m.model, 60);
    return plain(fullMessage.rows({ panel, entry, state: m.state, width: 60, context }).join(" "));
  };
  m.core.hear({ type: "message.updated", cid: GENERAL, message: { ...shown, text: "new words" } });
  expect(rows()).toContain("new words");
  m.core.hear({ type: "message.deleted", cid: GENERAL, message: { ...shown, type: "deleted", text: "" } });
  expect(rows()).toContain("message deleted");
  m.core.hear({ type: "message.deleted", cid: GENERAL, hard_delete: true, message: shown });
  expect(rows()).toBe(" message deleted");
});

test("who may edit and delete which messages", async () => {
  const any = ["update-any-message", "delete-any-message"];
  const mine = message("m1", "me", "x");
  const theirs = message("m1", "ana", "x");
  const cases: [string, ClientMessage, readonly string[] | undefined, boolean, boolean][] = [
    ["my own", mine, CAPABLE, true, true],
    ["my own where nothing is allowed", mine, [], false, false],
    ["my own, capabilities not known yet", mine, undefined, true, true],
    ["theirs", theirs, CAPABLE, false, false],
    ["theirs, capabilities not known yet", theirs, undefined, false, false],
    ["theirs for a moderator", theirs, any, true, true],
    ["my own for one who may change any", mine, any, true, true],
    ["a system line", message("m1", "me", "x", { type: "system" }), CAPABLE, false, true],
    ["a poll", message("m1", "me", "x", { poll_id: "p1" }), CAPABLE, false, true],
    ["what is gone", message("m1", "me", "x", { type: "deleted" }), any, false, false],
    ["what waits", message("m1", "me", "x", { status: "sending" }), CAPABLE, false, false],
  ];
  for (const [what, held, capabilities, edits, removes] of cases) {
    const entry = channel("general", { messages: [held] });
    const { own_capabilities: _, ...bare } = entry.channel;
    const own = capabilities ? { ...bare, own_capabilities: capabilities } : bare;
    const m = new ScreenDriver(new FakeCore(stateOf([{ ...entry, channel: own as typeof entry.channel }])), {
      columns: 40,
      rows: 10,
    });
    expect([what, mayEdit(m.state, held, "me"), mayRemove(m.state, held, "me")]).toEqual([
      what,
      edits,
      removes,
    ]);
  }
});
