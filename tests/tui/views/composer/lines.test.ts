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
import { Hands } from "../../../support/hands.ts";

const moderation = { name: "mute", description: "Mute somebody", args: "[@user]", set: "moderation_set" };

function hands(): Hands {
  const general = channel("general", { messages: [message("m1", "ana", "one")] });
  const config = { commands: [moderation] } as never;
  const users = new Map(["me", "ana", "bo"].map((id) => [id, user(id)]));
  users.set("jose", user("jose", { name: "José Silva" }));
  return new Hands(
    new FakeCore(
      stateOf([{ ...general, channel: { ...general.channel, config } }, channel("ops")], { users }),
    ),
  );
}

/** Types a line and presses Enter, whatever is suggested. */
async function enter(line: string): Promise<Hands> {
  const m = hands();
  await m.type(line);
  await m.press("enter");
  return m;
}

describe("each line", () => {
  test("/dm opens the channel with those who are named, by id or by name, and sends what stands behind", async () => {
    const m = await enter('/dm @"José Silva" @bo soup is ready ');
    expect(m.core.calls("openDirect")).toEqual([[["jose", "bo"]]]);
    expect(m.screen.cid).toBe("messaging:!members-jose-bo");
    expect(m.core.calls("send")).toMatchObject([
      [{ cid: "messaging:!members-jose-bo" }, { text: "soup is ready" }],
    ]);
  });

  test("/dm with one bare name needs no @", async () => {
    const m = await enter("/dm bo");
    expect(m.core.calls("openDirect")).toEqual([[["bo"]]]);
    expect(m.core.calls("send")).toEqual([]);
  });

  test("/who shows the members, /quit leaves, /help looks a word up, /poll opens its form", async () => {
    expect(topPanel((await enter("/who")).screen)).toMatchObject({ kind: "members" });
    expect((await enter("/quit")).left).toBe(true);
    expect(topPopup((await enter("/help leave")).screen)).toMatchObject({ kind: "help", query: "leave" });
    expect(topPopup((await enter("/poll")).screen)).toMatchObject({ kind: "poll" });
  });

  test.each([
    ["/poll create", "/poll"],
    ["/channel create", "/new"],
    ["/location share", "/location"],
  ])("%s with nothing behind it asks as %s does", async (command, line) => {
    const popup = topPopup((await enter(command)).screen);
    expect(popup).toBeDefined();
    expect(popup).toEqual(topPopup((await enter(line)).screen));
  });

  test.each([
    ["/thread list", { kind: "list", list: "threads" }],
    ["/reminders", { kind: "list", list: "later" }],
    ["/unread", { kind: "list", list: "inbox" }],
    ["/member list", { kind: "members" }],
  ])("%s is shown by the view of it, not as the shell's table", async (line, panel) => {
    const m = await enter(line);
    expect(JSON.stringify(topPanel(m.screen))).toContain(JSON.stringify(panel).slice(1, -1));
    expect(topPopup(m.screen)).toBeUndefined();
    expect(m.text()).toBe("");
  });

  test.each([
    ["/react", { kind: "picker", name: "react", about: "m1" }],
    ["/remind", { kind: "picker", name: "remind", about: "m1" }],
    ["/forward", { kind: "picker", name: "forward" }],
  ])(
    "%s alone asks by a list what to do with the message, and the cursor shows which",
    async (line, asked) => {
      const m = await enter(line);
      expect(topPopup(m.screen)).toMatchObject(asked);
      expect(m.selected()?.id).toBe("m1");
      expect(m.core.calls("call")).toEqual([]);
      expect(m.text()).toBe("");
    },
  );

  test("/remind with a time sets it for the message, by any words for a time; what is none is said and stays", async () => {
    const m = await enter("/remind in 10 min");
    expect(m.core.calls("call")).toMatchObject([
      ["createReminder", { path: { id: "m1" }, body: { remind_at: expect.stringMatching(/^2026-/) } }],
    ]);
    expect(m.text()).toBe("");
    expect(m.told().at(-1)).toMatch(/^reminder at /);
    const someday = await enter("/remind someday");
    expect(someday.told()).toEqual(["saved for later"]);
    for (const line of ["/remind soonish", "/remind yesterday"]) {
      const wrong = await enter(line);
      expect(wrong.core.calls("call")).toEqual([]);
      expect(wrong.told()[0]).toContain("/remind needs a future time");
      expect(wrong.text()).toBe(line);
    }
    const command = await enter("/remind m1 --in 2h");
    expect(command.core.calls("call")).toMatchObject([["getMessage", { path: { id: "m1" } }]]);
  });

  test.each(["/forward #ops", "/forward ops", '/forward "ops"'])(
    "%s forwards the message there",
    async (line) => {
      const m = await enter(line);
      expect(m.core.calls("send")).toMatchObject([
        [{ cid: "messaging:ops" }, { text: "↪ ana in #general\none" }],
      ]);
      expect(m.told()).toEqual(["forwarded to #ops"]);
    },
  );

  test("/forward to somebody by name goes to the direct channel, to a channel that is none stays", async () => {
    const m = await enter("/forward @José Silva");
    expect(m.core.calls("openDirect")).toEqual([[["jose"]]]);
    expect(m.core.calls("send")).toHaveLength(1);
    const wrong = await enter("/forward #nowhere");
    expect(wrong.core.calls("send")).toEqual([]);
    expect([wrong.text(), wrong.told()]).toEqual([
      "/forward #nowhere",
      ["There is no channel #nowhere here: Ctrl-K lists the channels."],
    ]);
  });

  test("/poll with a question has it in the form; its commands stay commands, and half of one is told", async () => {
    const m = await enter("/poll Lunch tomorrow?");
    expect(topPopup(m.screen)).toMatchObject({ kind: "poll", editor: { text: "Lunch tomorrow?" } });
    expect(topPopup((await enter("/poll lst")).screen)).toBeUndefined();
    const made = await enter("/poll create -o Soup -o Noodles Lunch?");
    expect(topPopup(made.screen)).toBeUndefined();
    expect(made.core.calls("call")[0]?.[0]).toBe("createPoll");
  });

  test("what a line has done is said in the words of its command, else with the line itself, cut where it is long", async () => {
    const m = await enter("/user block ana");
    expect(m.told()).toEqual(["ana blocked"]);
    const quiet = await enter(`/member remove ana ${"bo".repeat(60)}`);
    await quiet.press("y");
    await quiet.settle();
    expect(quiet.told()).toEqual([`done: /member remove ana ${"bo".repeat(60).slice(0, 40)}…`]);
    const empty = hands();
    showResult(empty.ports, { path: "task list", rest: "" }, { views: [], word: "nothing" });
    expect(empty.told()).toEqual(["nothing to show: /task list"]);
  });

  test("the id of what was made is told to nobody", () => {
    const m = hands();
    for (const view of [idView({ id: "tea-time" }), asView("tea-time is away")])
      showResult(m.ports, { path: "thread reply", rest: "yes,\nplease" }, { views: [view] });
    expect(m.told()).toEqual(["done: /thread reply yes, please", "tea-time is away"]);
  });

  test("/save keeps the message, /reply opens its thread, /edit is of the own newest one, /vote of the newest poll", async () => {
    const saved = await enter("/save");
    expect(saved.core.calls("call").map(([name]) => name)).toEqual(["createReminder"]);
    expect(topPanel((await enter("/reply")).screen)).toMatchObject({ kind: "thread", parentId: "m1" });
    const m = new Hands(
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
    expect((await enter("/vote")).told()).toHaveLength(1);
  });

  test("/report sends nothing before a reason was chosen, nor where the channel has no reports", async () => {
    const m = await enter("/report");
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
      const m = await enter(line);
      const { popups, panels, cid } = m.screen;
      return [m.text(), m.told(), m.core.calls("call"), m.core.calls("openDirect"), popups, panels, cid];
    };
    const done = JSON.stringify(await outcome(theirs));
    const plain = (text: string): string => text.replaceAll(`"${theirs}"`, `"${ours}"`);
    expect(done).not.toContain("There is no");
    expect(plain(done)).toBe(JSON.stringify(await outcome(ours)));
  });

  test("a name of other programs that the provider has is the provider's", async () => {
    const ban = { name: "ban", description: "Ban somebody", args: "[@user]", set: "moderation_set" };
    const general = channel("general");
    const config = { commands: [ban] } as never;
    const m = new Hands(
      new FakeCore(stateOf([{ ...general, channel: { ...general.channel, config } as never }])),
    );
    await m.type("/ban @bo\r");
    expect(m.core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "/ban @bo" }]]);
  });

  test("what Parley does not do says what to do instead, and stays in the box", async () => {
    const m = await enter("/call @bo");
    expect(m.told()[0]).toMatch(/^Calls and recording are not in Parley\. .*\/attach/);
    expect(m.text()).toBe("/call @bo");
    expect(m.core.calls("send")).toEqual([]);
  });

  test("/go opens the one channel that is called so, and asks by the list where it is none or several", async () => {
    expect((await enter("/go #ops")).screen.cid).toBe("messaging:ops");
    const asked = await enter("/go nowhere");
    expect(asked.screen.cid).toBe("messaging:general");
    expect(topPopup(asked.screen)).toMatchObject({ kind: "picker", name: "goto", query: "nowhere" });
    expect(topPopup((await enter("/go")).screen)).toMatchObject({ kind: "picker", name: "goto" });
  });

  test("/me with words is a message in italics, alone the form about oneself", async () => {
    const m = await enter("/me waves");
    expect(m.core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "_waves_" }]]);
    expect(topPopup((await enter("/me")).screen)).toMatchObject({ kind: "fields" });
  });

  test("/quote and /copy mean the newest message, /undo takes the last thing back or says that there is none", async () => {
    const quoting = await enter("/quote");
    expect(quoting.ports.boxes.at().quote?.id).toBe("m1");
    expect((await enter("/copy")).copied).toEqual(["one"]);
    expect((await enter("/undo")).told()).toHaveLength(1);
  });

  test("/topic changes what the channel is about, - takes it away, and alone it is told", async () => {
    const m = await enter("/topic soup, and bread");
    expect(m.core.calls("call")).toEqual([
      [
        "updateChannelPartial",
        { path: { type: "messaging", id: "general" }, body: { set: { topic: "soup, and bread" } } },
      ],
    ]);
    expect(m.text()).toBe("");
    expect((await enter("/topic -")).core.calls("call")[0]![1]).toMatchObject({ body: { unset: ["topic"] } });
    expect((await enter("/topic")).told().at(-1)).toContain("no topic");
  });

  test("a line that wants nothing behind it says so, and names itself as nothing that is near", async () => {
    const m = await enter("/inbox please");
    expect(m.told()).toEqual(["/inbox takes nothing after it. As text: //inbox"]);
    expect(m.text()).toBe("/inbox please");
    expect((await enter("/flag rude")).told()).toEqual([
      "/flag takes nothing after it, except as /flag [@user]. As text: //flag",
    ]);
  });

  test("/new with a name has it in its form, /rename with one changes it at once", async () => {
    expect(topPopup((await enter("/new #book club")).screen)).toMatchObject({
      kind: "fields",
      name: "newChannel",
      fields: [{ key: "name", text: "book club" }, { key: "topic" }, {}, {}, {}, {}],
    });
    const m = await enter("/rename #lunch crew");
    expect(m.core.calls("call")).toEqual([
      [
        "updateChannelPartial",
        { path: { type: "messaging", id: "general" }, body: { set: { name: "lunch crew" } } },
      ],
    ]);
    expect(m.told()).toEqual(["channel renamed to lunch crew"]);
    expect(topPopup((await enter("/rename")).screen)).toMatchObject({ name: "editChannel" });
  });

  test("a line that is refused comes back", async () => {
    const m = hands();
    m.core.answers.set("updateChannelPartial", () => Promise.reject(new Error("not allowed")));
    await m.type("/topic soup");
    await m.press("enter");
    expect([m.text(), m.told().at(-1)]).toEqual(["/topic soup", "not allowed"]);
  });

  test("/join makes one a member and opens the channel; one's own is only opened", async () => {
    const m = await enter("/join #kitchen");
    expect(m.core.calls("call").at(-1)).toEqual([
      "updateChannel",
      { path: { type: "messaging", id: "kitchen" }, body: { add_members: ["me"] } },
    ]);
    expect(m.screen.cid).toBe("messaging:kitchen");
  });

  test("an unknown person or channel names the list to look in, and the line stays", async () => {
    const typed = async (line: string, error: ApiError): Promise<unknown> => {
      const m = hands();
      m.core.answers.set("getChannel", () => Promise.reject(error));
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
    const m = await enter("/invite @ana bo");
    expect(m.core.calls("call").at(-1)).toMatchObject([
      "updateChannel",
      { body: { add_members: ["ana", "bo"] } },
    ]);
  });

  test("/mute is of the channel, alone and with a time; /mute @somebody is the provider's", async () => {
    expect((await enter("/mute")).core.calls("call")[0]).toEqual([
      "muteChannel",
      { body: { channel_cid: "messaging:general" } },
    ]);
    expect((await enter("/mute 2h")).core.calls("call")[0]![1]).toMatchObject({
      body: { expiration: 7_200_000 },
    });
    for (const line of ["/mute for 2h", "/mute until 2h"])
      expect((await enter(line)).core.calls("call")[0]![1]).toMatchObject({
        body: { expiration: 7_200_000 },
      });
    expect((await enter("/mute @ana ")).core.calls("send")).toMatchObject([[{}, { text: "/mute @ana " }]]);
    const [until, unmuted] = [await enter("/mute 2h"), await enter("/unmute")];
    expect(until.told().at(-1)).toMatch(/^#general muted until \S+/);
    expect(unmuted.core.calls("call")[0]![0]).toBe("unmuteChannel");
    expect(unmuted.told().at(-1)).toBe("#general is no longer muted");
  });

  test("a name without @ behind /mute stays in the box, and it is said how a person is written", async () => {
    const m = await enter("/mute ana");
    expect(m.core.calls("call")).toEqual([]);
    expect(m.core.calls("send")).toEqual([]);
    expect(m.told().at(-1)).toContain("/mute @name");
  });

  test("/nick changes one's name", async () => {
    expect((await enter("/nick Mira K")).core.calls("call")[0]).toEqual([
      "updateUsersPartial",
      { body: { users: [{ id: "me", set: { name: "Mira K" } }] } },
    ]);
  });

  test("/theme lists them, or takes the one that is named; another name is said to be none", async () => {
    const m = hands();
    await m.type("/theme light\r");
    expect(m.ports.themes.chosen()).toBe("light");
    await m.type("/theme\r");
    expect(topPopup(m.screen)).toMatchObject({ kind: "picker", name: "theme" });
    await m.press("esc");
    await m.type("/theme pink\r");
    expect(m.text()).toBe("/theme pink");
    expect(m.told().at(-1)).toContain("There is no theme pink: auto, dark, light, ");
  });

  test("/search and :search open the search with the words", async () => {
    for (const line of ["/search soup in:here", ":search soup in:here"]) {
      const m = await enter(line);
      expect(topPanel(m.screen)).toMatchObject({ kind: "search" });
      expect(m.screen.search.editor.text).toBe("soup in:here");
      expect(m.core.calls("send")).toEqual([]);
    }
    expect((await enter("/search")).screen.search.editor.text).toBe("");
  });

  test("a line that wants words says which, and stays", async () => {
    for (const name of ["dm", "nick"]) {
      const m = await enter(`/${name} `);
      expect(m.text()).toBe(`/${name} `);
      expect(m.told().at(-1)).toContain(`Usage: /${name}`);
    }
  });
});

