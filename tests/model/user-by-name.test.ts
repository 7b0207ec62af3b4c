/** Whom a typed word means among the loaded users. */
import { expect, test } from "vitest";
import { userIdOf } from "../../src/model/user-by-name.ts";
import { user } from "../support/fake-core.ts";

const users = new Map(
  [
    user("ana", { name: "Ana María" }),
    user("sam-1", { name: "Sam" }),
    user("sam-2", { name: "sam" }),
    user("bo", { name: "Zoë" }),
    user("zoe", { name: "Somebody else" }),
  ].map((one) => [one.id, one]),
);

test.each([
  ["ana", "ana", "an id"],
  ["@ana", "ana", "an id with @"],
  ["ana maria", "ana", "the only one with this name, in other case and without accents"],
  ["@Ana María", "ana", "a name with @"],
  ["zoe", "zoe", "an id that is also somebody's name"],
  ["ZOË", "bo", "a name that is nobody's id"],
  ["Sam", "Sam", "a name of two people, which the provider has to decide"],
  ["@sam", "sam", "the same with @"],
  ["nobody", "nobody", "somebody who is not loaded"],
  ["@", "", "nobody"],
])("%s means %s: %s", (word, id) => expect(userIdOf(users, word)).toBe(id));
