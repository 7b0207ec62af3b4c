/** The plain chat: lines in, lines out, and never a control sequence (specification/screen.md §7). */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Opened } from "../../../src/open.ts";
import { runPlain } from "../../../src/tui/plain/plain.ts";
import { spoken } from "../../../src/tui/render/spoken.ts";
import { fakeDisk } from "../../support/fake-disk.ts";
import { listWorkspace } from "../../support/user-lists.ts";
import { EPOCH, FakeCore, channel, message, stateOf, user } from "../../support/fake-core.ts";

function workspace(): FakeCore {
  return new FakeCore(
    stateOf([
      channel("general", { messages: [message("m1", "ana", "hello\nyou")] }),
      channel("ops", {
        unread: 2,
        mentions: 1,
        messages: [message("o1", "bo", "\x1b[2Jlook", { minute: 5 })],
      }),
    ]),
  );
}

/** Calls `onOpen` once the channel is open, then yields the typed lines. */
async function* lineByLine(typed: readonly string[], onOpen: () => void): AsyncGenerator<string> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  onOpen();
  for (const line of typed) yield `${line}\n`;
}

async function chat(
  core: FakeCore,
  typed: string[],
  connect = () => core.connectUser(),
  onOpen: () => void = () => {},
  requested = "messaging:general",
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const opened: Opened = {
    core,
    profile: { name: "local", kind: "local" },
    places: { key: "k3y", app: "k3y@local", state: "/state", cache: "/cache" },
    user: { id: "me" },
    maybeSent: () => false,
    giveUp: () => Promise.resolve(),
    lastFailure: () => undefined,
    runsLong: () => {},
    resetSend: () => {},
    timeLeft: () => Infinity,
    connect,
    close: async () => {},
  };
  const code = await runPlain({
    opened,
    channelType: "messaging",
    utc: true,
    channel: requested,
    disk: fakeDisk({ "/home/me/a.txt": 3, "/home/me/b.txt": 2000 }),
    input: Readable.from(lineByLine(typed, onOpen)),
    print: (line) => lines.push(line),
    load: async () => {},
    random: () => "id",
    now: () => EPOCH,
  });
  return { code, lines };
}

test("a channel is opened with its last messages, one line each", async () => {
  const { code, lines } = await chat(workspace(), []);
  expect(code).toBe(0);
  expect(lines).toContain("-- #general --");
  expect(lines).toContain("09:00 ana: hello / you");
});

function withDesign(): FakeCore {
  const entry = channel("design");
  const design = {
    ...entry,
    cid: "team:design",
    channel: { ...entry.channel, cid: "team:design", type: "team" },
  };
  return new FakeCore(stateOf([channel("general"), design]));
}
const started = (core: FakeCore, requested: string, typed: string[] = []) =>
  chat(core, typed, undefined, undefined, requested);

test("the requested channel is looked up if it is not in the list, and #name is also one of another type", async () => {
  const core = withDesign();
  expect((await started(core, "messaging:public")).lines).toContain("-- messaging:public --");
  core.answers.set("queryChannels", () => ({ channels: [] }));
  expect((await started(core, "messaging:design")).lines).toContain("-- #design --");
});

