/** Command lines in the box: what each does, and what Enter runs while suggestions are open. */
import { describe, expect, test } from "vitest";
import { drawCompletion } from "../../../../src/tui/views/composer/completion-rows.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { asView, idView } from "../../../../src/commands/base/define-command.ts";
import { showResult } from "../../../../src/tui/views/composer/show-result.ts";
import { topPanel } from "../../../../src/tui/screen/screen.ts";
import { ApiError } from "../../../../src/model/errors.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { cellWidth } from "../../../../src/text/width.ts";
import { FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const moderation = { name: "mute", description: "Mute somebody", args: "[@user]", set: "moderation_set" };

function screenWithUsers(): ScreenDriver {
  const general = channel("general", { messages: [message("m1", "ana", "one")] });
  const config = { commands: [moderation] } as never;
  const users = new Map(["me", "ana", "bo"].map((id) => [id, user(id)]));
  users.set("jose", user("jose", { name: "José Silva" }));
  return new ScreenDriver(
    new FakeCore(
      stateOf([{ ...general, channel: { ...general.channel, config } }, channel("ops")], { users }),
    ),
  );
}

/** Types a line and presses Enter, whatever is suggested. */
async function runLine(line: string): Promise<ScreenDriver> {
  const m = screenWithUsers();
  await m.type(line);
  await m.press("enter");
  return m;
}

describe("each command", () => {
  test("/dm opens the channel with the named people, by id or name, and sends the text after them", async () => {
    const m = await runLine('/dm @"José Silva" @bo soup is ready ');
    expect(m.core.calls("openDirect")).toEqual([[["jose", "bo"]]]);
    expect(m.screen.cid).toBe("messaging:!members-jose-bo");
    expect(m.core.calls("send")).toMatchObject([
      [{ cid: "messaging:!members-jose-bo" }, { text: "soup is ready" }],
    ]);
  });

  test("a bare name where a channel is meant is answered with the form that works, and stays in the box", async () => {
    const m = await runLine("/channel create party-plan");
    expect(m.told()).toEqual(["'party-plan' is not a channel: write #party-plan."]);
    expect(m.text()).toBe("/channel create party-plan");
    expect((await runLine("/channel create no/thing")).told()).toEqual(["'no/thing' is not a channel."]);
  });

  test("/dm with a single name needs no @", async () => {
    const m = await runLine("/dm bo");
    expect(m.core.calls("openDirect")).toEqual([[["bo"]]]);
    expect(m.core.calls("send")).toEqual([]);
  });

  test("/who shows the members, /quit quits, /help searches a word, /poll opens its form", async () => {
    expect(topPanel((await runLine("/who")).screen)).toMatchObject({ name: "members" });
    expect((await runLine("/quit")).left).toBe(true);
    expect(topPopup((await runLine("/help leave")).screen)).toMatchObject({ kind: "help", query: "leave" });
    expect(topPopup((await runLine("/poll")).screen)).toMatchObject({ kind: "poll" });
  });

  test.each([
    ["/poll create", "/poll"],
    ["/channel create", "/new"],
    ["/location share", "/location"],
  ])("%s without arguments opens the same popup as %s", async (command, line) => {
    const popup = topPopup((await runLine(command)).screen);
    expect(popup).toBeDefined();
    // The same but for its functions.
    expect(JSON.stringify(popup)).toBe(JSON.stringify(topPopup((await runLine(line)).screen)));
  });

  test.each([
    ["/thread list", { name: "threads" }],
    ["/reminders", { name: "later" }],
    ["/unread", { name: "inbox" }],
    ["/member list", { name: "members" }],
  ])("%s opens its view instead of the shell's table", async (line, panel) => {
    const m = await runLine(line);
    expect(JSON.stringify(topPanel(m.screen))).toContain(JSON.stringify(panel).slice(1, -1));
    expect(topPopup(m.screen)).toBeUndefined();
    expect(m.text()).toBe("");
  });

  test.each([
    ["/react", { kind: "picker", title: "React" }],
    ["/remind", { kind: "picker", title: "Remind me" }],
    ["/forward", { kind: "picker", title: "Forward 1 message to" }],
  ])(
    "%s alone asks by a list what to do with the message, and the cursor shows which",
    async (line, popup) => {
      const m = await runLine(line);
      expect(topPopup(m.screen)).toMatchObject(popup);
      expect(m.selected()?.id).toBe("m1");
      expect(m.core.calls("call")).toEqual([]);
      expect(m.text()).toBe("");
    },
  );

  test("/remind with a time sets a reminder for the current message; an invalid time is refused and stays in the box", async () => {
    const m = await runLine("/remind in 10 min");
    expect(m.core.calls("call")).toMatchObject([
      ["createReminder", { path: { id: "m1" }, body: { remind_at: expect.stringMatching(/^2026-/) } }],
    ]);
    expect(m.text()).toBe("");
    expect(m.told().at(-1)).toMatch(/^reminder at /);
    const someday = await runLine("/remind someday");
    expect(someday.told()).toEqual(["saved for later"]);
    for (const line of ["/remind soonish", "/remind yesterday"]) {
      const wrong = await runLine(line);
      expect(wrong.core.calls("call")).toEqual([]);
      expect(wrong.told()[0]).toContain("/remind needs a future time");
      expect(wrong.text()).toBe(line);
    }
    const command = await runLine("/remind m1 --in 2h");
    expect(command.core.calls("call")).toMatchObject([["getMessage", { path: { id: "m1" } }]]);
  });

  test.each(["/forward #ops", "/forward ops", '/forward "ops"'])(
    "%s forwards the message there",
    async (line) => {
      const m = await runLine(line);
      expect(m.core.calls("send")).toMatchObject([
        [{ cid: "messaging:ops" }, { text: "↪ ana in #general\none" }],
      ]);
      expect(m.told()).toEqual(["forwarded to #ops"]);
    },
  );

  test("/forward to a person by name goes to the direct channel; an unknown channel keeps the line", async () => {
    const m = await runLine("/forward @José Silva");
    expect(m.core.calls("openDirect")).toEqual([[["jose"]]]);
    expect(m.core.calls("send")).toHaveLength(1);
    const wrong = await runLine("/forward #nowhere");
    expect(wrong.core.calls("send")).toEqual([]);
    expect([wrong.text(), wrong.told()]).toEqual([
      "/forward #nowhere",
      ["There is no channel #nowhere here: Ctrl-K lists the channels."],
    ]);
  });

  test("/poll with a question fills the form, its verbs work as commands, and an unknown verb is refused", async () => {
    const m = await runLine("/poll Lunch tomorrow?");
    expect(topPopup(m.screen)).toMatchObject({ kind: "poll", editor: { text: "Lunch tomorrow?" } });
    expect(topPopup((await runLine("/poll lst")).screen)).toBeUndefined();
    const made = await runLine("/poll create -o Soup -o Noodles Lunch?");
    expect(topPopup(made.screen)).toBeUndefined();
    expect(made.core.calls("call")[0]?.[0]).toBe("createPoll");
  });

  test("the result of a command is shown in its own words, else as the line itself, shortened", async () => {
    const m = await runLine("/user block ana");
    expect(m.told()).toEqual(["ana blocked"]);
    const quiet = await runLine(`/member remove ana ${"bo".repeat(60)}`);
    await quiet.press("y");
    await quiet.settle();
    expect(quiet.told()).toEqual([`done: /member remove ana ${"bo".repeat(60).slice(0, 40)}…`]);
    const empty = screenWithUsers();
    showResult(empty.ports, { path: "task list", rest: "" }, { views: [], word: "nothing" });
    expect(empty.told()).toEqual(["nothing to show: /task list"]);
  });

  test("the id of a created thing is not shown", () => {
    const m = screenWithUsers();
    for (const view of [idView({ id: "tea-time" }), asView("tea-time is away")])
      showResult(m.ports, { path: "thread reply", rest: "yes,\nplease" }, { views: [view] });
    expect(m.told()).toEqual(["done: /thread reply yes, please", "tea-time is away"]);
  });

  test("/save saves the message, /reply opens its thread, /edit edits my newest one, and /vote votes in the newest poll", async () => {
    const saved = await runLine("/save");
    expect(saved.core.calls("call").map(([name]) => name)).toEqual(["createReminder"]);
    expect(topPanel((await runLine("/reply")).screen)).toMatchObject({ name: "thread", key: "m1" });
    const m = new ScreenDriver(
      new FakeCore(
        stateOf([
          channel("general", {
            messages: [message("m1", "me", "mine"), message("m2", "ana", "hers", { minute: 1 })],
          }),
        ]),
      ),
    );
    await m.type("/edit\r");
    expect([m.text(), m.screen.focus]).toEqual(["mine", "composer"]);
    expect((await runLine("/vote")).told()).toHaveLength(1);
  });

  test("/report sends nothing before a reason is chosen, or in a channel without reports", async () => {
    const m = await runLine("/report");
    expect([m.told(), m.core.calls("call")]).toEqual([
      ["This channel does not allow that (flag-message)."],
      [],
    ]);
  });

  test.each([
    ["/part", "/leave"],
    ["/msg @bo hi", "/dm @bo hi"],
    ["/query bo", "/dm bo"],
    ["/names", "/who"],
    ["/prefs", "/settings"],
    ["/set mouse off", "/settings mouse off"],
    ["/away", "/status away"],
    ["/afk at lunch", "/status at lunch"],
    ["/back", "/status"],
    ["/ignore @bo", "/user block @bo"],
    ["/kick @bo", "/member remove @bo"],
    ["/op @bo", "/member promote @bo"],
    ["/find tea", "/search tea"],
    ["/dark", "/theme dark"],
    ["/star", "/save"],
    ["/starred", "/later"],
    ["/switch ops", "/go ops"],
  ])("%s of other programs does what %s does", async (theirs, ours) => {
    const outcome = async (line: string): Promise<unknown> => {
      const m = await runLine(line);
      const { popups, panels, cid } = m.screen;
      return [m.text(), m.told(), m.core.calls("call"), m.core.calls("openDirect"), popups, panels, cid];
    };
    const done = JSON.stringify(await outcome(theirs));
    const plain = (text: string): string => text.replaceAll(`"${theirs}"`, `"${ours}"`);
    expect(done).not.toContain("There is no");
    expect(plain(done)).toBe(JSON.stringify(await outcome(ours)));
  });

  test("a command of other programs that the provider also has is the provider's", async () => {
    const ban = { name: "ban", description: "Ban somebody", args: "[@user]", set: "moderation_set" };
    const general = channel("general");
    const config = { commands: [ban] } as never;
    const m = new ScreenDriver(
      new FakeCore(stateOf([{ ...general, channel: { ...general.channel, config } as never }])),
    );
    await m.type("/ban @bo\r");
    expect(m.core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "/ban @bo" }]]);
  });

  test("a missing feature says what to do instead, and the line stays in the box", async () => {
    const m = await runLine("/call @bo");
    expect(m.told()[0]).toMatch(/^Calls and recording are not in Parley\. .*\/attach/);
    expect(m.text()).toBe("/call @bo");
    expect(m.core.calls("send")).toEqual([]);
  });

  test("/go opens the channel of that name, or the list if there is none or several", async () => {
    expect((await runLine("/go #ops")).screen.cid).toBe("messaging:ops");
    const afterGo = await runLine("/go nowhere");
    expect(afterGo.screen.cid).toBe("messaging:general");
    expect(topPopup(afterGo.screen)).toMatchObject({ kind: "picker", title: "Go to", query: "nowhere" });
    expect(topPopup((await runLine("/go")).screen)).toMatchObject({ kind: "picker", title: "Go to" });
  });

  test("/me with words sends a message in italics, and alone opens the profile form", async () => {
    const m = await runLine("/me waves");
    expect(m.core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "_waves_" }]]);
    expect(topPopup((await runLine("/me")).screen)).toMatchObject({ kind: "fields" });
  });

  test("/quote and /copy use the newest message, and /undo undoes the last action or says that there is none", async () => {
    const quoting = await runLine("/quote");
    expect(quoting.ports.boxes.at().quote?.id).toBe("m1");
    expect((await runLine("/copy")).copied).toEqual(["one"]);
    expect((await runLine("/undo")).told()).toHaveLength(1);
  });

  test("/topic changes the topic, - removes it, and alone it is shown", async () => {
    const m = await runLine("/topic soup, and bread");
    expect(m.core.calls("call")).toEqual([
      [
        "updateChannelPartial",
        { path: { type: "messaging", id: "general" }, body: { set: { topic: "soup, and bread" } } },
      ],
    ]);
    expect(m.text()).toBe("");
    expect((await runLine("/topic -")).core.calls("call")[0]![1]).toMatchObject({
      body: { unset: ["topic"] },
    });
    expect((await runLine("/topic")).told().at(-1)).toContain("no topic");
  });

  test("a command without arguments refuses them, and does not suggest itself", async () => {
    const m = await runLine("/inbox please");
    expect(m.told()).toEqual(["/inbox takes nothing after it. As text: //inbox"]);
    expect(m.text()).toBe("/inbox please");
    expect((await runLine("/flag rude")).told()).toEqual([
      "/flag takes nothing after it, except as /flag [@user]. As text: //flag",
    ]);
  });

  test("/new with a name fills its form, and /rename with a name renames at once", async () => {
    expect(topPopup((await runLine("/new #book club")).screen)).toMatchObject({
      kind: "fields",
      name: "newChannel",
      fields: [{ key: "name", text: "book club" }, { key: "topic" }, {}, {}, {}, {}],
    });
    const m = await runLine("/rename #lunch crew");
    expect(m.core.calls("call")).toEqual([
      [
        "updateChannelPartial",
        { path: { type: "messaging", id: "general" }, body: { set: { name: "lunch crew" } } },
      ],
    ]);
    expect(m.told()).toEqual(["channel renamed to lunch crew"]);
    expect(topPopup((await runLine("/rename")).screen)).toMatchObject({ name: "editChannel" });
  });

  test("a refused line returns to the box", async () => {
    const m = screenWithUsers();
    m.core.answers.set("updateChannelPartial", () => Promise.reject(new Error("not allowed")));
    await m.type("/topic soup");
    await m.press("enter");
    expect([m.text(), m.told().at(-1)]).toEqual(["/topic soup", "not allowed"]);
  });

  test("/join joins and opens a channel, and only opens it if already joined", async () => {
    const m = await runLine("/join #kitchen");
    expect(m.core.calls("call").at(-1)).toEqual([
      "updateChannel",
      { path: { type: "messaging", id: "kitchen" }, body: { add_members: ["me"] } },
    ]);
    expect(m.screen.cid).toBe("messaging:kitchen");
  });

  test("an unknown person or channel names the list to look in, and the line stays", async () => {
    const typed = async (line: string, error: ApiError): Promise<unknown> => {
      const m = screenWithUsers();
      m.core.answers.set("queryChannels", () => ({ channels: [] }));
      m.core.answers.set("updateChannel", () => Promise.reject(error));
      m.core.openDirect = () => Promise.reject(error);
      await m.type(line);
      await m.press("enter");
      return [m.text(), m.told()];
    };
    const noUser = new ApiError("There is no user nobody", { status: 400, code: 4 });
    expect(await typed("/dm @nobody hi", noUser)).toEqual([
      "/dm @nobody hi",
      ["There is no user nobody. Try /user list."],
    ]);
    const noChannel = new ApiError("Channel messaging:nope does not exist", { status: 404, code: 16 });
    expect(await typed("/join nope", noChannel)).toEqual([
      "/join nope",
      ["Channel messaging:nope does not exist. /join lists the channels to join, /go your own."],
    ]);
  });

  test("/invite adds people by id or name", async () => {
    const m = await runLine("/invite @ana bo");
    expect(m.core.calls("call").at(-1)).toMatchObject([
      "updateChannel",
      { body: { add_members: ["ana", "bo"] } },
    ]);
  });

  test("/mute mutes the channel, also for a time; /mute @name is the provider's", async () => {
    expect((await runLine("/mute")).core.calls("call")[0]).toEqual([
      "muteChannel",
      { body: { channel_cid: "messaging:general" } },
    ]);
    expect((await runLine("/mute 2h")).core.calls("call")[0]![1]).toMatchObject({
      body: { expiration: 7_200_000 },
    });
    for (const line of ["/mute for 2h", "/mute until 2h"])
      expect((await runLine(line)).core.calls("call")[0]![1]).toMatchObject({
        body: { expiration: 7_200_000 },
      });
    expect((await runLine("/mute @ana ")).core.calls("send")).toMatchObject([[{}, { text: "/mute @ana " }]]);
    const [muted, unmuted] = [await runLine("/mute 2h"), await runLine("/unmute")];
    expect(muted.told().at(-1)).toMatch(/^#general muted until \S+/);
    expect(unmuted.core.calls("call")[0]![0]).toBe("unmuteChannel");
    expect(unmuted.told().at(-1)).toBe("#general is no longer muted");
  });

  test("/mute with a name but no @ shows how to write it, and sends nothing", async () => {
    const m = await runLine("/mute ana");
    expect(m.core.calls("call")).toEqual([]);
    expect(m.core.calls("send")).toEqual([]);
    expect(m.told().at(-1)).toContain("/mute @name");
  });

  test("/nick changes the user's name", async () => {
    expect((await runLine("/nick Mira K")).core.calls("call")[0]).toEqual([
      "updateUsersPartial",
      { body: { users: [{ id: "me", set: { name: "Mira K" } }] } },
    ]);
  });

  test("/theme lists the themes or sets a named one, and refuses an unknown one", async () => {
    const m = screenWithUsers();
    await m.type("/theme light\r");
    expect(m.ports.themes.chosen()).toBe("light");
    await m.type("/theme\r");
    expect(topPopup(m.screen)).toMatchObject({
      kind: "picker",
      title: "Theme · shown at once",
    });
    await m.press("esc");
    await m.type("/theme pink\r");
    expect(m.text()).toBe("/theme pink");
    expect(m.told().at(-1)).toContain("There is no theme pink: auto, dark, light, ");
  });

  test("/search and :search open the search with the words", async () => {
    for (const line of ["/search soup in:here", ":search soup in:here"]) {
      const m = await runLine(line);
      expect(topPanel(m.screen)).toMatchObject({ name: "search" });
      expect(m.screen.search.editor.text).toBe("soup in:here");
      expect(m.core.calls("send")).toEqual([]);
    }
    expect((await runLine("/search")).screen.search.editor.text).toBe("");
  });

  test("a command that needs arguments shows its usage, and stays", async () => {
    for (const name of ["dm", "nick"]) {
      const m = await runLine(`/${name} `);
      expect(m.text()).toBe(`/${name} `);
      expect(m.told().at(-1)).toContain(`Usage: /${name}`);
    }
  });
});

