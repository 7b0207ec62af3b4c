/** Details parsed from the message of an error. */
import { expect, test } from "vitest";
import { failureOf, reasonOf } from "../../src/wire/errors.ts";

test.each([
  ['GetApp failed with error: "no such app"', "no such app"],
  ['GetApp failed with error: ""', "GetApp failed"],
  ["GetApp failed with error: no", "GetApp failed with error: no"],
  ["the line broke", "the line broke"],
  ["", ""],
])("the error text %j is shown as %j", (message, reason) => {
  expect(reasonOf(message)).toBe(reason);
});

test("the operation is recognised also when the reason has another form", () => {
  expect(failureOf("GetApp failed with error: no").operation).toBe("GetApp");
  expect(failureOf("it failed")).toEqual({ reason: "it failed" });
});

test.each([
  ["UpdateUsersPartial", "users.0.set.teams must be a list", "teams must be a list"],
  ["UpdateUsersPartial", "users.0.unset.a b is not a path", "a b is not a path"],
  ["UpdateUsersPartial", "users.0.online cannot be set", "online cannot be set"],
  ["UpdateChannelPartial", "set.cooldown must be a whole number", "cooldown must be a whole number"],
  ["UpdateMemberPartial", "set.set.x is not a path", "set.x is not a path"],
  // Of several only the whole path tells which, and other bodies have fields of these names themselves.
  ["UpdateUsersPartial", "users.3.set.teams must be a list", "users.3.set.teams must be a list"],
  ["UpdateUsersStrictly", "users.0.set must be a text", "users.0.set must be a text"],
  ["UpdateUsers", "users.zed.role is not a role of this app", "role of zed is not a role of this app"],
  ["UpdateUsers", "users.z@d-1.teams_role.red is not a role", "teams_role.red of z@d-1 is not a role"],
  ["UpdateUsers", "users.zed must be an object", "users.zed must be an object"],
])("a reason of %s, %j, names the field as a person wrote it", (operation, reason, shown) => {
  expect(reasonOf(`${operation} failed with error: "${reason}"`)).toBe(shown);
});