test("a requested channel that does not exist is told, and another one opens", async () => {
  const core = withDesign();
  core.answers.set("queryChannels", () => ({ channels: [] }));
  const { lines } = await started(core, "messaging:nowhere");
  const told = lines.indexOf("! messaging:nowhere does not exist, or you may not read it");
  expect(told).toBeGreaterThan(-1);
  expect(lines.slice(told + 1)).toContainEqual(expect.stringMatching(/^-- #(general|design) --$/));
});

test("/join opens a channel of the list, and joins any other before it opens", async () => {
  const core = withDesign();
  const joined = (): unknown[] => core.calls("call").filter(([name]) => name === "updateChannel");
  expect((await started(core, "messaging:general", ["/join design"])).lines).toContain("-- #design --");
  expect(joined()).toEqual([]);
  const { lines } = await started(core, "messaging:general", ["/join gear"]);
  expect(joined()).toMatchObject([["updateChannel", { path: { type: "messaging", id: "gear" } }]]);
  expect(lines).toContain("-- messaging:gear --");
});

test("a message that was not sent says so, and why", () => {
  const failed = { ...message("m1", "ana", "hello"), status: "failed" as const };
  const how = { utc: true, now: EPOCH, me: "ana" };
  expect(spoken({ ...failed, error: { message: "of a run that was killed" } }, how)).toBe(
    "09:00 ana: hello · not sent: of a run that was killed",
  );
  expect(spoken(failed, how)).toBe("09:00 ana: hello · not sent");
});

test("a line is sent to the open channel, and a slash runs a command", async () => {
  const core = workspace();
  await chat(core, ["hi there", "/next", "again", "/quit", "never read"]);
  expect(core.calls("send")).toMatchObject([
    [{ cid: "messaging:general" }, { text: "hi there" }],
    [{ cid: "messaging:ops" }, { text: "again" }],
  ]);
});

test("/inbox, /threads, /later and /drafts print a line per entry, or that there is none", async () => {
  const { lines } = await chat(listWorkspace(), ["/inbox", "/threads", "/later", "/drafts"]);
  expect(lines.slice(lines.indexOf("09:00 ana: deploy at ten?") + 1)).toMatchInlineSnapshot(`
    [
      "#ops, 5 new · @1, 09:30; cy: look @me",
      "#design, 3 new, 09:40; bo: a new colour",
      "#general, 2 new, 10:00; ana: what about t1?; bo: an answer to t1",
      "#general, 1 new, 09:50; ana: what about t2?; bo: an answer to t2",
      "#general, 09:55; ana: what about t3?; bo: an answer to t3",
      "-- Upcoming --",
      "#general, in 1 d; cy: keep m1",
      "#general, in 1 d 1 h; cy: keep k2",
      "-- Someday --",
      "#general, 09:01; cy: keep k3",
      "#ops, 09:00; for",
      "#general · thread, 09:00; a reply",
      "#gone, 09:00; nowhere to go",
    ]
  `);
  const empty = await chat(new FakeCore(stateOf([channel("general")])), ["/inbox", "/later"]);
  expect(empty.lines.slice(-2)).toEqual(["Inbox: nothing.", "Later: nothing."]);
});

test("an unknown command is refused and not sent; with a second slash it is text", async () => {
  const core = workspace();
  const { lines } = await chat(core, ["/nxet", "//nxet"]);
  expect(lines).toContain("! There is no /nxet here; near it: /next. As text: //nxet");
  expect(core.calls("send")).toMatchObject([[{}, { text: "/nxet" }]]);
});

test("command names of other chat programs work, and missing features say what to do instead", async () => {
  const { lines } = await chat(workspace(), ["/names", "/switch op", "/call @bo", "/msg @bo hi"]);
  const names = await chat(workspace(), ["/who", "/go op"]);
  expect(lines.slice(0, names.lines.length)).toEqual(names.lines);
  expect(lines.join("\n")).toContain("! Calls and recording are not in Parley. ");
});

test("/dm opens the direct channel and sends the text; commands of the screen only are refused", async () => {
  const core = workspace();
  const { lines } = await chat(core, ["/dm", "/dm @ana hi there", "/split ops", "/theme dark"]);
  expect(lines).toContain("! To whom? /dm @NAME TEXT");
  expect(core.calls("openDirect")).toEqual([[["ana"]]]);
  expect(core.calls("send")).toMatchObject([[{}, { text: "hi there" }]]);
  expect(lines).toContain("! /split works on the full screen only. As text: //split");
  expect(lines.at(-1)).toBe("! /theme works on the full screen only. As text: //theme");
});

test("/mute, with a time or alone, and /unmute are of the channel; with a person they go to the provider", async () => {
  const core = workspace();
  core.changeChannel("messaging:general", (entry) => ({
    ...entry,
    channel: { ...entry.channel, config: { commands: [{ name: "mute" }, { name: "unmute" }] } } as never,
  }));
  await chat(core, ["/mute", "/mute for 2h", "/unmute", "/mute @ana"]);
  expect(core.calls("call").map(([name]) => name)).toEqual(["muteChannel", "muteChannel", "unmuteChannel"]);
  expect(core.calls("send")).toMatchObject([[{}, { text: "/mute @ana" }]]);
});

test.each([
  ["/mute 2h", 7_200_000],
  ["/mute for 2h", 7_200_000],
  ['/mute "2h"', 7_200_000],
  ['/mute until "2h', 7_200_000],
  ["/mute in 10 min", 600_000],
])("%s mutes the open channel for so long", async (line, expiration) => {
  const core = workspace();
  await chat(core, [line]);
  expect(core.calls("call")).toMatchObject([
    ["muteChannel", { body: { channel_cid: "messaging:general", expiration } }],
  ]);
});

test("after /leave no channel is open, and what is typed goes nowhere", async () => {
  const core = workspace();
  const { lines } = await chat(core, ["/leave", "still here?"]);
  expect(core.calls("call").at(-1)![0]).toBe("updateChannel");
  expect(core.calls("send")).toEqual([]);
  expect(lines.slice(-2)).toEqual(["Open a channel first: /go NAME", "Open a channel first: /go NAME"]);
});

test("/go asks for the hidden channels first, once", async () => {
  const core = workspace();
  await chat(core, ["/go op", "/go general"]);
  expect(core.calls("queryChannels")).toMatchObject([[{ filter_conditions: { hidden: true } }]]);
});

test("/go finds a channel by a few letters, or says that there is none", async () => {
  const { lines } = await chat(workspace(), ["/go op", "/go zzzz"]);
  expect(lines).toContain("-- #ops --");
  expect(lines).toContain("No such channel.");
});

test("nothing printed contains a control character", async () => {
  const { lines } = await chat(workspace(), ["/next"]);
  expect(lines.some((l) => l.includes("look"))).toBe(true);
  // oxlint-disable-next-line no-control-regex
  expect(lines.filter((l) => /[\x00-\x1f\x7f-\x9f]/.test(l))).toEqual([]);
});

const say = (more: Parameters<typeof message>[3], text = ""): string =>
  spoken(message("m", "ana", text, more), { utc: true, now: EPOCH, me: "me" });

test("a message is printed as time, name and text", () => {
  const held = message("m", "ana", "", {
    attachments: [{ type: "image", title: "cat.png" }],
    parent_id: "p",
  });
  const named = { ...held, user: user("ana", { name: "Ana\x07" }) };
  expect(spoken(named, { utc: true, now: EPOCH, me: "me" })).toMatch(
    /^09:00 Ana.?, in a thread: cat.png · picture$/,
  );
  expect(say({})).toBe("09:00 ana: (no text)");
  expect(say({ type: "deleted" }, "gone")).toBe("09:00 ana: message deleted");
});

test("each card is printed in words, without Markdown marks", () => {
  expect(say({}, "**ten** or _eleven_?\n- `make`\n- [docs](https://docs.example/x)")).toMatchInlineSnapshot(
    `"09:00 ana: ten or eleven? / make / docs (https://docs.example/x)"`,
  );
  expect(say({}, "chapter ~~4~~ 5")).toBe("09:00 ana: chapter (struck out: 4) 5");
  const poll = {
    id: "p1",
    name: "Lunch?",
    enforce_unique_vote: true,
    options: [
      { id: "o1", text: "Soup" },
      { id: "o2", text: "Noodles" },
    ],
    own_votes: [{ id: "v1", option_id: "o2" }],
    vote_counts_by_option: { o2: 3 },
    latest_votes_by_option: {},
    latest_answers: [],
    vote_count: 3,
  };
  expect(say({ poll: poll as never })).toMatchInlineSnapshot(
    `"09:00 ana: poll: Lunch? (one answer, 3 votes); 1 Soup, 0 votes; 2 Noodles, 3 votes, yours"`,
  );
  expect(
    say(
      {
        attachments: [
          { type: "file", title: "report.pdf", asset_url: "https://f.example/r", file_size: 14_000 },
        ],
      },
      "see",
    ),
  ).toMatchInlineSnapshot(`"09:00 ana: see · report.pdf · pdf · 14 kB · https://f.example/r"`);
  const link = { og_scrape_url: "https://ci.example/881", title: "Build 881 failed", text: "2 tests, 14 s" };
  expect(say({ attachments: [link] }, "https://ci.example/881")).toMatchInlineSnapshot(
    `"09:00 ana: https://ci.example/881 · Build 881 failed, 2 tests, 14 s, ci.example"`,
  );
  const at = "2026-11-17T09:00:00.000Z";
  const group = { count: 2, sum_scores: 2, first_reaction_at: at, last_reaction_at: at };
  expect(say({ reaction_groups: { tada: group }, reply_count: 3 }, "done")).toMatchInlineSnapshot(
    `"09:00 ana: done · reactions:  🎉 2  · 3 replies"`,
  );
  const quoted_message = message("q", "bo", "at **ten**?");
  expect(say({ quoted_message, quoted_message_id: "q" }, "yes")).toMatchInlineSnapshot(
    `"09:00 ana: yes · quoting bo at ten?"`,
  );
  const shared_location = { latitude: 52.5, longitude: 13.4 };
  expect(say({ shared_location: shared_location as never })).toMatchInlineSnapshot(
    `"09:00 ana: location · 52.50000°N 13.40000°E"`,
  );
});

test("a refused sign-in says what helps; an empty line retries, and early lines are kept", async () => {
  const core = workspace();
  let tries = 0;
  const refused = {
    phase: "stopped",
    cause: "refused",
    code: 40,
    reason: "x",
    failures: 0,
    catchingUp: false,
  };
  const { code, lines } = await chat(core, ["", "hi there"], () => {
    if (++tries > 1) return core.connectUser();
    core.change((state) => ({ ...state, link: refused as never }));
    return Promise.reject(new Error("token was revoked"));
  });
  expect(code).toBe(0);
  expect(tries).toBe(2);
  expect(lines).toContain(
    "-- signed out: the token has expired or was revoked · parley login or Enter to retry --",
  );
  expect(core.calls("send")).toMatchObject([[{ cid: "messaging:general" }, { text: "hi there" }]]);
});

test("mentions are looked up, also beyond the loaded members (R-MENT-4)", async () => {
  const core = new FakeCore(stateOf([channel("general", { memberCount: 150 })]));
  core.call = async (name: string, args?: unknown) => {
    core.asked.push({ name, args: [args] });
    const found = ["zed", "zedekiah"].map((id) => ({ user_id: id, user: user(id) }));
    return (name === "queryMembers" ? { members: found } : {}) as never;
  };
  await chat(core, ["hi @zed and nobody@zed.example", "no names here"]);
  expect(core.calls("send").map(([, composition]) => composition)).toEqual([
    { text: "hi @zed and nobody@zed.example", mentionedUsers: ["zed"] },
    { text: "no names here" },
  ]);
  expect(core.calls("queryMembers")).toHaveLength(1);
});

test("a failed upload is reported once with its reason", async () => {
  const core = workspace();
  core.uploads.transfer = (_cid, _source, how) => {
    how?.started?.();
    return Promise.reject(new Error("too big"));
  };
  const { lines } = await chat(core, ["/upload notes.txt"]);
  expect(lines.filter((line) => line.includes("too big"))).toEqual(["! Error uploading attachment: too big"]);
});

test("messages of others are printed, and read in the open channel; own messages are not repeated", async () => {
  const core = workspace();
  const events = [
    { type: "message.new", message: message("n1", "ana", "here") },
    { type: "message.new", cid: "messaging:ops", message: message("n2", "bo", "there") },
    { type: "notification.message_new", cid: "messaging:ops", message: message("n3", "bo", "told") },
    { type: "message.new", message: message("n4", "me", "mine") },
  ];
  const { lines } = await chat(core, ["/who"], undefined, () => {
    core.asked.length = 0;
    for (const event of events) core.hear(event);
  });
  expect(lines.filter((line) => /here|there|told|mine/.test(line))).toEqual([
    "09:00 ana: here",
    "#ops: 09:00 bo: there",
    "#ops: 09:00 bo: told",
  ]);
  expect(core.calls("seen")).toEqual([["messaging:general"]]);
  expect(core.hearers).toBe(0);
});

test("an event with missing parts is printed with what it has", async () => {
  const core = workspace();
  const base = { id: "n1", user: { id: "ana" }, created_at: "2026-11-17T09:00:00Z" };
  const messages = [
    { ...base, text: "poll", poll: { id: "p1", name: "Lunch?" } },
    {
      ...base,
      text: "odd",
      poll: { id: "p1", name: "Tea?", options: [null, { id: "o1" }], own_votes: [null] },
    },
    { ...base, text: undefined, attachments: "none", latest_reactions: 7, reaction_groups: null },
  ];
  const { lines, code } = await chat(core, [""], undefined, () => {
    for (const each of messages) core.hear({ type: "message.new", cid: "messaging:general", message: each });
  });
  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith("09:00 ana:")).slice(-3)).toEqual([
    "09:00 ana: poll · poll: Lunch? (0 votes)",
    "09:00 ana: odd · poll: Tea? (0 votes); 1 (no text), 0 votes",
    "09:00 ana: (no text)",
  ]);
});