describe("Enter while suggestions are open", () => {
  test("runs the typed command, although longer ones are suggested", async () => {
    const m = screenWithUsers();
    await m.type("/poll");
    expect(m.screen.completion?.items.map(({ label }) => label)).toContain("/poll close");
    await m.press("enter");
    expect(topPopup(m.screen)).toMatchObject({ kind: "poll" });
  });

  test("completes half a command without running it, and takes a selected suggestion", async () => {
    const m = screenWithUsers();
    await m.type("/wh");
    await m.press("enter");
    expect([m.text(), m.screen.panels]).toEqual(["/who ", []]);
    await m.press("C-c");
    await m.type("/who");
    await m.press("down", "enter");
    expect(m.text()).toBe("/whois ");
  });

  test("completes half a name first, and Tab never runs anything", async () => {
    const m = screenWithUsers();
    await m.type("/dm @jo");
    await m.press("enter");
    expect([m.text(), m.core.calls("openDirect")]).toEqual(["/dm @jose ", []]);
    await m.press("C-c");
    await m.type("/who");
    await m.press("tab");
    expect([m.text(), m.screen.panels]).toEqual(["/who ", []]);
  });
});

test("/who with somebody who is loaded opens the menu of that person", async () => {
  const m = screenWithUsers();
  await m.type("/who @jose ");
  await m.press("enter");
  expect(topPopup(m.screen)).toMatchObject({ kind: "picker" });
  expect(m.core.calls("call").map(([name]) => name)).not.toContain("queryUsers");
  expect(m.text()).toBe("");
});

