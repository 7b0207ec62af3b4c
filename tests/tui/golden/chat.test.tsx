/** The screen as people see it: keys in, picture out, at the sizes of specification/screen.md §1. */
import { afterEach, describe, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf, thread, user, messageSet } from "../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../support/mount.tsx";
import type { ClientMessage } from "../../../src/model/state.ts";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const conversation = (): ClientMessage[] => [
  message("m1", "ana", "deploy at **ten**?", { reply_count: 1 }),
  message("m2", "bo", "after the freeze", { minute: 12 }),
  message("m3", "bo", "see https://ci.example/881", { minute: 13 }),
  message("m4", "me", "ok", { minute: 20 }),
];
const workspace = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: conversation(),
        members: new Map(
          ["me", "ana", "bo"].map((id) => [
            id,
            { user_id: id, user: user(id), channel_role: "channel_member", created_at: "", updated_at: "" },
          ]),
        ),
        threads: new Map([["m1", thread("m1", [message("r1", "cy", "ten it is", { minute: 2 })])]]),
      }),
      channel("ops", {
        unread: 5,
        mentions: 2,
        messages: [message("o1", "cy", "look", { cid: "messaging:ops", minute: 30 })],
      }),
      channel("design", { unread: 3 }),
    ]),
  );
async function show(core: FakeCore, options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(core, options);
  open.push(m);
  return m;
}

describe("at 120 × 40", () => {
  test("sidebar and messages are side by side, with unread counts and mentions at the right", async () => {
    const m = await show(workspace());
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                                                      ● online   work
       Inbox                2 │
       Threads                │
       Later                  │
       Drafts                 │
                              │
       ▾ Channels             │
         #ops              @2 │
      ▌  #general             │
         #design            3 │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │
                              │ the beginning of this channel
                              │
                              │ ── Tue 17 Nov ───────────────────────────────────────────────────────────────────────────────
                              │ 09:00  ana             deploy at ten?
                              │                        1 reply ›
                              │
                              │ 09:12  bo              after the freeze
                              │ 09:13                  see https://ci.example/881
                              │
                              │ 09:20  me              ok ✓
                              │
      ────────────────────────┴───────────────────────────────────────────────────────────────────────────────────────────────
       › message #general
       WRITE  ⏎ send  Esc browse  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
    `);
  });

  test("a thread opens beside the messages, and Esc closes it", async () => {
    const m = await show(workspace());
    await m.press("esc", "g", "j", "j", "k", "k", "t");
    expect(m.core.calls("openThread")).toEqual([["messaging:general", "m1"]]);
    await m.type("yes");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                                                      ● online   work
       Inbox                2 │                                                   │ Thread · 1 reply                    Esc ×
       Threads                │                                                   │ ana  09:00
       Later                  │                                                   │   deploy at ten?
       Drafts                 │                                                   │
                              │                                                   │ ── 1 reply ──────────────────────────────
       ▾ Channels             │                                                   │ cy  09:02
         #ops              @2 │                                                   │   ten it is
      ▌  #general             │                                                   │
         #design            3 │                                                   │
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
                              │ the beginning of this channel                     │
                              │                                                   │
                              │ ── Tue 17 Nov ─────────────────────────────────── │
                              │ ana  09:00                                        │
                              │   deploy at ten?                                  │
                              │   1 reply ›                                       │
                              │                                                   │
                              │ bo  09:12                                         │
                              │   after the freeze                                │
                              │ · see https://ci.example/881                      │
                              │                                                   │
                              │ me  09:20                                         │
                              │   ok ✓                                            │
                              │                                                   │
      ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
       reply · ☐ also to #general
       › yes                                                                                                      draft saved
       WRITE  ⏎ send  Esc browse  Alt-C also to the channel  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
    `);
    await m.press("enter");
    expect(m.core.calls("send")[0]).toMatchObject([
      { cid: "messaging:general", parentId: "m1" },
      { text: "yes" },
    ]);
    await m.press("esc", "esc");
    expect(m.text()).not.toContain("Thread ·");
  });
});

