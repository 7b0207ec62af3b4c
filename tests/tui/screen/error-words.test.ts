/** The sentences that the screen shows for errors. */
import { expect, test } from "vitest";
import { transportError } from "../../../src/model/transport.ts";
import { errorWords, hintForChat } from "../../../src/tui/screen/notices.ts";

test("a program file removed by an update asks to restart, and says that nothing is lost", () => {
  const gone = Object.assign(new Error("Cannot find module '/opt/parley/dist/chunks/load-AB12.js'"), {
    code: "ERR_MODULE_NOT_FOUND",
    url: "file:///opt/parley/dist/chunks/load-AB12.js",
  });
  expect(errorWords(gone)).toBe(
    "Parley was updated while it was running. Quit and start it again; what you wrote is saved.",
  );
});

test("a missing package and any other error are shown with their own message", () => {
  const missing = Object.assign(new Error("Cannot find package 'jq-web'"), { code: "ERR_MODULE_NOT_FOUND" });
  expect(errorWords(missing)).toBe("Cannot find package 'jq-web'");
  expect(errorWords(new Error('SendMessage failed with error: "no\nentry"'))).toBe("no entry");
  expect(errorWords("plain")).toBe("plain");
});

test("a request without an answer says whether it may have been done", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(errorWords(transportError("CreateReminder", refused))).toBe(
    "Not done, the provider cannot be reached: the connection was refused. Try again once the header says online.",
  );
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  expect(errorWords(transportError("CreateReminder", reset))).toBe(
    "The provider did not answer: the connection was reset. It may have been done anyway.",
  );
  const timeout = Object.assign(new Error("late"), { name: "TimeoutError" });
  expect(errorWords(transportError("CreateReminder", timeout))).toBe(
    "The provider did not answer: it took too long. It may have been done anyway.",
  );
  expect(errorWords(transportError("X", Object.assign(new Error("off"), { name: "AbortError" })))).toBe(
    "cancelled",
  );
});

test.each([
  ["parley user list", "Try /user list."],
  ["parley channel create @bo", "Try /channel create @bo."],
  [
    "parley member list -c messaging:ops shows who is in it.",
    "/member list -c messaging:ops shows who is in it.",
  ],
  ["parley login", "Try /login."],
  ["parley task get 7f", "In a shell: parley task get 7f."],
  ["parley doctor looks for what is wrong", "parley doctor looks for what is wrong"],
  ["Leave out --as.", "Leave out --as."],
])("the shell hint %j becomes %j in the box", (hint, here) => {
  expect(hintForChat(hint)).toBe(here);
});
