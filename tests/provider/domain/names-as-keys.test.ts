/** Ids and names that answers use as object keys, such as `__proto__` (specification/wire.md §8). */
import { describe, expect, test } from "vitest";
import { isUserId } from "../../../src/wire/ids.ts";
import { TestDomain, room } from "./support.ts";

const SERVER = { server: true, user: "ada" } as const;

describe.each(["__proto__", "constructor", "prototype"])("%s", (name) => {
  test("is not a valid user id", () => expect(isUserId(name)).toBe(false));
  test.each([
    ["createChannelType", { name }],
    ["createRole", { name }],
    ["createCommand", { name, description: "d" }],
    ["createBlocklist", { name, words: ["w"] }],
  ] as const)("is refused by %s", (route, body) => {
    expect(new TestDomain().refusalOf(SERVER, route, { body })).toEqual([4, "name"]);
  });
  test("is not a valid reaction type or poll option id", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "t" });
    const reaction = { path: { id: "m", message_id: "m" }, body: { reaction: { type: name } } };
    expect(b.refusalOf("ada", "sendReaction", reaction)).toEqual([4, "reaction.type"]);
    const poll = { body: { name: "Tea?", options: [{ id: name, text: "Yes" }] } };
    expect(b.refusalOf("ada", "createPoll", poll)).toEqual([4, "options.0.id"]);
  });
});

test.each(["toString", "hasOwnProperty", "valueOf"])(
  "a role named %s is listed without grants and can be deleted",
  (name) => {
    const b = new TestDomain();
    expect(b.call(SERVER, "createRole", { body: { name } }).role).toMatchObject({ name, scopes: [] });
    b.call(SERVER, "deleteRole", { path: { name } });
  },
);