test("at 100 × 30 the panel covers the messages", async () => {
  const m = await show(workspace(), { columns: 100, rows: 30 });
  await m.press("C-t");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                                                  ● online   work
     Inbox            2 │ Details · #general                                                      Esc ×
     Threads            │ name         #general
     Later              │ id           messaging:general
     Drafts             │ members      3 members
                        │ watching     2
     ▾ Channels         │ created      17 Nov 2026 07:20
       #ops          @2 │
    ▌  #general         │ Online
       #design        3 │ ● ana
                        │ ● bo
                        │ ● me
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
                        │
    ────────────────────┴───────────────────────────────────────────────────────────────────────────────
     › message #general
     PANEL  ↓ down  ↑ up  Esc close  ? help"
  `);
});

test("at 60 × 20 there is one column, and Ctrl-\\ shows the sidebar over it", async () => {
  const m = await show(workspace(), { columns: 60, rows: 20 });
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching          ● online   work




     the beginning of this channel

     ── Tue 17 Nov ────────────────────────────────────────────
     ana  09:00
       deploy at ten?
       1 reply ›
     bo  09:12
       after the freeze
     · see https://ci.example/881
     me  09:20
       ok ✓

    ────────────────────────────────────────────────────────────
     › message #general
     WRITE  ⏎ send  Esc browse  ^K go  Alt-A unread  F1 help"
  `);
  await m.press("C-\\");
  expect(m.text()).toContain("#general");
  expect(m.line(1)).toContain("Inbox");
});

