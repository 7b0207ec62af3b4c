/** Completion lists and mentions (R-MENT, R-CMD). */
import { expect, test } from "vitest";
import { completionFor } from "../../../../src/tui/views/composer/boxes/complete.ts";
import { user } from "../../../support/fake-core.ts";

const held = [user("ana"), user("jose", { name: "José Silva" }), user("hana"), user("bo")];
const facts = {
  people: held,
  users: held,
  channelType: "messaging",
  channels: [
    { cid: "messaging:general", title: "#general" },
    { cid: "team:gear", title: "#gear" },
  ],
  providerCommands: [{ name: "mute", description: "Mute somebody", args: "[@user]", set: "moderation_set" }],
};
const labels = (before: string): string[] => completionFor(before, facts)?.items.map((i) => i.label) ?? [];

test("@ at the start or after a blank lists people, beginnings before other matches (R-MENT-3, R-MENT-5)", () => {
  expect(labels("@an")).toEqual(["@ana", "@hana"]);
  expect(labels("mail@an")).toEqual([]);
  expect(labels("hey @").length).toBe(4);
});

test("case and accents do not matter, and the name is inserted (R-MENT-1)", () => {
  expect(completionFor("hi @JOS", facts)?.items[0]).toMatchObject({ insert: "@José Silva ", detail: "jose" });
});

test("/ alone lists all commands, common ones first; within a text it is text (R-CMD-1, R-CMD-2)", () => {
  expect(labels("/").slice(0, 6)).toEqual(["/help", "/search", "/dm", "/join", "/leave", "/invite"]);
  expect(labels("/")).toContain("/message react");
  expect(new Set(labels("/")).size).toBe(labels("/").length);
  expect(labels("and/or /mu")).toEqual([]);
});

test("the provider's commands are listed with Parley's (R-CMD-2)", () => {
  expect(labels("/mut")).toEqual(["/mute"]);
  expect(labels("/channel mu")).toContain("/channel mute");
});

test("after a command's name its arguments are explained (specification/command-line.md §7)", () => {
  const found = completionFor("/react ", facts);
  expect(found?.items).toEqual([]);
  expect(found?.help).toContain("/message react");
});

test("# lists channels by id and title, and : lists emoji from two letters on", () => {
  expect(completionFor("see #ge", facts)?.items.map((i) => i.insert)).toEqual(["#general ", "#gear "]);
  expect(labels(":t")).toEqual([]);
  expect(labels(":ta")).not.toEqual([]);
  expect(labels(":tada")[0]).toBe("🎉");
});

test("the beginning of a name comes first, then the beginning of a word, then other matches; of any name (R-MENT-5)", () => {
  const people = [
    user("x1", { name: "Susana" }),
    user("x2", { name: "Eva Anders" }),
    user("ann", { name: "Zoe" }),
  ];
  const items = completionFor("@an", { ...facts, people })?.items;
  expect(items?.map((item) => item.user?.id)).toEqual(["ann", "x2", "x1"]);
  expect(items?.map(({ user: _meant, ...item }) => item)).toEqual([
    { insert: "@Zoe ", label: "@Zoe", detail: "ann" },
    { insert: "@Eva Anders ", label: "@Eva Anders", detail: "x2" },
    { insert: "@Susana ", label: "@Susana", detail: "x1" },
  ]);
  expect(completionFor("@bo", facts)?.items).toMatchObject([{ insert: "@bo ", label: "@bo" }]);
  expect(completionFor("@E", { ...facts, people: [user("e", { name: "e\u0301a" })] })?.items).toHaveLength(1);
  expect(completionFor("@ea", { ...facts, people: [user("x", { name: "E\u0301a" })] })?.items).toHaveLength(
    1,
  );
});

test("channels are found by title and id, and the id is inserted", () => {
  const channels = [
    { cid: "messaging:c1", title: "#Kitchen" },
    { cid: "team:kit", title: "#Tools" },
  ];
  const found = (before: string) => completionFor(before, { ...facts, channels })?.items;
  expect(found("#kit")).toEqual([
    { insert: "#c1 ", label: "#Kitchen" },
    { insert: "#kit ", label: "#Tools" },
  ]);
  expect(found("#c1")).toEqual([{ insert: "#c1 ", label: "#Kitchen" }]);
  expect(found("#team:")).toEqual([{ insert: "#kit ", label: "#Tools" }]);
});

