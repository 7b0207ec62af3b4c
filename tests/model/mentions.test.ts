/** Mentions: the text that choosing one inserts, the users that a text mentions, and the users offered (R-MENT). */
import { beforeAll, describe, expect, test } from "vitest";
import { matchRank } from "../../src/model/matching.ts";
import {
  attachedNames,
  loadMentionMarkup,
  locateMentions,
  matchingUsers,
  mentionsIn,
  mentionTrigger,
  movedMentions,
} from "../../src/model/mentions.ts";

beforeAll(loadMentionMarkup);

type Named = { id: string; name?: string };
const ids = (text: string, others: Named[]): string[] => mentionsIn(text, { others }).ids;

describe("R-MENT-2: the users mentioned in a typed text", () => {
  const users = [{ id: "bob", name: "Bob Ray" }, { id: "eve" }, { id: "kim", name: "Kim" }];
  test("are those whose id or name follows an @, each once, in the order of the text, at most 25", () => {
    expect(ids("hi @Bob Ray and @eve", users)).toEqual(["bob", "eve"]);
    expect(ids("@kim @bob @Bob Ray", [...users, users[0]!])).toEqual(["kim", "bob"]);
    expect(ids("bob eve", users)).toEqual([]);
    const many = Array.from({ length: 40 }, (_, i) => ({ id: `u${i}x` }));
    expect(ids(many.map((each) => `@${each.id}`).join(" "), many)).toHaveLength(25);
  });
  test.each([
    ["@KIM and @BOB RAY", ["kim", "bob"]],
    ["@jose\u0301", ["jose"]],
    ["@Jose", ["jose"]],
    ["@민수", ["minsu"]],
    ["@민수".normalize("NFD"), ["minsu"]],
    ["@민순", []],
    ["@STRAßE", ["street"]],
  ])("in another case or with accents in another form are those of the list: %s", (text, found) => {
    const people = [
      ...users,
      { id: "jose", name: "José" },
      { id: "minsu", name: "민수".normalize("NFD") },
      { id: "street", name: "Straße" },
    ];
    expect(ids(text, people)).toEqual(found);
  });
  test("do not include users whose name is only a part of the word", () => {
    const alike = [{ id: "al" }, { id: "ali" }, { id: "alice" }, { id: "al-2" }];
    expect(ids("thanks @alice", alike)).toEqual(["alice"]);
    expect(ids("thanks @ali.", alike)).toEqual(["ali"]);
    expect(ids("@al-2 and @al's", alike)).toEqual(["al-2", "al"]);
    expect(ids("mail@al is no mention, (@al) is", alike)).toEqual(["al"]);
    expect(ids("mail@al", alike)).toEqual([]);
    expect(ids("@alé", alike)).toEqual([]);
  });
  test("are those with the longest matching name", () => {
    const adas = [
      { id: "u1", name: "Ada" },
      { id: "u2", name: "Ada Lovelace" },
    ];
    expect(ids("@Ada Lovelace", adas)).toEqual(["u2"]);
    expect(ids("@Ada Lovely", adas)).toEqual(["u1"]);
    expect(ids("@Ada and @Ada Lovelace!", adas)).toEqual(["u1", "u2"]);
  });
  test("are found by the name without invisible characters", () => {
    expect(ids("@Eve Ning", [{ id: "eve", name: " Eve\u202e Ning" }])).toEqual(["eve"]);
  });
  test("are found where the script changes, before and after the name", () => {
    const people = [
      { id: "sam", name: "Sam" },
      { id: "hiro", name: "広田" },
    ];
    expect(ids("谢谢@Sam님, @広田さん", people)).toEqual(["sam", "hiro"]);
    expect(ids("@広田中", people)).toEqual([]);
  });
  test.each([
    ["Han", "谢"],
    ["Han beyond the first plane", "𠮷"],
    ["hiragana", "さ"],
    ["katakana", "チ"],
    ["katakana of half width", "ﾁ"],
    ["Hangul", "님"],
    ["Hangul in parts", "님".normalize("NFD")],
    ["Thai", "ค"],
    ["Lao", "ລ"],
    ["Khmer", "ក"],
    ["Burmese", "မ"],
  ])("are found, and offered, beside letters of a script without blanks: %s", (_, letter) => {
    const people = [{ id: "sam", name: "Sam" }];
    for (const text of [`@Sam${letter}`, `${letter}@Sam`, `${letter}@Sam${letter}${letter}, and`])
      expect([text, mentionsIn(text, { others: people })]).toEqual([
        text,
        { ids: ["sam"], unknown: [], shared: [] },
      ]);
    expect(mentionTrigger(`${letter}@Sa`, letter.length + 3)).toEqual({ start: letter.length, query: "Sa" });
    // The same script goes on with the word.
    const named = [{ id: "one", name: letter }];
    expect(ids(`@${letter}`, named)).toEqual(["one"]);
    expect(ids(`@${letter}${letter}`, named)).toEqual([]);
  });
  test.each([
    ["Latin", "x"],
    ["Cyrillic", "ж"],
    ["Arabic", "س"],
    ["Deseret, beyond the first plane", "𐐨"],
  ])("are not found inside words of a script with blanks: %s", (_, letter) => {
    const people = [{ id: "sam", name: "Sam" }];
    for (const text of [`@Sam${letter}`, `${letter}@Sam`])
      expect([text, ids(text, people)]).toEqual([text, []]);
    expect(mentionTrigger(`${letter}@Sa`, letter.length + 3)).toBeUndefined();
  });
  test("are the one with this id before people with this name, and nobody when several have the name", () => {
    const people = [
      { id: "sam", name: "Samuel" },
      { id: "u2", name: "sam" },
      { id: "u3", name: "Kim" },
      { id: "u4", name: "Kim" },
    ];
    expect(mentionsIn("@sam @Kim @u4", { others: people })).toEqual({
      ids: ["sam", "u4"],
      unknown: [],
      shared: ["Kim"],
    });
  });
  test.each([
    "`@eve`",
    "```\n@eve\n```",
    "~~~js\n@eve\n~~~",
    "    @eve\n",
    "https://x.example/@eve",
    "me@eve",
    "@eve/core",
  ])("are nobody in code, addresses and paths: %s", (text) =>
    expect(mentionsIn(text, { others: users })).toEqual({ ids: [], unknown: [], shared: [] }),
  );
  test.each([
    "**@eve**",
    "_hi @eve_",
    "> @eve",
    "- [ ] @eve",
    "||@eve||",
    "|a|b|\n|-|-|\n|@eve|`@kim`|",
    "[ask @eve](https://x.example)",
  ])("are found inside other markup: %s", (text) => expect(ids(text, users)).toEqual(["eve"]));
  test("may follow a mention and a slash", () => expect(ids("@eve/@kim", users)).toEqual(["eve", "kim"]));
  test("R-MENT-6: names that nobody has are unknown, each once; the own name is neither", () => {
    const found = mentionsIn("@nobody @me @Nobody @nobody", { others: users, me: { id: "u1", name: "Me" } });
    expect(found).toEqual({ ids: [], unknown: ["nobody", "Nobody"], shared: [] });
  });
});

