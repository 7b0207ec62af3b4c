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

test("@ at the start or after a blank lists people, beginnings before middles (R-MENT-3, R-MENT-5)", () => {
  expect(labels("@an")).toEqual(["@ana", "@hana"]);
  expect(labels("mail@an")).toEqual([]);
  expect(labels("hey @").length).toBe(4);
});

test("case and accents do not matter, and the name is inserted (R-MENT-1)", () => {
  expect(completionFor("hi @JOS", facts)?.items[0]).toMatchObject({ insert: "@José Silva ", detail: "jose" });
});

test("/ alone lists all commands, the common ones first; elsewhere it is text (R-CMD-1, R-CMD-2)", () => {
  expect(labels("/").slice(0, 6)).toEqual(["/help", "/search", "/dm", "/join", "/leave", "/invite"]);
  expect(labels("/")).toContain("/message react");
  expect(new Set(labels("/")).size).toBe(labels("/").length);
  expect(labels("and/or /mu")).toEqual([]);
});

test("the provider's commands stand beside ours (R-CMD-2)", () => {
  expect(labels("/mut")).toEqual(["/mute"]);
  expect(labels("/channel mu")).toContain("/channel mute");
});

test("behind the name of a command of ours its arguments are explained (specification/command-line.md §7)", () => {
  const found = completionFor("/react ", facts);
  expect(found?.items).toEqual([]);
  expect(found?.help).toContain("/message react");
});

test("# lists channels by id and title, : lists emoji from two letters on", () => {
  expect(completionFor("see #ge", facts)?.items.map((i) => i.insert)).toEqual(["#general ", "#gear "]);
  expect(labels(":t")).toEqual([]);
  expect(labels(":tada")[0]).toBe("🎉");
});

test("a beginning counts before the beginning of a word, that before a middle; in any of the names (R-MENT-5)", () => {
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

test("channels are found by their titles without the # and by their ids, and the id is what is inserted", () => {
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

test("of commands the exact one stands first, then by name; what the provider calls the same hides ours", () => {
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

test("a provider's command that means something else alone tells both meanings", () => {
  expect(completionFor("/mut", facts)?.items.map((item) => item.detail)).toEqual([
    expect.stringMatching(/^\[@user\] · Mute somebody, or \[TIME\] · Mute this channel/),
  ]);
});

test("the argument that is explained is the one that is being written; flags count for none", () => {
  const help = (before: string): string | undefined => completionFor(before, facts)?.help?.split("  ·  ")[1];
  const [first, second] = [help("/member ban "), help("/member ban ana x")];
  expect(first).toBeDefined();
  expect(help("/member ban an")).toBe(first);
  expect(help("/member ban ana --shadow")).toBe(first);
  expect(help("/member ban ana x y z")).toBe(second ?? first);
  expect(help("/usr/bin")).toBeUndefined();
  expect(completionFor("/usr/bin", facts)).toBeUndefined();
});

test("a name of several words is replaced whole by the one that is chosen (R-MENT-3)", () => {
  const people = [user("a1", { name: "Ana Ribeiro" }), user("a2", { name: "Ana Silva" })];
  const completion = completionFor("hi @ana s", { ...facts, people });
  expect(completion).toMatchObject({ start: 3, items: [{ insert: "@Ana Silva " }] });
  expect(completionFor("hi @ana sings", { ...facts, people })).toBeUndefined();
});

test("people and channels are completed behind a command, too", () => {
  expect(labels("/member add @bo")).toEqual(["@bo"]);
  expect(labels("/member list #gen")).toEqual(["#general"]);
});

test("a command about people completes ids, also without the @; one about channels completes them", () => {
  const inserted = (before: string) => completionFor(before, facts)?.items.map((i) => i.insert);
  expect(inserted("/dm jos")).toEqual(["@jose "]);
  expect(inserted("/dm @jos")).toEqual(["@jose "]);
  expect(inserted("/user mute an")).toEqual(["@ana ", "@hana "]);
  expect(inserted("/join ge")).toEqual(["#general ", "team:gear "]);
  expect(inserted("/channel join #ge")).toEqual(["#general ", "team:gear "]);
});

test("choices and flags of a command are completed, a flag that stands there already is not", () => {
  const of = (before: string): string[] => completionFor(before, facts)?.items.map((i) => i.label) ?? [];
  expect(of("/channel mute --")).toEqual(["--until"]);
  expect(of("/channel mute --until 2h --")).toEqual([]);
  expect(completionFor("/theme d", { ...facts, choices: () => ["dark", "light"] })?.items).toEqual([
    { insert: "dark ", label: "dark" },
  ]);
});

test("what a line takes is said while it is written, of a provider's command, too", () => {
  expect(completionFor("/topic ", facts)?.help).toMatch(/^\/topic \[TEXT\] · /);
  const giphy = [{ name: "giphy", description: "Find a picture", args: "[text]", set: "fun_set" }];
  expect(completionFor("/giphy ", { ...facts, providerCommands: giphy })?.help).toBe(
    "/giphy [text] · Find a picture",
  );
});

test("behind a name of other chat programs comes what is behind ours, and the name stays as it is written", () => {
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