test("a channel shows its last ten messages and is read, and the previous channel is left", async () => {
  const messages = Array.from({ length: 12 }, (_, i) => message(`m${i}`, "ana", `line ${i}`));
  const core = new FakeCore(stateOf([channel("general", { messages }), channel("ops")]));
  const { lines } = await chat(core, ["/go ops", "/next", ""]);
  const shown = lines.filter((line) => /: line \d/.test(line));
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([10, "09:00 ana: line 2", "09:00 ana: line 11"]);
  expect([core.calls("left"), core.calls("seen")]).toEqual([
    [["messaging:general"]],
    [["messaging:general"], ["messaging:ops"]],
  ]);
  expect(core.kept.get("channel")).toBe("messaging:ops");
  expect(lines.at(-1)).toBe("nothing unread");
});

test("/who lists members and who is online, /help the commands, and /go opens a person", async () => {
  const core = workspace();
  const member = (id: string, online: boolean) => [
    id,
    {
      user_id: id,
      user: user(id, { online }),
      channel_role: "channel_member",
      created_at: "",
      updated_at: "",
    },
  ];
  core.changeChannel("messaging:general", (entry) => ({
    ...entry,
    members: new Map([member("ana", true), member("me", false)] as never),
  }));
  core.change((state) => ({
    ...state,
    users: new Map([
      ["ana", user("ana")],
      ["me", user("me", { online: false })],
    ]),
  }));
  const { lines } = await chat(core, ["/who", "/help", "/go @ana"]);
  expect(lines).toContain("ana, online");
  expect(lines.filter((line) => line.startsWith("me"))).toEqual(["me"]);
  expect(lines.some((line) => line.startsWith("Type to send."))).toBe(true);
  expect(core.calls("openDirect")).toEqual([[["ana"]]]);
  expect(lines.at(-1)).toBe("-- messaging:!members-ana --");
});