describe("Enter while suggestions are open", () => {
  test("runs the command that is written, although a longer one is suggested", async () => {
    const m = hands();
    await m.type("/poll");
    expect(m.screen.completion?.items.map(({ label }) => label)).toContain("/poll close");
    await m.press("enter");
    expect(topPopup(m.screen)).toMatchObject({ kind: "poll" });
  });

  test("makes a half name whole and runs nothing; a choice that was walked to is taken", async () => {
    const m = hands();
    await m.type("/wh");
    await m.press("enter");
    expect([m.text(), m.screen.panels]).toEqual(["/who ", []]);
    await m.press("C-c");
    await m.type("/who");
    await m.press("down", "enter");
    expect(m.text()).toBe("/whois ");
  });

  test("half a name of somebody is completed first; Tab never runs anything", async () => {
    const m = hands();
    await m.type("/dm @jo");
    await m.press("enter");
    expect([m.text(), m.core.calls("openDirect")]).toEqual(["/dm @jose ", []]);
    await m.press("C-c");
    await m.type("/who");
    await m.press("tab");
    expect([m.text(), m.screen.panels]).toEqual(["/who ", []]);
  });
});

test("hints are wrapped, not cut, in a narrow window", async () => {
  const m = hands();
  await m.type("/dm ");
  const theme = makeTheme(0);
  const { rows, rect } = drawCompletion(m.screen.completion!, { theme, columns: 40, bottom: 20, left: 2 });
  expect(rows.join(" ").replace(/[│\s]+/g, " ")).toContain("text after the names is sent");
  for (const row of rows) expect(cellWidth(row)).toBe(rect.width);
});

test("a single choice without room for its words has them below, and not also cut beside it", () => {
  const item = { label: "/reminder list", value: "", detail: "List your reminders and bookmarks" };
  const drawn = drawCompletion({ items: [item], selected: 0 } as never, {
    theme: makeTheme(0),
    columns: 40,
    bottom: 20,
    left: 2,
  });
  expect(drawn.rows.slice(1, -1).map((row) => row.slice(2, -1).trim())).toEqual([item.label, item.detail]);
});