describe("writing", () => {
  test("Enter within pasted input sends; the message appears at once and the box is empty", async () => {
    const m = await show(workspace());
    await m.type("hello there\r");
    expect(m.core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "hello there" }]]);
    expect(m.text()).toContain("hello there");
    expect(m.text()).toContain("› message #general");
  });

  test("the box grows with its lines up to a third of the screen, and the cursor is after the text", async () => {
    const m = await show(workspace());
    await m.type("one");
    await m.press("C-j");
    await m.type("two");
    expect(m.line(37)).toContain("› one");
    expect(m.line(38)).toContain("two");
    expect(m.cursor()).toEqual({ x: 6, y: 38 });
  });

  test("Esc never deletes text, and the draft is saved with every change (D10)", async () => {
    const m = await show(workspace());
    await m.type("half a thou");
    await m.press("esc", "esc");
    expect(m.line(38)).toContain("half a thou");
    expect(m.core.draft({ cid: "messaging:general" })?.text).toBe("half a thou");
  });

  test("every channel keeps its own text", async () => {
    const m = await show(workspace());
    await m.type("for general");
    await m.press("A-a");
    expect(m.screen.cid).toBe("messaging:ops");
    expect(m.line(38)).toContain("message #ops");
    await m.press("A-s");
    expect(m.line(38)).toContain("for general");
  });

  test("↑ in an empty box edits my last message; Ctrl-C ends the edit", async () => {
    const m = await show(workspace());
    await m.press("up");
    expect(m.text()).toContain("editing · ok");
    await m.type("ay\r");
    expect(m.core.calls("edit")).toMatchObject([[{ id: "m4" }, { text: "okay" }, undefined]]);
    await m.press("up", "C-c");
    expect(m.text()).not.toContain("editing ·");
  });

  test("a message still being sent is not skipped for an older one", async () => {
    const m = await show(workspace());
    await m.type("one more\r");
    await m.press("up");
    expect(m.text()).toContain("still being sent");
    expect(m.text()).not.toContain("editing ·");
    await m.type("s/ok/fine/\r");
    expect(m.core.calls("edit")).toEqual([]);
  });

  test("s/old/new/ corrects my last message", async () => {
    const m = await show(workspace());
    await m.type("s/ok/fine/\r");
    expect(m.core.calls("edit")).toMatchObject([[{ id: "m4" }, { text: "fine" }, undefined]]);
    expect(m.core.calls("send")).toEqual([]);
  });

  test("a name is completed, and the person is mentioned (R-MENT-1, R-MENT-2)", async () => {
    const m = await show(workspace());
    await m.type("hi @a");
    expect(m.text()).toContain("@ana");
    await m.press("tab");
    await m.type("\r");
    expect(m.core.calls("send")).toMatchObject([[{}, { text: "hi @ana ", mentionedUsers: ["ana"] }]]);
  });

  test("a slash lists commands with descriptions, and a complete one explains its arguments (R-CMD-1)", async () => {
    const m = await show(workspace());
    await m.type("/members");
    expect(m.text()).toContain("/member list [");
    await m.press("backspace");
    expect(m.text()).toContain("/member add");
    await m.press("tab");
    expect(m.line(38)).toContain("› /member add ");
    expect(m.text()).toContain("/member add [users…]");
    expect(m.core.calls("send")).toEqual([]);
  });

  test("the provider's commands are listed also with a quote, in a thread and during an edit (R-CMD-5), until a blank ends the name (R-CMD-3)", async () => {
    const commands = [{ name: "giphy", description: "Find a picture", args: "[text]", set: "fun_set" }];
    const core = workspace();
    const held = core.state().channels.get("messaging:general")!;
    (held.channel as { config: unknown }).config = { commands };
    const m = await show(core);
    const listed = async (): Promise<void> => {
      await m.press("C-u");
      expect(m.text()).not.toMatch(/\/giphy/);
      await m.type("/gi");
      expect(m.text()).toMatch(/\/giphy +\[text\] · Find a picture/);
    };
    await m.press("up");
    expect(m.text()).toContain("editing ·");
    await listed();
    await m.press("tab");
    expect(m.ports.boxes.at().editor.text).toBe("/giphy ");
    expect(m.ports.store.screen.completion?.items).toEqual([]);
    await m.press("C-u", "esc", "esc", "k", "q");
    expect(m.text()).toContain("quoting ");
    await listed();
    await m.press("C-u", "esc", "esc", "g", "j", "j", "k", "k", "t");
    expect(m.text()).toContain("Thread · 1 reply");
    await listed();
  });

  test("a long paste asks first, a short one does not", async () => {
    const m = await show(workspace());
    await m.paste("a\nb");
    expect(m.ports.boxes.at().editor.text).toBe("a\nb");
    await m.paste(Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n"));
    expect(m.text()).toContain("paste 30 lines?");
    await m.type("n");
    await m.paste("x".repeat(5000));
    expect(m.text()).toContain("paste 5,000 characters?");
    await m.type("n");
    expect(m.ports.boxes.at().editor.text).toBe("a\nb");
  });

  test("Ctrl-G opens the text in the editor and takes over the result", async () => {
    const m = await show(workspace(), { edited: (text) => `${text} and more\n` });
    await m.type("some");
    await m.press("C-g");
    expect(m.ports.boxes.at().editor.text).toBe("some and more");
  });

  test("Ctrl-C clears the box, and pressed twice in an empty box quits", async () => {
    const m = await show(workspace());
    await m.type("x");
    await m.press("C-c");
    expect([m.ports.boxes.at().editor.text, m.left]).toEqual(["", false]);
    await m.press("C-c");
    expect(m.left).toBe(false);
    expect(m.line(39)).toContain("again quits");
    await m.press("C-c");
    expect(m.left).toBe(true);
  });

  test("cleared and sent texts can be recalled", async () => {
    const m = await show(workspace());
    await m.type("lost?");
    await m.press("C-c");
    await m.press("C-up");
    expect(m.ports.boxes.at().editor.text).toBe("lost?");
  });
});

