/** What is told of an error. */
import { expect, test } from "vitest";
import { errorWords } from "../../../src/tui/screen/error-words.ts";

test("a part of the program that an update took away wants a new start, and says that nothing is lost", () => {
  const gone = Object.assign(new Error("Cannot find module '/opt/parley/dist/chunks/load-AB12.js'"), {
    code: "ERR_MODULE_NOT_FOUND",
    url: "file:///opt/parley/dist/chunks/load-AB12.js",
  });
  expect(errorWords(gone)).toBe(
    "Parley was updated while it ran. Leave it and start it again; what you wrote is kept.",
  );
});

test("a package that is not installed, and any other error, speaks for itself", () => {
  const missing = Object.assign(new Error("Cannot find package 'jq-web'"), { code: "ERR_MODULE_NOT_FOUND" });
  expect(errorWords(missing)).toBe("Cannot find package 'jq-web'");
  expect(errorWords(new Error('SendMessage failed with error: "no\nentry"'))).toBe("no entry");
  expect(errorWords("plain")).toBe("plain");
});
