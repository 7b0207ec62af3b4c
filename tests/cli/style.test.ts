/** Consistency of the command line: the same names, the same tone, examples everywhere, and every noun listed in a group. */
import { describe, expect, test } from "vitest";
import { flagName } from "../../src/commands/base/args.ts";
import type { ArgRow } from "../../src/commands/base/define-command.ts";
import { commands } from "../support/commands.ts";
import { examplesOf, groups } from "../../src/cli/help/help.ts";
import { nearest } from "../../src/text/spelling.ts";
import { tree } from "../../src/cli/tree.ts";

const paths = tree.visiblePaths();
const summaryOf = (path: string): string => tree.definition(path).summary;

describe("a command", () => {
  test("has a summary of one clause without a full stop", () => {
    const odd = paths.filter((path) => !/^[A-Z][^\n]{5,95}[^.!\s]$/.test(summaryOf(path)));
    expect(odd).toEqual([]);
  });
  test("has an example that contains its name", () => {
    const withoutExample = paths.filter(
      (path) => path !== "chat" && !examplesOf(tree, path).some((line) => line.includes(path)),
    );
    expect(withoutExample).toEqual([]);
  });
  test("is preceded by parley in its examples", () => {
    const odd = paths.flatMap((path) =>
      examplesOf(tree, path).filter((line) =>
        paths.some((other) => other.includes(" ") && line.startsWith(`${other} `)),
      ),
    );
    expect(odd).toEqual([]);
  });
  test("describes each argument without a full stop", () => {
    const odd = paths.flatMap((path) =>
      Object.entries(tree.definition(path).args)
        .filter(([, row]) => !/^[^\n]{2,200}[^.\s]$/.test(row.help))
        .map(([name]) => `${path} ${name}`),
    );
    expect(odd).toEqual([]);
  });
  test("that deletes or truncates asks first", () => {
    const silent = Object.entries(commands)
      .filter(([path]) => / (delete|truncate)$/.test(path) && !tree.mayAskFirst(path))
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });
});

/** Kinds of list items other than plain text. */
const LISTS: Readonly<Record<string, string>> = { file: "file", user: "user" };

describe("a flag", () => {
  const flags = new Map<string, Map<string, string[]>>();
  for (const path of paths)
    for (const [name, row] of Object.entries(tree.definition(path).args) as [string, ArgRow][]) {
      if (row.positional) continue;
      // A single value and a list of that value count as one kind.
      const kind = row.kind === "list" ? (LISTS[row.value ?? ""] ?? "text") : row.kind;
      const of = flags.get(name) ?? new Map<string, string[]>();
      of.set(kind, [...(of.get(kind) ?? []), path]);
      flags.set(name, of);
    }
  /** Flag names with two meanings, such as an id or a file, one value or several, a count or a state, a switch or a file name. */
  const TWO = new Set(
    "answer channel code command for format id message messages poll reactions report resume status threads to type".split(
      " ",
    ),
  );
  test("takes one kind of value everywhere, or is listed here", () => {
    const odd = [...flags]
      .filter(([name, kinds]) => kinds.size > 1 && !TWO.has(name))
      .map(
        ([name, kinds]) =>
          `--${flagName(name)}: ${[...kinds].map(([k, of]) => `${k} (${of.join(", ")})`).join(" / ")}`,
      );
    expect(odd).toEqual([]);
  });
  test("for a channel is -c, --channel, and for an input file -f, --file", () => {
    const odd = paths.flatMap((path) =>
      (Object.entries(tree.definition(path).args) as [string, ArgRow][])
        .filter(([, row]) => !row.positional)
        .filter(
          ([name, row]) =>
            (name === "file" && row.short !== "f") ||
            (row.kind === "channel" && (name !== "channel" || row.short !== "c")),
        )
        .map(([name]) => `${path} --${name}`),
    );
    expect(odd).toEqual([]);
  });
});

describe("a noun", () => {
  test("is in exactly one group of the main help", () => {
    const first = new Set(paths.map((path) => path.split(" ")[0]!));
    const placed = groups(tree).flatMap(({ words }) => words);
    expect(placed.toSorted()).toEqual([...first].toSorted());
  });
  test("within a noun has a description", () => {
    const nouns = new Set(
      paths
        .filter((path) => path.split(" ").length === 3)
        .map((path) => path.split(" ").slice(0, 2).join(" ")),
    );
    expect([...nouns].filter((noun) => !tree.nouns[noun])).toEqual([]);
  });
});

describe("an unknown word", () => {
  const names = [...new Set(paths.map((path) => path.split(" ")[0]!))];
  test("is corrected to a noun that differs by one or two letters", () => {
    expect(nearest("mesage", names, [])).toEqual(["message"]);
    expect(nearest("sned", names, [])).toContain("send");
  });
  test("is corrected to verbs of that name, or to a noun that begins so", () => {
    expect(nearest("ban", names, paths)).toEqual(expect.arrayContaining(["member ban", "user ban"]));
    expect(nearest("camp", names, paths)).toEqual(["campaign"]);
  });
  test("gets no suggestion when nothing is near", () => {
    expect(nearest("xyzzy", names, paths)).toEqual([]);
  });
});