test("/who NAME shows a user by id or name", async () => {
  const core = workspace();
  core.change((state) => ({ ...state, users: new Map([["u7", user("u7", { name: "Ana Ribeiro" })]]) }));
  core.answers.set("queryUsers", () => ({ users: [user("u7", { name: "Ana Ribeiro", role: "user" })] }));
  const { lines } = await chat(core, ["/who ana ribeiro", "/who @u7"]);
  const requests = core.calls("call").filter(([what]) => what === "queryUsers");
  expect(requests).toHaveLength(2);
  for (const [, given] of requests) expect(JSON.stringify(given)).toContain('"u7"');
  expect(lines.filter((line) => line.includes("Ana Ribeiro")).length).toBeGreaterThanOrEqual(2);
});

test("/who counts the members of a big channel without listing them", async () => {
  const core = workspace();
  core.changeChannel("messaging:general", (entry) => ({ ...entry, memberCount: 5001 }));
  core.answers.set("queryMembers", () => ({
    members: [{ user_id: "ana", user: user("ana", { online: true }) }],
  }));
  const { lines } = await chat(core, ["/who"]);
  expect(lines.slice(-2)).toEqual([
    "ana, online",
    "… 5,000 more members: parley member list -c messaging:general --all, in a shell",
  ]);
});