describe("browsing", () => {
  test("letters act on the message under the cursor", async () => {
    const m = await show(workspace());
    await m.press("esc", "k", "y", "q");
    expect(m.copied).toEqual(["see https://ci.example/881"]);
    expect(m.text()).toContain("quoting bo · see https://ci.example/881");
    await m.type("indeed\r");
    expect(m.core.calls("send")).toMatchObject([[{}, { text: "indeed", quotedMessageId: "m3" }]]);
  });

  test("o opens a checked link", async () => {
    const m = await show(workspace());
    await m.press("esc", "k", "o");
    expect(m.opened).toEqual(["https://ci.example/881"]);
  });

  test("d deletes at once and says how long it can be undone", async () => {
    const m = await show(workspace());
    await m.press("esc", "d");
    expect(m.text()).not.toContain("Sure");
    expect(m.core.calls("remove")).toMatchObject([[{ id: "m4" }, { afterMs: 10_000 }]]);
  });

  test("another user's message cannot be edited", async () => {
    const m = await show(workspace());
    await m.press("esc", "k", "e");
    expect(m.text()).toContain("can't edit that message");
    expect(m.ports.boxes.at().editing).toBeUndefined();
  });

  test("+ chooses an emoji by name", async () => {
    const m = await show(workspace());
    await m.press("esc", "+");
    await m.type("tada\r");
    expect(m.core.calls("react")).toMatchObject([[{ id: "m4" }, "tada", undefined]]);
  });

  test("a failed message stays; r retries it and x drops it after a confirmation", async () => {
    const core = workspace();
    core.arrive(
      "messaging:general",
      message("f1", "me", "never sent", { minute: 40, status: "failed", error: { message: "no" } }),
    );
    const m = await show(core);
    await m.press("esc");
    expect(m.line(39)).toContain("r retry  e edit  x drop");
    await m.press("r");
    expect(m.core.calls("retry")).toEqual([["f1"]]);
    await m.press("x", "enter");
    expect(m.core.calls("drop")).toEqual([["f1"]]);
  });
});