test("the exact command comes first, then by name; a provider's command hides Parley's of the same name", () => {
  const names = (before: string): string[] => labels(before).map((label) => label.slice(1));
  const listed = names("/poll");
  expect(listed.length).toBeGreaterThan(3);
  const [first, ...rest] = listed;
  expect(rest).toEqual(rest.toSorted((a, b) => a.localeCompare(b)));
  expect([first, listed.includes("poll create")]).toEqual([
    listed.toSorted((a, b) => a.localeCompare(b))[0],
    true,
  ]);
  const providerCommands = [
    { name: "zz", description: "Sleep", args: "[how long]", set: "" },
    { name: "zzz", description: "", args: "[how]", set: "" },
    { name: "zzzz", description: "Snore", args: "", set: "" },
    { name: "zza", description: "", args: "", set: "" },
    { name: "react", description: "Theirs", args: "", set: "" },
  ];
  expect(completionFor("/zz", { ...facts, providerCommands })?.items).toEqual([
    { insert: "/zz ", label: "/zz", detail: "[how long] · Sleep" },
    { insert: "/zza ", label: "/zza", detail: "" },
    { insert: "/zzz ", label: "/zzz", detail: "[how]" },
    { insert: "/zzzz ", label: "/zzzz", detail: "Snore" },
  ]);
  const react = completionFor("/rea", { ...facts, providerCommands })?.items.filter(
    (i) => i.label === "/react",
  );
  expect(react).toEqual([{ insert: "/react ", label: "/react", detail: "Theirs" }]);
});

test("a provider's command whose name has another meaning alone shows both meanings", () => {
  expect(completionFor("/mut", facts)?.items.map((item) => item.detail)).toEqual([
    expect.stringMatching(/^\[@user\] · Mute somebody, or \[TIME\] · Mute this channel/),
  ]);
});

test("the argument being written is explained, not counting flags", () => {
  const help = (before: string): string | undefined => completionFor(before, facts)?.help?.split("  ·  ")[1];
  const [first, second] = [help("/member ban "), help("/member ban ana x")];
  expect(first).toBeDefined();
  expect(help("/member ban an")).toBe(first);
  expect(help("/member ban ana --shadow")).toBe(first);
  expect(help("/member ban ana x y z")).toBe(second ?? first);
  expect(help("/usr/bin")).toBeUndefined();
  expect(completionFor("/usr/bin", facts)).toBeUndefined();
});

test("a name of several words is replaced whole (R-MENT-3)", () => {
  const people = [user("a1", { name: "Ana Ribeiro" }), user("a2", { name: "Ana Silva" })];
  const completion = completionFor("hi @ana s", { ...facts, people });
  expect(completion).toMatchObject({ start: 3, items: [{ insert: "@Ana Silva " }] });
  expect(completionFor("hi @ana sings", { ...facts, people })).toBeUndefined();
});

test("people and channels are completed after a command too", () => {
  expect(labels("/member add @bo")).toEqual(["@bo"]);
  expect(labels("/member list #gen")).toEqual(["#general"]);
});

test("commands about people complete ids, also without @, and commands about channels complete channels", () => {
  const inserted = (before: string) => completionFor(before, facts)?.items.map((i) => i.insert);
  expect(inserted("/dm jos")).toEqual(["@jose "]);
  expect(inserted("/dm @jos")).toEqual(["@jose "]);
  expect(inserted("/user mute an")).toEqual(["@ana ", "@hana "]);
  expect(inserted("/join ge")).toEqual(["#general ", "team:gear "]);
  expect(inserted("/channel join #ge")).toEqual(["#general ", "team:gear "]);
});

test("choices and flags of a command are completed, except flags already given", () => {
  const of = (before: string): string[] => completionFor(before, facts)?.items.map((i) => i.label) ?? [];
  expect(of("/channel mute --")).toEqual(["--until"]);
  expect(of("/channel mute --until 2h --")).toEqual([]);
  expect(completionFor("/theme d", { ...facts, choices: () => ["dark", "light"] })?.items).toEqual([
    { insert: "dark ", label: "dark" },
  ]);
});

test("a command's arguments are shown while it is written, of the provider's commands too", () => {
  expect(completionFor("/topic ", facts)?.help).toMatch(/^\/topic \[TEXT\] · /);
  const giphy = [{ name: "giphy", description: "Find a picture", args: "[text]", set: "fun_set" }];
  expect(completionFor("/giphy ", { ...facts, providerCommands: giphy })?.help).toBe(
    "/giphy [text] · Find a picture",
  );
});

test("after a command name of another chat program the completion is that of Parley's command", () => {
  for (const [theirs, ours] of [
    ["/kick @jos", "/member remove @jos"],
    ["/msg @jos", "/dm @jos"],
    ["/ignore ", "/block "],
  ] as const) {
    const [found, own] = [completionFor(theirs, facts), completionFor(ours, facts)];
    expect([found?.items, found?.help]).toEqual([own?.items, own?.help]);
    expect(found?.start).toBe(theirs.length - theirs.split(" ").at(-1)!.length);
  }
  expect(completionFor("/kick @jos", facts)?.items.map((i) => i.insert)).toEqual(["@jose "]);
});

test("a command that has longer ones stays first in their list after its blank", () => {
  expect(labels("/location ").slice(0, 2)).toEqual(["/location", "/location list"]);
  expect(labels("/who ")).toContain("@ana");
});

test("/keys lists the places, and after the keys the actions of the place, with what they do", () => {
  expect(labels("/keys ")).toEqual(expect.arrayContaining(["anywhere", "browse", "sidebar", "write"]));
  expect(labels("/keys browse X")).toEqual([]);
  expect(labels("/keys browse X pi")).toEqual(["pin"]);
  expect(completionFor("/keys browse g r re", facts)?.items[0]).toMatchObject({ detail: expect.anything() });
});
