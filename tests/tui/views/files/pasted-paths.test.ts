/** Which paths a pasted text may contain, in the notations that terminals use for dropped files. */
import { expect, test } from "vitest";
import { pathCandidates } from "../../../../src/tui/views/files/pasted-paths.ts";

const first = (text: string): string[] | undefined => pathCandidates(text, "/home/me")[0];
const some = (text: string): string[][] => pathCandidates(text, "/home/me");

test.each([
  ["/a/b.png", ["/a/b.png"]],
  [" /a/b c.png \n", ["/a/b c.png"]],
  ["/a/1\n/a/2\r\n", ["/a/1", "/a/2"]],
  ["~/x", ["/home/me/x"]],
  ["file:///a/b%20c.png", ["/a/b c.png"]],
  ["file://localhost/a", ["/a"]],
  ["# copied\nfile:///a\nfile:///b", ["/a", "/b"]],
])("%j is first read as %j", (text, paths) => {
  expect(first(text)).toEqual(paths);
});

test.each([
  ["'/a/b c' '/d'", ["/a/b c", "/d"]],
  ["'/it'\\''s'", ["/it's"]],
  ["'/a\\b'", ["/a\\b"]],
  ['"/a b" /c\\ d', ["/a b", "/c d"]],
  ["/a\\ b.png", ["/a b.png"]],
  ["/a\\(1\\).png", ["/a(1).png"]],
  ["/a /b", ["/a", "/b"]],
])("%j can be read as %j", (text, paths) => {
  expect(some(text)).toContainEqual(paths);
});

test.each([
  "",
  "hello",
  "see /etc/hosts",
  "http://a.example/b",
  "file://elsewhere.example/a",
  "file:///%zz",
  "a/b.png",
  "//server/share",
  "/a\x1b[31m",
  `/${"x".repeat(9000)}`,
  Array.from({ length: 60 }, () => "/a").join("\n"),
])("%j is plain text", (text) => {
  expect(some(text)).toEqual([]);
});

test("an unclosed quote does not split words, and a word that is not a path makes it plain text", () => {
  expect(some("/a '/b")).toEqual([["/a '/b"], ["/a '/b"]]);
  expect(some("/etc/hosts and more")).toEqual([["/etc/hosts and more"], ["/etc/hosts and more"]]);
});
