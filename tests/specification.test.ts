/** The specification and the program agree: every citation resolves, no number is used twice, every client rule has a test that names it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  citationsIn,
  groupOf,
  readNumbers,
  titlesOf,
  type Citation,
  type Numbers,
} from "./support/citations.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const PAGES = "docs/specification";
/** The page that explains citing consists of examples. */
const CITING_GUIDE = "README.md";
const GUARANTEES = "docs/reliability.md";
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const specification = new Map(
  readdirSync(path.join(ROOT, PAGES)).map((name) => [name, read(`${PAGES}/${name}`)]),
);
const numbers = readNumbers(new Map([...specification, [GUARANTEES, read(GUARANTEES)]]));
const groups = [...new Set([...numbers.rules.keys()].map(groupOf))];

/** The files searched for citations: sources, tests, scripts and documents, except these, which are full of examples. */
const EXAMPLES = ["tests/specification.test.ts", "tests/support/citations.ts", `${PAGES}/${CITING_GUIDE}`];
const files = ["src", "tests", "scripts", "docs", "bin"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(folder, name.replaceAll(path.sep, "/")),
    ),
  )
  .filter((file) => /\.(?:[cm]?[jt]sx?|md|txt|sh)$/.test(file) && !EXAMPLES.includes(file))
  .concat("README.md", "ARCHITECTURE.md");

/** Files that the program or a test creates; they are no documents of the repository. */
const CREATED_FILES = new Set(["interviews.md", "message.md", "a.md", "safe/it.md", "FILES/out.md"]);

/** Why a citation does not resolve; undefined if it does. */
function problemOf({ kind, target }: Citation, file: string, known: Numbers): string | undefined {
  if (kind === "vague") return `names no page: ${target}`;
  if (kind === "group") return groups.includes(target) ? undefined : `no such group: ${target}`;
  if (kind === "rule") return known.rules.has(target) ? undefined : `no such rule: ${target}`;
  if (kind === "section") return known.sections.includes(target) ? undefined : `no such section: ${target}`;
  const nextToFile = path.posix.join(path.posix.dirname(file), target);
  const exists = [target, `docs/${target}`, nextToFile].some((name) => existsSync(path.join(ROOT, name)));
  return exists || CREATED_FILES.has(target) ? undefined : `no such document: ${target}`;
}

const pageOf = (file: string): string | undefined =>
  file.startsWith(`${PAGES}/`) ? path.posix.basename(file) : undefined;

/** Every citation of a text that does not resolve, with its line. */
function wrongIn(text: string, file: string, known = numbers): string[] {
  const wrong = (part: string): string[] =>
    citationsIn(part, groups, pageOf(file)).flatMap((citation) => problemOf(citation, file, known) ?? []);
  // Searching line by line is slow, so it is done only when the whole text has a wrong citation.
  if (wrong(text).length === 0) return [];
  return text.split("\n").flatMap((line, i) => wrong(line).map((problem) => `${file}:${i + 1} ${problem}`));
}

test("every citation leads to an existing page, section or rule", () => {
  expect(files.flatMap((file) => wrongIn(read(file), file))).toEqual([]);
});

test("each rule and section number is used once", () => {
  expect([...numbers.rules].filter(([, pages]) => pages.length > 1)).toEqual([]);
  expect(numbers.sections.filter((each, i, all) => all.indexOf(each) !== i)).toEqual([]);
});

test("rule and section numbers begin at 1 without gaps", () => {
  const holes = groups.filter((group) => {
    const found = [...numbers.rules.keys()].filter((rule) => groupOf(rule) === group);
    return found.some((_rule, i) => !numbers.rules.has(`${group}${group === "D" ? "" : "-"}${i + 1}`));
  });
  expect(holes).toEqual([]);
  for (const page of specification.keys()) {
    const top = numbers.sections.flatMap((each) => RegExp(`^${page} §(\\d+)$`).exec(each)?.[1] ?? []);
    expect([page, top]).toEqual([page, top.map((_each, i) => String(i + 1))]);
  }
});

