/** Completion lists and mentions as the rules have them (R-MENT, R-CMD). */
import { expect, test } from "vitest";
import { completionFor, mentionsIn } from "../../../src/tui/complete/complete.ts";
import { user } from "../../support/fake-core.ts";

const facts = {
  people: [user("ana"), user("jose", { name: "José Silva" }), user("hana"), user("bo")],
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

test("only whose name or id stands in the text is mentioned, at most 25 (R-MENT-2)", () => {
  expect(mentionsIn("ping @José Silva and @bo", facts.people)).toEqual(["jose", "bo"]);
  const crowd = Array.from({ length: 40 }, (_, i) => user(`u${i}x`));
  expect(mentionsIn(crowd.map((u) => `@${u.id}`).join(" "), crowd).length).toBe(25);
});

test("/ alone lists commands, ten at most; elsewhere it is text (R-CMD-1, R-CMD-2)", () => {
  expect(labels("/").length).toBe(10);
  expect(labels("and/or /mu")).toEqual([]);
});

test("the provider's commands stand beside ours (R-CMD-2)", () => {
  expect(labels("/mut")).toEqual(["/mute"]);
  expect(labels("/channel mu")).toContain("/channel mute");
});

test("behind the name of a command of ours its arguments are explained (decisions 7)", () => {
  const found = completionFor("/react ", facts);
  expect(found?.items).toEqual([]);
  expect(found?.help).toContain("/message react");
});

test("# lists channels by id and title, : lists emoji from two letters on", () => {
  expect(completionFor("see #ge", facts)?.items.map((i) => i.insert)).toEqual(["#general ", "#gear "]);
  expect(labels(":t")).toEqual([]);
  expect(labels(":tada")[0]).toBe("🎉");
});
