/** Matching of blocklists: words, patterns, domains, mail addresses; every pattern is fast (specification/admin.md §5). */
import { expect, test } from "vitest";
import { matcherOf } from "../../../src/provider/domain/query/blocklist-matcher.ts";
import { compilePattern, PatternError } from "../../../src/text/pattern.ts";

const matches = (type: string, words: string[], text: string): boolean => matcherOf(type, words)(text);

test("words match whole words, split at white space and hyphens, ignoring case", () => {
  for (const text of ["darn", "oh Darn", "well-DARN-it", "darn\nit", "“darn!”"])
    expect(matches("word", ["darn"], text), text).toBe(true);
  for (const text of ["darning", "undarn", "da rn", ""])
    expect(matches("word", ["darn"], text), text).toBe(false);
  expect(matches("word", ["h3ll*"], "h3ll*")).toBe(true);
});

test("a word of a script without blanks matches anywhere, wide letters as narrow ones, and accents make another word", () => {
  for (const [word, text] of [
    ["傻瓜", "你是傻瓜吗"],
    ["バカ", "この ﾊﾞｶ め"],
    ["โง่", "คนโง่มาก"],
    ["darn", "oh ｄａｒｎ"],
    ["café", "cafe\u0301"],
  ])
    expect(matches("word", [word!], text!), text).toBe(true);
  for (const [word, text] of [
    ["傻瓜", "傻 瓜"],
    ["ano", "un año"],
    ["시발", "시발점"],
    ["ハカ", "バカ"],
  ])
    expect(matches("word", [word!], text!), text).toBe(false);
});

test("an entry of several words matches them in sequence", () => {
  expect(matches("word", ["buy now"], "so buy-now, please")).toBe(true);
  expect(matches("word", ["buy now"], "buy it now")).toBe(false);
});

test("a domain matches itself and its subdomains, in links and bare", () => {
  for (const text of [
    "https://bad.example/x?y",
    "see bad.example.",
    "ftp://a.b.bad.example:21",
    "(www.bad.example)",
  ])
    expect(matches("domain", ["bad.example"], text), text).toBe(true);
  for (const text of ["notbad.example", "bad.example.org", "me@bad.example", "bad example"])
    expect(matches("domain", ["bad.example"], text), text).toBe(false);
});

test("an allowlist of domains matches any other domain", () => {
  expect(matches("domain_allowlist", ["good.example"], "good.example and https://x.good.example")).toBe(
    false,
  );
  expect(matches("domain_allowlist", ["good.example"], "good.example and other.example")).toBe(true);
  expect(matches("domain_allowlist", ["good.example"], "no link at all")).toBe(false);
});

test("mail addresses match by address or by domain", () => {
  expect(matches("email", ["eve@bad.example"], "write to <Eve@Bad.example>!")).toBe(true);
  expect(matches("email", ["bad.example"], "mailto:eve@sub.bad.example")).toBe(true);
  expect(matches("email", ["eve@bad.example"], "[eve](mailto:eve@bad.example)")).toBe(true);
  expect(matches("email", ["eve@bad.example"], "adam@bad.example")).toBe(false);
  expect(matches("email_allowlist", ["@good.example"], "a@good.example")).toBe(false);
  expect(matches("email_allowlist", ["@good.example"], "a@other.example")).toBe(true);
});

const PATTERNS = [
  "a",
  "a.c",
  "^ab",
  "ab$",
  "a*b",
  "a+b?",
  "(?:ab|cd)+",
  "(a|b)(c|d)",
  "[a-c]x",
  "[^a-c]x",
  "\\d{2,3}",
  "\\bab\\b",
  "\\Bb",
  "[\\w.]+@",
  "x{0}y",
  "(a|)b",
  "(a*)*b",
  "\\$\\d",
  "a{2,}",
  "\\x61",
  "[\\]-]",
  "^$",
];
const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "abc",
  "axc",
  "cdab",
  "xab",
  "ab ab",
  "12",
  "1234",
  "dx",
  "ax",
  "mail@x",
  "y",
  "aaab",
  "$5",
  "]",
  "a\nc",
  "aa",
];

test("a pattern matches what the same regular expression matches", () => {
  for (const source of PATTERNS)
    for (const text of TEXTS)
      expect([source, text, compilePattern(source).test(text)]).toEqual([
        source,
        text,
        new RegExp(source).test(text),
      ]);
});

test("patterns ignore the case of pattern and text", () => {
  expect(matches("regex", ["DARN[A-Z]"], "darnx DARNQ")).toBe(true);
  expect(matches("regex", ["d\\D"], "D1")).toBe(false);
});

test("\\s matches white space of every script, inside and outside a set; \\u0061 and \\x62 are code escapes", () => {
  for (const space of [" ", "\t", "\n", "\v", "\u00a0", "\u2009", "\u3000", "\ufeff"])
    for (const source of ["a\\sb", "a[\\s]b", "a[x\\s-]b"])
      expect(matches("regex", [source], `a${space}b`), `${source} ${JSON.stringify(space)}`).toBe(true);
  expect(matches("regex", ["^\\S+$"], "a\u00a0b")).toBe(false);
  expect(matches("regex", ["^\\u0061\\x62$"], "ab")).toBe(true);
  expect(matches("regex", ["^\\u{61}[\\u{1F600}]$"], "a😀")).toBe(true);
  // An escaped backslash before a u does not start a code escape.
  expect(matches("regex", ["^\\\\u0061$"], "\\u0061")).toBe(true);
});

test("a dot or a set matches a whole emoji", () => {
  expect(matches("regex", ["^.$"], "😀")).toBe(true);
  expect(matches("regex", ["^[^a]$"], "😀")).toBe(true);
});

test.each(["(a+)+$|(a|aa)+$|(.*)*x", "(a?){20}a{20}[bc]", "(?:[ab ]{1,40}){20}q", "(?:.{1,30}a){20}q"])(
  "a pattern with exponential backtracking elsewhere is fast here: %s",
  (source) => {
    const runaway = compilePattern(source);
    const text = `${"a".repeat(20_000)}!`;
    const started = process.cpuUsage();
    expect(runaway.test(text)).toBe(false);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  },
);

test("an invalid pattern is refused by name, and matches nothing in a list", () => {
  for (const invalid of [
    "(a",
    "a)",
    "[a",
    "*a",
    "a**b\\",
    "(?=a)",
    "(a)\\1",
    "a{3,1}",
    "a{1001}",
    "(a{500}){500}",
    "((){1000}){1000}",
    "x{1000}y{1000}z{1000}",
    "(".repeat(5000) + ")".repeat(5000),
  ])
    expect(() => compilePattern(invalid), invalid).toThrow(PatternError);
  expect(matches("regex", ["(a", "b"], "a")).toBe(false);
  expect(matches("regex", ["(a", "b"], "b")).toBe(true);
});