test("without a channel nothing is sent, and /go is suggested", async () => {
  const core = new FakeCore(stateOf([]));
  core.answers.set("queryChannels", () => ({ channels: [] }));
  const { lines } = await chat(core, ["hello", "/who"]);
  expect(lines.at(-1)).toBe("Open a channel first: /go NAME");
  expect(core.calls("send")).toEqual([]);
});

test("failures are printed in words: a wrong line, a question for the shell, a refusal, a wait, a connection error", async () => {
  const core = workspace();
  const send = core.send.bind(core);
  const held = message("x", "me", "x");
  core.send = (place, composition) => ({
    ...send(place, composition),
    outcome: Promise.resolve(
      (composition.text === "refuse"
        ? { state: "failed", message: held, error: { message: "too\x07 long" } }
        : composition.text === "wait"
          ? { state: "waiting", message: held }
          : { state: "sent", message: held }) as never,
    ),
  });
  core.call = () => Promise.reject(new Error("gone away"));
  const { lines } = await chat(core, [
    "/member add",
    "/channel truncate",
    "/member list",
    "refuse",
    "wait",
    "fine",
    "",
  ]);
  const notices = lines.filter((line) => line.startsWith("! "));
  expect(notices[0]).toMatch(/^! .*users/);
  expect(notices[1]).toMatch(/^! .* To confirm, run it in a shell with --yes\.$/);
  expect(notices.slice(2)).toEqual(["! gone away", "! not sent: too␇ long", "! sending: wait"]);
});

