/** Everything the documents name exists: files and folders, tests by their titles, all packages and no others. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");
const architecture = read("ARCHITECTURE.md");
const invariants = read("tests/README.md");
const reliability = read("docs/reliability.md");

/** Base folders of paths in documents, so that `core/outbox` means `src/core/outbox`. */
const BASES = ["", "src", "src/provider", "src/provider/domain", "src/core", "src/tui", "tests"];
/** Paths with a slash in back quotes, except placeholders (`<noun>`), paths below a home (`$XDG…`) and paths in commands. */
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+\/[\w./*-]*)`/g)]
    .map((found) => found[1]!)
    .filter((named) => !/^(dist|application)\//.test(named));
const doesExist = (named: string): boolean =>
  BASES.some((base) => {
    const [folder, file = ""] = [path.dirname(named), path.basename(named)];
    // A module may be named without its extension.
    if (!file.includes("*"))
      return ["", ".ts"].some((ending) => existsSync(path.join(ROOT, base, named + ending)));
    const form = new RegExp(`^${file.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
    const place = path.join(ROOT, base, folder);
    return existsSync(place) && readdirSync(place).some((name) => form.test(name));
  });

describe.each([
  ["ARCHITECTURE.md", architecture],
  ["docs/reliability.md", reliability],
  ["docs/benchmarks.md", read("docs/benchmarks.md")],
  ["CONTRIBUTING.md", read("CONTRIBUTING.md")],
  ["SECURITY.md", read("SECURITY.md")],
  ["src/core/README.md", read("src/core/README.md")],
  ["src/provider/README.md", read("src/provider/README.md")],
  ["src/tui/README.md", read("src/tui/README.md")],
  ["tests/README.md", invariants],
])("%s", (_, text) => {
  test("names only files and folders that exist", () => {
    const named = pathsOf(text);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !doesExist(each))).toEqual([]);
  });
});

test("ARCHITECTURE.md is read in a quarter of an hour, in any terminal", () => {
  expect(architecture.split(/\s+/).length).toBeLessThanOrEqual(3000);
  expect(architecture.split("\n").filter((line) => [...line].length > 160)).toEqual([]);
});

/** Questions of a newcomer, in the words of ARCHITECTURE.md. */
test.each([
  "the order of the sidebar",
  "how long a send waits for its next try",
  "who may pin, ban, read …",
  "the sentences of a poll's form, and its limits",
  "a key",
  "what a route takes and answers",
  "what a dry run prints",
  "the colours of a theme",
  "how long a token lives",
  "the words of an error in the shell, and its hint",
  "the columns of a list in the shell",
  "when a notice rings",
])('ARCHITECTURE.md answers "%s" with a file that exists', (question) => {
  const places = architecture
    .split("\n")
    .find((line) => line.startsWith(`| ${question} |`))
    ?.split("|")[2];
  const [first] = pathsOf(places ?? "");
  expect(first).toBeDefined();
  expect(doesExist(first!)).toBe(true);
});

test("CONTRIBUTING.md names only npm scripts that exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read("CONTRIBUTING.md").matchAll(/`(?:[A-Z_]+=\S+ )?npm (?:run )?([a-z]+)/g)].map(
    ([, name]) => name!,
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => name !== "ci" && !(name in scripts))).toEqual([]);
});

test("the newest part of CHANGELOG.md is unreleased or is this version, and the newest release is this version", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const [newest] = [...read("CHANGELOG.md").matchAll(/^## \[(.+)\]/gm)].map(([, name]) => name!);
  expect(["Unreleased", version]).toContain(newest);
  const released = /^## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)$/m.exec(read("CHANGELOG.md"));
  expect(released?.[1]).toBe(version);
});

/** The text of a test file, or of all test files of a folder. */
function testsOf(named: string): string {
  const place = ["", "tests"].map((base) => path.join(ROOT, base, named)).find((each) => existsSync(each))!;
  if (place.endsWith(".ts") || place.endsWith(".tsx")) return readFileSync(place, "utf8");
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => readFileSync(path.join(place, name), "utf8"))
    .join("\n");
}

test.each([
  ["tests/README.md", invariants],
  ["docs/reliability.md", reliability],
])("the tests that %s quotes exist in the files it names", (_, text) => {
  // A file in back quotes, then the title of a test, which may be shortened with …
  const quoted = [...text.matchAll(/`((?:tests\/)?[\w./-]+)` "([^"|]+)"/g)];
  expect(quoted.length).toBeGreaterThan(5);
  const missing = quoted.filter(
    ([, place, title]) => !testsOf(place!).includes(title!.split("…")[0]!.trim()),
  );
  expect(missing.map(([all]) => all)).toEqual([]);
});

test("ARCHITECTURE.md has a reason for every package and for no others", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json")) as Record<
    string,
    Record<string, string>
  >;
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const table = architecture.slice(architecture.indexOf("| package | why |"));
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)]
    .slice(1)
    .flatMap(([, cell]) => cell!.replace(/\([^)]*\)/g, "").split(","))
    .map((name) => name.trim());
  const types = used.filter((name) => name.startsWith("@types/"));
  expect(named.filter((name) => name !== "@types/…").toSorted()).toEqual(
    used.filter((name) => !types.includes(name)).toSorted(),
  );
});