describe("the network", () => {
  test("a message that arrives while scrolled up is counted below and moves nothing", async () => {
    const core = new FakeCore(
      stateOf([
        channel("general", {
          messages: Array.from({ length: 80 }, (_, i) =>
            message(`m${i}`, "ana", `line ${i}`, { minute: i * 6 }),
          ),
        }),
      ]),
    );
    const m = await show(core, { columns: 80, rows: 20 });
    await m.press("esc", "g");
    const before = m.text().split("\n").slice(1, 14);
    core.arrive("messaging:general", message("late", "bo", "news", { minute: 600 }));
    await m.settle();
    expect(m.text().split("\n").slice(1, 14)).toEqual(before);
    expect(m.text()).toContain("↓ 1 new message");
    await m.press("G");
    expect(m.text()).toContain("news");
  });

  test("a digit votes in a poll while browsing, and the same digit removes the vote", async () => {
    const core = workspace();
    const poll = {
      id: "p1",
      name: "Lunch?",
      options: [
        { id: "soba", text: "soba" },
        { id: "soup", text: "soup" },
      ],
      created_at: "",
      updated_at: "",
      vote_count: 1,
      vote_counts_by_option: { soba: 1 },
      latest_votes_by_option: {},
      own_votes: [{ id: "v1", poll_id: "p1", option_id: "soba", created_at: "", updated_at: "" }],
    };
    core.changeChannel("messaging:general", (e) => ({
      ...e,
      channel: { ...e.channel, own_capabilities: [...(e.channel.own_capabilities ?? []), "cast-poll-vote"] },
    }));
    core.arrive("messaging:general", message("m5", "ana", "vote", { minute: 30, poll_id: "p1", poll }));
    const m = await show(core);
    await m.press("esc", "2", "1", "7");
    const path = { message_id: "m5", poll_id: "p1" };
    expect(m.core.calls("call")).toEqual([
      ["castPollVote", { path, body: { vote: { option_id: "soup" } } }],
      ["removePollVote", { path: { ...path, vote_id: "v1" } }],
    ]);
    expect(m.text()).toContain("The poll has no option 7.");
  });

  test("older messages are loaded once before the edge, and a row loads more on Enter (R-SET-15)", async () => {
    const core = workspace();
    core.changeChannel("messaging:general", (e) => ({
      ...e,
      sets: [messageSet(conversation(), { hasPrev: true })],
    }));
    const m = await show(core);
    await m.press("esc", "k");
    expect(m.core.calls("loadOlder")).toEqual([[{ cid: "messaging:general" }]]);
    expect(m.text()).toContain("older messages");
    await m.press("g", "enter");
    expect(m.core.calls("loadOlder").length).toBe(2);
  });

  test("the open channel is read at its newest message, and not while scrolled up (R-READ-3)", async () => {
    const core = workspace();
    const m = await show(core);
    core.changeChannel("messaging:general", (e) => ({ ...e, unread: 1 }));
    await m.settle();
    expect(m.core.calls("seen")).toContainEqual(["messaging:general"]);
  });

  test('with readOn "manual" the channel is not marked as read', async () => {
    const core = workspace();
    const m = await show(core, { readOn: "manual" });
    core.changeChannel("messaging:general", (e) => ({ ...e, unread: 1 }));
    await m.settle();
    expect(m.core.calls("seen")).toEqual([]);
  });

  test("leaving a channel ends its hold on reading (R-READ-6)", async () => {
    const m = await show(workspace());
    await m.press("A-down");
    expect(m.core.calls("left")).toEqual([["messaging:general"]]);
  });

  test("the connection state is shown in words", async () => {
    const core = workspace();
    const m = await show(core);
    core.change((s) => ({
      ...s,
      link: { phase: "waiting", failures: 2, catchingUp: false, retryAt: m.pace.at + 7000 },
      outbox: 2,
    }));
    await m.settle();
    expect(m.line(0)).toMatch(/retrying in [678] s/);
    expect(m.line(39)).toContain("2 unsent");
  });

  test("a connection that does not recover by itself shows the reason and what helps, and Enter retries in the box and while browsing", async () => {
    const core = workspace();
    const m = await show(core);
    const refused = { phase: "stopped", cause: "refused", code: 40, reason: "x", failures: 0 } as const;
    core.change((s) => ({ ...s, link: { ...refused, catchingUp: false } }));
    await m.settle();
    expect(m.line(0)).toContain(
      "● signed out: the token has expired or was revoked · /login or Enter to retry",
    );
    expect(m.core.calls("reconnect")).toEqual([]);
    await m.press("enter");
    expect(m.core.calls("reconnect")).toEqual([[]]);
    await m.type("hi");
    await m.press("enter");
    expect(m.core.calls("reconnect")).toEqual([[], []]);
    expect(m.core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "hi" }]]);
    const ended = { phase: "waiting", cause: "ended", reason: "x", failures: 3 } as const;
    core.change((s) => ({ ...s, link: { ...ended, catchingUp: false, retryAt: m.pace.at + 48_000 } }));
    await m.settle();
    expect(m.line(0)).toMatch(
      /● the provider keeps closing the connection · next try in 4[789] s · Enter to retry now/,
    );
    await m.press("enter");
    expect(m.core.calls("reconnect")).toHaveLength(3);
    // Enter reconnects among the messages too; in a list it chooses.
    await m.press("esc", "enter");
    expect(m.core.calls("reconnect")).toHaveLength(4);
    await m.press("C-k", "enter");
    expect(m.core.calls("reconnect")).toHaveLength(4);
  });

  test("typing users are shown under the messages and in the sidebar", async () => {
    const core = workspace();
    const m = await show(core);
    core.changeChannel("messaging:general", (e) => ({ ...e, typing: [{ user: user("ana"), since: 0 }] }));
    core.changeChannel("messaging:ops", (e) => ({ ...e, typing: [{ user: user("cy"), since: 0 }] }));
    await m.settle();
    expect(m.text()).toContain("ana is typing…");
    expect(m.text()).toContain("cy is typing…");
  });

  test("Alt-A goes through the unread channels, mentions first, and back to the start", async () => {
    const core = workspace();
    const m = await show(core);
    const read = (cid: string): void => core.changeChannel(cid, (e) => ({ ...e, unread: 0, mentions: 0 }));
    const been: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      await m.press("A-a");
      been.push(m.screen.cid);
      read(m.screen.cid!);
      await m.settle();
    }
    expect(been).toEqual(["messaging:ops", "messaging:design", "messaging:general"]);
  });
});