test("a list prints its rows under column names, and an empty one prints nothing", async () => {
  const core = workspace();
  const answers = [
    { members: [{ user_id: "ana", user: user("ana"), channel_role: "channel_member" }] },
    { members: [] },
  ];
  core.call = async () => answers.shift() as never;
  const { lines } = await chat(core, ["/member list", "/member list"]);
  expect(lines.find((line) => line.startsWith("USER"))).toBeDefined();
  expect(lines.find((line) => line.startsWith("ana "))).toBeDefined();
  expect(lines.at(-1)).toBe("nothing");
});

test("after the connection ended the next line reconnects, an empty one too", async () => {
  for (const typed of ["", "hi"]) {
    const core = workspace();
    await chat(core, [typed], () => {
      core.change((s) => ({ ...s, link: { ...s.link, phase: "stopped" } }));
      return core.connectUser();
    });
    expect(core.calls("reconnect")).toHaveLength(1);
  }
  const core = workspace();
  await chat(core, ["hi"]);
  expect(core.calls("reconnect")).toEqual([]);
});

test("an unknown connection error says how to continue, and /quit ends the wait", async () => {
  let tries = 0;
  const { code, lines } = await chat(workspace(), ["/quit", "never read"], () => {
    tries++;
    return Promise.reject(new Error("no route"));
  });
  expect([code, tries]).toEqual([0, 1]);
  expect(lines.at(-1)).toMatch(/^! no route · /);
});

test("a sign-in from elsewhere is noticed without a line", async () => {
  const core = workspace();
  let tries = 0;
  const { lines } = await chat(core, ["hi there"], () => {
    if (++tries > 1) return core.connectUser();
    setImmediate(() => core.hear({ type: "connection.changed" }));
    return Promise.reject(new Error("not yet"));
  });
  expect(tries).toBe(2);
  expect(lines).toContain("-- #general --");
});