test("/channel create offers people, and no channel that exists", async () => {
  const m = screenWithUsers();
  await m.type("/channel create ");
  expect(m.screen.completion?.items).toEqual([]);
  await m.type("@jo");
  expect(m.screen.completion?.items.map(({ label }) => label)).toEqual(["@jose"]);
});

test("help begins with the keys of what has the focus, and End shows its last lines", async () => {
  const m = screenWithUsers();
  await m.press("f1");
  expect(topPopup(m.screen)).not.toHaveProperty("first");
  await m.press("esc", "esc", "?");
  expect(topPopup(m.screen)).toMatchObject({ kind: "help", first: "browse", top: 0 });
  await m.press("end");
  expect(topPopup(m.screen)).not.toMatchObject({ top: 0 });
  await m.press("home");
  expect(topPopup(m.screen)).toMatchObject({ top: 0 });
});

test("the palette mutes the channel, and unmutes it", async () => {
  const m = screenWithUsers();
  await m.press("C-p");
  await m.type("mute");
  await m.press("enter");
  await m.settle();
  expect(m.core.calls("call").at(-1)).toMatchObject([
    "muteChannel",
    { body: { channel_cids: [m.screen.cid] } },
  ]);
});

test("hints are wrapped, not cut, in a narrow window", async () => {
  const m = screenWithUsers();
  await m.type("/dm ");
  const theme = makeTheme(0);
  const { rows, rect } = drawCompletion(m.screen.completion!, { theme, columns: 40, bottom: 20, left: 2 });
  expect(rows.join(" ").replace(/[│\s]+/g, " ")).toContain("text after the names is sent");
  for (const row of rows) expect(cellWidth(row)).toBe(rect.width);
});

test("a single suggestion that is too narrow for its description shows it below", () => {
  const item = { label: "/reminder list", value: "", detail: "List your reminders and bookmarks" };
  const drawn = drawCompletion({ items: [item], selected: 0 } as never, {
    theme: makeTheme(0),
    columns: 40,
    bottom: 20,
    left: 2,
  });
  expect(drawn.rows.slice(2, -2).map((row) => row.slice(3, -2).trim())).toEqual([item.label, item.detail]);
});