describe("R-MENT-2: a chosen mention", () => {
  const sam = { id: "sam1", name: "Sam" };
  const others = [sam, { id: "sam2", name: "Sam" }, { id: "s3", name: "Sammy" }];
  const chosen = [{ user: sam, start: 3, end: 7 }];
  /** What is mentioned after the text with the chosen mention became `after`. */
  const after = (text: string, cursor = text.length, before = "hi @Sam "): string[] =>
    mentionsIn(text, { chosen: movedMentions(chosen, before, text, cursor), earlier: [sam], others }).ids;

  test.each(["hi @Sam님", "hi @Samさん", "hi @Sam아 ok", "hi @Sam's", "oh, hi @Sam ", "hi @Sam and @Sam"])(
    "is kept with whatever stands around it: %s",
    (text) => expect(after(text)).toEqual(["sam1"]),
  );
  test.each(["_hi @Sam님_", "hi\n@Sam님 again"])("is kept when the text is rewritten around it: %s", (text) =>
    expect(after(text, text.length, "hi @Sam님 ")).toEqual(["sam1"]),
  );
  test("is gone when letters make it the name of somebody else, when it was deleted, and in code", () => {
    expect(after("hi @Sammy")).toEqual(["s3"]);
    expect(after("hi ")).toEqual([]);
    expect(after("hi `@Sam`")).toEqual([]);
    expect(after("hi @Sa")).toEqual([]);
  });
  test("stays the one at the place when another one of this name was deleted", () => {
    const two = [
      { user: sam, start: 0, end: 4 },
      { user: others[1]!, start: 5, end: 9 },
    ];
    const left = movedMentions(two, "@Sam @Sam ", "@Sam ", 0);
    expect(left).toEqual([{ user: others[1], start: 0, end: 4 }]);
    expect(movedMentions(two, "@Sam @Sam ", "@Sam ", 5)).toEqual([two[0]]);
  });
  test("that was typed again means who was chosen before", () =>
    expect(after("hi @Sam", 7, "hi ")).toEqual(["sam1"]));
  test("is found again in a written text: a draft, a message that is edited, one that is shown", () => {
    expect(locateMentions("@Sam님 and @Sam", [others[1]!, sam]).map(({ user }) => user.id)).toEqual([
      "sam2",
      "sam1",
    ]);
    expect(locateMentions("@Sam님", [sam])).toEqual([{ user: sam, start: 0, end: 4 }]);
    expect(locateMentions("@Sam @Sam", [others[1]!, sam]).map(({ user }) => user.id)).toEqual([
      "sam2",
      "sam1",
    ]);
    expect(attachedNames("@Samuel and @Sam", [sam])).toEqual([]);
    expect(attachedNames("@민수님", [{ id: "u1", name: "민수" }])).toEqual(["u1", "민수", "민수"]);
  });
});

test("R-MENT-3: a suggestion begins where a mention may begin", () => {
  expect(mentionTrigger("谢谢@Sa", 5)).toEqual({ start: 2, query: "Sa" });
  expect(mentionTrigger("(@Sa", 4)).toEqual({ start: 1, query: "Sa" });
  for (const text of ["me@Sa", "x/@Sa", "a.@Sa"]) expect(mentionTrigger(text, text.length)).toBeUndefined();
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