test("/search lists numbered results, and /go opens one with the messages around it", async () => {
  const core = workspace();
  const found = [
    message("o1", "bo", "a kettle", { cid: "messaging:ops", minute: 5 }),
    message("r1", "ana", "two\nkettles", { parent_id: "m1", minute: 6 }),
  ];
  const requests: unknown[] = [];
  core.call = async (name: string, args?: unknown) => {
    if (name !== "search") return {} as never;
    requests.push((args as { query: unknown }).query);
    return { results: found.map((one) => ({ message: one })) } as never;
  };
  const { lines } = await chat(core, ["/search kettle from:@bo sort:newest", "/go 1", "/search is:late"]);
  expect(requests).toMatchObject([
    { message_filter_conditions: { "user.id": "bo", text: { $q: "kettle" } }, limit: 20 },
  ]);
  const output = lines.slice(lines.indexOf("1. #ops, 09:05 bo: a kettle"));
  expect(output).toEqual([
    "1. #ops, 09:05 bo: a kettle",
    "2. #general in a thread, 09:06 ana: two kettles",
    "/go NUMBER opens one of them.",
    "-- #ops --",
    "09:05 bo: ␛look",
    "> 09:05 bo: ␛look",
    "! is:late must be one of pinned, thread",
  ]);
  expect(core.calls("jumpTo")).toEqual([[{ cid: "messaging:ops" }, "o1"]]);
  found.push(message("r2", "ana", "a third", { parent_id: "m1", show_in_channel: true, minute: 7 }));
  core.asked.length = 0;
  await chat(core, ["/search kettle", "/go 2", "/go 3"]);
  expect(core.calls("jumpTo")).toEqual([
    [{ cid: "messaging:general", parentId: "m1" }, "r1"],
    [{ cid: "messaging:general" }, "r2"],
  ]);
  found.length = 0;
  expect((await chat(core, ["/search kettle", "/search"])).lines.slice(-2)).toEqual([
    "Nothing found for “kettle” in all your channels.",
    "/search words, from:@ana, in:#general …",
  ]);
});

test("/attach adds files to the next message, with patterns and ~, and reports errors", async () => {
  const core = workspace();
  core.uploads.prepare = async (file) => ({
    source: { name: file.split("/").at(-1)!, size: 2000, mimeType: "text/plain" } as never,
    attachment: { type: "file", title: file },
  });
  core.uploads.transfer = async () => ({ file: "https://files.example/x", duration: "1ms" });
  const { lines } = await chat(core, ["/attach ~/*.txt", "here they are", "and more", "/attach"]);
  expect(lines).toContain("-- b.txt, 2 kB, sent with the next message --");
  expect(lines).toContain("Attach which file? /attach FILE…");
  expect(core.calls("send")).toMatchObject([
    [{}, { text: "here they are", uploads: [{ name: "a.txt" }, { name: "b.txt" }] }],
    [{}, { text: "and more" }],
  ]);
  expect(core.calls("send")[1]).not.toHaveProperty("1.uploads");
  core.uploads.findBlock = async ({ name }) => (name === "b.txt" ? "size_limit" : undefined);
  const refused = await chat(core, ["/attach a.txt b.txt", "one of them"]);
  expect(refused.lines).toContain("! The attachment upload was blocked: size_limit");
  expect(refused.lines).toContain("-- a.txt, 2 kB, sent with the next message --");
  expect(core.calls("send").at(-1)).toMatchObject([{}, { text: "one of them" }]);
});

test("/files lists the channel's files with size, sender, time and address", async () => {
  const held = message("m9", "ana", "", {
    attachments: [{ type: "file", title: "a.pdf", asset_url: "https://f.example/a", file_size: 14_000 }],
  });
  const core = new FakeCore(stateOf([channel("general", { messages: [held] })]));
  const { lines } = await chat(core, ["/files"]);
  expect(lines).toContain("a.pdf · pdf · 14 kB · ana · 17 Nov 2026 09:00 · https://f.example/a");
  const none = await chat(new FakeCore(stateOf([channel("general")])), ["/files"]);
  expect(none.lines).toContain("No files or links here.");
});

test("a screen reader hears for whom a message is", () => {
  const how = { utc: true, now: EPOCH, me: "me" };
  const some = message("m", "ana", "psst", { restricted_visibility: ["bo", "me", "ana"] });
  expect(spoken(some, how)).toBe("09:00 ana, only for bo, you: psst");
});