test("the table of pages lists each page with its groups of rules", () => {
  const rows = [
    ...specification.get(CITING_GUIDE)!.matchAll(/^\| \[[\w./-]+\]\(([\w./-]+)\) \| [^|]+ \|([^|]*)\|$/gm),
  ];
  const listedGroups = rows.map(([, page, listed]) => [
    page!.replace(/^\.\.\//, "docs/"),
    listed!.trim().split(", ").filter(Boolean).toSorted(),
  ]);
  const definedGroups = [...specification.keys(), GUARANTEES]
    .filter((page) => page !== CITING_GUIDE)
    .map((page) => [
      page,
      groups
        .filter((group) =>
          [...numbers.rules].some(([rule, on]) => groupOf(rule) === group && on.includes(page)),
        )
        .toSorted(),
    ]);
  expect(Object.fromEntries(listedGroups)).toEqual(Object.fromEntries(definedGroups));
});

test("every path named or linked by the pages exists", () => {
  const named = [...specification.values()].flatMap((text) =>
    [...text.matchAll(/`((?:src|tests|docs|bin|scripts)\/[\w./-]+)`/g)].map(([, file]) => file!),
  );
  const linked = [...specification].flatMap(([, text]) =>
    [...text.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file]) => path.posix.join(PAGES, file!)),
  );
  expect([...named, ...linked].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

/** Sentences that the pages quote literally; variable parts (names, numbers, lists after a colon) are cut out. */
const quoted = [...specification].flatMap(([page, text]) =>
  [...text.matchAll(/`((?:[A-Za-z]+ ){2}[^`\n]+)`/g)]
    .map(([, sentence]) => sentence!)
    .filter((sentence) => !/^(?:parley|npm|npx) /.test(sentence))
    .map((sentence) => ({
      page,
      sentence,
      parts: sentence.replace(/: .*/, "").split(/<[^>]+>|\/?\d+|\/\w+/),
    })),
);

test("every sentence quoted by the pages is a text of the program", () => {
  const program = files
    .filter((file) => file.startsWith("src/"))
    .map(read)
    .join("\n");
  const missing = quoted.filter(({ parts }) => !parts.every((part) => program.includes(part.trim())));
  expect(quoted.length).toBeGreaterThan(30);
  expect(missing.map(({ page, sentence }) => `${page}: ${sentence}`)).toEqual([]);
});

/** All citations in code and tests, not those in the specification itself. */
const cited = new Set(
  files
    .filter((file) => !file.endsWith(".md"))
    .flatMap((file) => citationsIn(read(file), groups))
    .map(({ target }) => target),
);

/** Rules without any code of their own, and why. */
const UNCITED: Readonly<Record<string, string>> = {
  "UP-7": "nothing is done: files stay when their message goes",
  "CA-5": "nothing is asked: any user may be a sender",
  "PIN-1": "R-PIN-1 is what the client does of it",
  "PIN-3": "R-PIN-3 is what the client does of it",
  "DR-8": "the setting drafts.sync says it",
};

test("every rule outside the guarantees is cited by code or tests, or listed here with the reason", () => {
  const rules = [...numbers.rules.keys()].filter((rule) => groupOf(rule) !== "D");
  expect(rules.filter((rule) => !cited.has(rule))).toEqual(Object.keys(UNCITED));
});

/** Sections that nobody cites are background. This number may only decrease. */
const SECTIONS_UNCITED = 20;

test("there are no more sections without a citation than before", () => {
  const uncitedSections = numbers.sections.filter(
    (each) => !/§\d+\.\d+$/.test(each) && !cited.has(each) && !numbers.ruled.has(each),
  );
  expect(uncitedSections.length, uncitedSections.join(", ")).toBeLessThanOrEqual(SECTIONS_UNCITED);
});

describe("rules of the client", () => {
  const named = new Set(
    readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.tsx?$/.test(name) && name !== "specification.test.ts")
      .flatMap((name) => titlesOf(readFileSync(path.join(import.meta.dirname, name), "utf8")))
      .flatMap((title) => citationsIn(title, groups))
      .map(({ target }) => target),
  );
  test.each(groups.filter((group) => group.startsWith("R-")))(
    "every rule of %s is cited in the title of a test",
    (group) => {
      const rules = [...numbers.rules.keys()].filter((rule) => groupOf(rule) === group);
      expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
    },
  );
});

describe("the citation reader", () => {
  const sample = readNumbers(
    new Map([
      ["sets.md", "# Sets\n\n## 1. One\n\n| R-SET-1 | a |\n| R-SET-2 | b |\n\n### 1.1 Part\n\n1. step\n"],
      ["other.md", "## 1. Two\n- LU-1: c\n- LU-2: d\n| D3 | e |\n"],
    ]),
  );
  const targets = (text: string, page?: string): string[] =>
    citationsIn(text, ["R-SET", "LU", "D"], page).map(({ target }) => target);

  test("finds rules, sections and steps in pages", () => {
    expect([...sample.rules.keys()]).toEqual(["R-SET-1", "R-SET-2", "LU-1", "LU-2", "D3"]);
    expect(sample.sections).toEqual(["sets.md §1", "sets.md §1.1", "sets.md §1.1.1", "other.md §1"]);
  });
  test("finds rules in lists and ranges", () => {
    expect(targets("(R-SET-1, 2, LU-1…LU-3)")).toEqual(["R-SET-1", "R-SET-2", "LU-1", "LU-2", "LU-3"]);
    expect(targets("R-SET-12, -14: x, D1–D3 and D8")).toEqual([
      "R-SET-12",
      "R-SET-14",
      "D1",
      "D2",
      "D3",
      "D8",
    ]);
    expect(targets("a PLU-1, UTF-8, 0xD3, R-SET-1 in 2 steps")).toEqual(["R-SET-1"]);
  });
  test("finds sections in lists and ranges, and their page", () => {
    expect(targets("(specification/sets.md §1, §3–4 and §5.1)")).toEqual([
      "sets.md §1",
      "sets.md §3",
      "sets.md §4",
      "sets.md §5.1",
      "specification/sets.md",
    ]);
    expect(targets("RFC 7515 §4.1.11")).toEqual([]);
    expect(targets("§2, and [other.md §1](other.md)", "sets.md")).toContain("sets.md §2");
  });
  test.each([
    ["a missing rule", "R-SET-3", "no such rule: R-SET-3"],
    ["a rule of a missing group", "R-SETT-1", "no such rule: R-SETT-1"],
    ["a missing group", "reading (R-SENT)", "no such group: R-SENT"],
    ["a missing section", "specification/sets.md §2", "no such section: sets.md §2"],
    ["a section without its page", "as §1 says", "names no page: §1"],
    ["a missing page", "see away.md", "no such document: away.md"],
    ["a section of a page outside the folder", "product.md §1", "names no page: §1"],
    ["a bare number of a list", "decisions 12", "names no page: decisions 12"],
  ])("reports %s", (_name, text, problem) => {
    expect(wrongIn(text, "src/x.ts", sample).map((each) => each.replace(/^\S+ /, ""))).toContain(problem);
  });
  test("reads titles of tests, but not of those in comments", () => {
    const source = '// test("R-SET-1")\n  test("R-SET-2: x", () => {});\ntest.each([1])("LU-1", f);';
    expect(titlesOf(source)).toEqual(["R-SET-2: x", "LU-1"]);
  });
});
