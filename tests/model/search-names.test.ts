/** Resolves the names in a search to users and channels. */
import { expect, test } from "vitest";
import { searchNames } from "../../src/model/search-names.ts";
import { readSearch } from "../../src/model/search-query.ts";
import { channel, stateOf, user } from "../support/fake-core.ts";

const state = stateOf([channel("general"), channel("c1", { name: "Général two" }), channel("ops")], {
  users: new Map(
    [
      user("ana", { name: "Ana Ribeiro" }),
      user("anabel"),
      user("bo", { name: "Bo Lindqvist" }),
      user("b2", { name: "Bo" }),
    ].map((one) => [one.id, one]),
  ),
});
const names = (text: string) =>
  searchNames(readSearch(text, { now: 0 }), state, { me: "lena", here: "messaging:ops" });

test.each([
  ["from:@ana", ["ana"]],
  ['from:"Ana Ribeiro"', ["ana"]],
  ["from:an", ["ana", "anabel"]],
  ["from:lind", ["bo"]],
  ["from:bo from:@bo", ["bo"]],
  // `me` is the current user, and also a user with that name.
  ["from:Bo", ["bo", "b2"]],
  ["from:me", ["lena"]],
  ["from:@me", ["lena"]],
  // An id is that user, also where others are called so.
  ["from:bo", ["bo"]],
  ["from:ana", ["ana"]],
  // No loaded user has this name: the provider may know it as an id.
  ["from:zed", ["zed"]],
])("%s", (text, users) => {
  expect(names(text)).toEqual({ users, cids: [], faults: [] });
});

test.each([
  ["in:#general", ["messaging:general"]],
  ["in:messaging:ops", ["messaging:ops"]],
  ["in:gen", ["messaging:c1", "messaging:general"]],
  ["in:team:else", ["team:else"]],
  ["in:here", ["messaging:ops"]],
  ['in:"général TWO"', ["messaging:c1"]],
])("%s", (text, cids) => {
  expect(names(text)).toEqual({ users: [], cids, faults: [] });
});

test("an unknown name is reported", () => {
  expect(names('from:"no body" in:#attic').faults).toEqual([
    "from:no body is not a known user",
    "in:#attic is not a known channel",
  ]);
});
