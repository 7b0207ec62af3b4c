/** Mentions: the text that choosing one inserts, the users that a text mentions, and the users offered (R-MENT). */
import { describe, expect, test } from "vitest";
import { matchRank } from "../../src/model/matching.ts";
import { matchingUsers, mentionedIn } from "../../src/model/mentions.ts";

describe("R-MENT-2: the users mentioned in a text", () => {
  const users = [{ id: "bob", name: "Bob Ray" }, { id: "eve" }, { id: "kim", name: "Kim" }];
  test("are those whose id or name follows an @, case-sensitive, each once, at most 25", () => {
    expect(mentionedIn("hi @Bob Ray and @eve, not @KIM", users)).toEqual(["bob", "eve"]);
    expect(mentionedIn("@bob @Bob Ray", [users[0]!, users[0]!])).toEqual(["bob"]);
    expect(mentionedIn("bob eve", users)).toEqual([]);
    const many = Array.from({ length: 40 }, (_, i) => ({ id: `u${i}x` }));
    expect(mentionedIn(many.map((each) => `@${each.id}`).join(" "), many)).toHaveLength(25);
  });
  test("do not include users whose name is only a part of the word", () => {
    const alike = [{ id: "al" }, { id: "ali" }, { id: "alice" }, { id: "al-2" }];
    expect(mentionedIn("thanks @alice", alike)).toEqual(["alice"]);
    expect(mentionedIn("thanks @ali.", alike)).toEqual(["ali"]);
    expect(mentionedIn("@al-2 and @al's", alike)).toEqual(["al", "al-2"]);
    expect(mentionedIn("mail@al is no mention, (@al) is", alike)).toEqual(["al"]);
    expect(mentionedIn("mail@al", alike)).toEqual([]);
    expect(mentionedIn("@alé", alike)).toEqual([]);
  });
  test("are those with the longest matching name", () => {
    const adas = [
      { id: "u1", name: "Ada" },
      { id: "u2", name: "Ada Lovelace" },
    ];
    expect(mentionedIn("@Ada Lovelace", adas)).toEqual(["u2"]);
    expect(mentionedIn("@Ada Lovely", adas)).toEqual(["u1"]);
    expect(mentionedIn("@Ada and @Ada Lovelace!", adas)).toEqual(["u1", "u2"]);
  });
  test("are found by the name without invisible characters", () => {
    expect(mentionedIn("@Eve Ning", [{ id: "eve", name: " Eve\u202e Ning" }])).toEqual(["eve"]);
  });
});

test("R-MENT-5: suggestions list names that begin with the text, then names with a word that does, then the others, by name", () => {
  const users = [
    { id: "u1", name: "Hana" },
    { id: "u2", name: "Mary Ann" },
    { id: "u3", name: "Ánna" },
    { id: "ana" },
    { id: "me", name: "Ana too" },
  ];
  expect(matchingUsers(users, "AN", "me").map(({ id }) => id)).toEqual(["ana", "u3", "u2", "u1"]);
  expect(matchingUsers(users, "", "me")).toHaveLength(4);
  expect(matchingUsers(users, "q", "me")).toEqual([]);
});

test("a word that begins with the text counts at any place of the name", () => {
  expect(matchRank("banana anna", "an")).toBe(1);
  expect(matchRank("banana", "an")).toBe(2);
  expect(matchRank("banana", "c")).toBeUndefined();
});
