/** Every regular expression of the program takes time linear in its text, whatever the text is. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { matcherOf } from "../src/provider/domain/query/blocklist-matcher.ts";
import { expressionsOf, worstOf } from "./support/attack.ts";
import { cpuMilliseconds } from "./support/cpu-time.ts";

const SRC = path.resolve(import.meta.dirname, "../src");
/** Milliseconds of CPU for a text of 30,000 characters; quadratic expressions take several times that. */
const LIMIT = 100;

const sources = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name));
const found = sources.map((file) => ({
  file: path.relative(SRC, file),
  ...expressionsOf(file, readFileSync(file, "utf8")),
}));

/** Expressions built from constants or from names in the program, or checked by tests of their own. */
const MADE = [
  // These are only compiled, to check that they are valid.
  // These are patterns that users give to their own program.
  'commands/base/pattern.ts: new RegExp(text, "u")',
  "cli/program.ts: new RegExp(`^${flag} missing$`)",
  "cli/program.ts: new RegExp(`^${flag} ('.*') is invalid\\\\. Allowed choices are (.*?)\\\\.?$`, \"s\")",
  "core/http/call-attempt.ts: new RegExp(`(?:^|[,;]\\\\s*)${XSRF_COOKIE}=([^;,]*)`)",
  "text/first-words.ts: new RegExp(`^((?:\\\\S+[ \\\\t]+){${count - 1}}\\\\S+)(?:\\\\s+([\\\\s\\\\S]*))?$`)",
  // Classes of characters, where each repetition takes what nothing after it can.
  'text/fold.ts: new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu")',
  'text/mentions.ts: new RegExp(`^\\\\p{sc=${script}}`, "u")',
  'text/searched-words.ts: new RegExp(UNBROKEN, "v")',
  'text/searched-words.ts: new RegExp(`${SPACED}$`, "v")',
  'text/searched-words.ts: new RegExp(`${UNBROKEN}+|${SPACED}+`, "gv")',
  'text/searched-words.ts: new RegExp(`^${SPACED}`, "v")',
  'text/searched-words.ts: new RegExp(`^${UNBROKEN}`, "v")',
  'text/sanitize.ts: new RegExp(`(\\\\p{M}{${MARKS_PER_BASE}})\\\\p{M}+`, "gu")',
  "wire/bounded-json.ts: new RegExp(`(?:[-?][ \\\\t]+){${YAML.depth}}`)",
  'wire/entities/template.ts: new RegExp(`\\\\{${VARIABLE.source}\\\\}`, "gi")',
  "wire/ids.ts: new RegExp(`^[\\\\w!-]{1,${CHANNEL_ID_LENGTH}}$`)",
  "wire/ids.ts: new RegExp(`^[\\\\w@-]{1,${USER_ID_LENGTH}}$`)",
].toSorted();

describe("regular expressions in the sources", () => {
  test("take linear time on adversarial texts", () => {
    const all = found.flatMap(({ file, literals }) => literals.map((one) => ({ file, ...one })));
    const bad = all.flatMap(({ file, pattern, flags, line }) => {
      const { ms, text } = worstOf(pattern, flags, LIMIT);
      const shown = JSON.stringify(text.slice(0, 20) + "…" + text.slice(-3));
      return ms > LIMIT ? [`${file}:${line} /${pattern}/${flags}: ${ms.toFixed(0)} ms on ${shown}`] : [];
    });
    expect(bad).toEqual([]);
    expect(all.length).toBeGreaterThan(300);
  });

  test("built at run time are all listed here", () => {
    expect(found.flatMap(({ file, made }) => made.map((text) => `${file}: ${text}`)).toSorted()).toEqual(
      MADE,
    );
  });

  test.each([
    ["exponential", "^(a+)+$"],
    ["two repetitions that share a character", "^\\s*\\w+\\s*,?\\s*!$"],
    ["a repetition before the end", "[^\\p{L}\\p{N}]+$"],
    ["a repetition behind another", "x=(\\d+)\\d+;"],
    ["a repetition at both ends", "^[^\\p{L}]+|[^\\p{L}]+$"],
    ["alternatives that overlap", "^(?:a|a?)+b"],
    ["a look ahead at each place", "\\B(?=(\\d{3})+$)"],
  ])("%s is detected as slow", (_, pattern) => {
    expect(worstOf(pattern, "u", LIMIT).ms).toBeGreaterThan(LIMIT);
  });
});

describe("blocklists", () => {
  const N = 20_000;
  const texts = [
    `a${"!".repeat(N)}a`,
    "!".repeat(N),
    `${"a-".repeat(N)}!`,
    `${"a@".repeat(N)}.`,
    `${"a.".repeat(N)}!`,
    `${" ".repeat(N)}x`,
    `http://${"a".repeat(N)}.`,
    "a".repeat(N),
  ];
  const lists: [type: string, words: string[]][] = [
    ["word", ["nothing", "two words", "a!b"]],
    ["domain", ["example.com"]],
    ["domain_allowlist", ["example.com"]],
    ["email", ["a@example.com"]],
    ["email_allowlist", ["example.com"]],
    ["regex", ["(a+)+$", "(a|a?)+b", "^(a*)*!$", "[^b]+c", "(a?){20}a{20}[bc]"]],
  ];
  test.each(lists)("of type %s take time linear in the text", (type, words) => {
    const meets = matcherOf(type, words);
    for (const text of texts) {
      const began = cpuMilliseconds();
      meets(text);
      expect(cpuMilliseconds() - began, JSON.stringify(text.slice(0, 12))).toBeLessThan(
        type === "regex" ? 1000 : LIMIT,
      );
    }
  });
});