describe("popups", () => {
  test("Ctrl-K opens a channel by a few letters, and Esc closes one popup at a time", async () => {
    const m = await show(workspace());
    await m.press("C-k");
    await m.type("dsn");
    expect(m.text()).toContain("#design");
    await m.press("esc");
    expect(m.screen.popups).toEqual([]);
    await m.press("C-k");
    await m.type("dsn\r");
    expect(m.screen.cid).toBe("messaging:design");
  });

  test("letters go to the topmost popup, not to the box", async () => {
    const m = await show(workspace());
    await m.type("draft");
    await m.press("f1");
    await m.type("unread");
    expect(m.text()).toContain("Next unread channel");
    expect(m.text()).not.toContain("Put back what was deleted");
    await m.press("esc");
    expect(m.ports.boxes.at().editor.text).toBe("draft");
  });

  test("the palette runs an action by its name", async () => {
    const m = await show(workspace());
    await m.press("C-p");
    await m.type("members of\r");
    expect(m.text()).toContain("Members · #general");
  });

  test("an invalid jump shows the accepted forms, and an id is jumped to", async () => {
    const m = await show(workspace());
    await m.press("esc", ":");
    await m.type("m1\r");
    expect(m.selected()?.id).toBe("m1");
  });
});

describe("the mouse and the window", () => {
  test("a click opens a channel, the wheel scrolls, and a click selects a message", async () => {
    const m = await show(workspace());
    const y = m
      .text()
      .split("\n")
      .findIndex((l) => l.includes("#ops"));
    await m.click(5, y);
    expect(m.screen.cid).toBe("messaging:ops");
    const at = m
      .text()
      .split("\n")
      .findIndex((l) => l.includes("look"));
    await m.click(50, at);
    expect(m.selected()?.id).toBe("o1");
  });

  test("resizing keeps the text in the box and the cursor's place in it", async () => {
    const m = await show(workspace());
    const text = "a text that is long enough to be wrapped where the window is narrow 日本語 👍🏽 end";
    await m.type(text);
    await m.press("left", "left", "left");
    for (const [columns, rows] of [
      [100, 26],
      [60, 20],
      [49, 12],
      [20, 5],
      [120, 36],
    ] as const)
      await m.resize(columns, rows);
    await m.type("the ");
    await m.press("enter");
    const [, sent] = m.core.calls("send")[0] as [unknown, { text: string }];
    expect(sent.text).toBe(text.replace("end", "the end"));
  });

  test("every size draws its whole frame, and the first size the same as before", async () => {
    const m = await show(workspace());
    const first = m.text();
    for (const [columns, rows] of [
      [60, 20],
      [40, 10],
      [200, 60],
      [120, 12],
      [120, 40],
    ] as const) {
      await m.resize(columns, rows);
      expect(m.error).toBeUndefined();
    }
    expect(m.text()).toBe(first);
  });
});

describe("a line that begins with a slash", () => {
  test("with an unknown command stays in the box; with a second slash or as a path it is sent", async () => {
    const m = await show(workspace());
    await m.type("/teapot now");
    await m.press("enter");
    expect(m.core.calls("send")).toEqual([]);
    expect(m.text()).toContain("› /teapot now");
    await m.press("home");
    await m.type("/");
    await m.press("enter");
    await m.type("/usr/bin is full");
    await m.press("enter");
    expect(m.core.calls("send").map(([, c]) => (c as { text: string }).text)).toEqual([
      "/teapot now",
      "/usr/bin is full",
    ]);
    expect(m.core.calls("notify")).toEqual([
      [
        {
          level: "warning",
          text: "There is no /teapot here. As text: //teapot",
        },
      ],
    ]);
  });
  test("with half a command stays in the box", async () => {
    const m = await show(workspace());
    await m.type("/channel mut");
    await m.press("enter");
    expect(m.core.calls("send")).toEqual([]);
    expect(m.text()).toContain("› /channel mut");
  });
  test("/help shows the keys", async () => {
    const m = await show(workspace());
    await m.type("/help");
    await m.press("enter");
    expect(m.core.calls("send")).toEqual([]);
    expect(m.text()).toContain("Keys · type to search");
  });
});

test("the menu of a message lists only what can be done with it", async () => {
  const m = await show(workspace());
  await m.press("esc", "m");
  expect(m.text()).toMatch(/› +│[^]*Reply in a thread/);
  expect(m.text()).toContain("Edit my message");
  expect(m.text()).not.toMatch(/Oldest message|Drop a message/);
  await m.press("esc", "k", "m");
  expect(m.text()).toContain("Quote");
  expect(m.text()).not.toMatch(/Edit my message|Delete the message/);
});
