/** Addresses and file names received from others: which may be linked, opened and written (specification/security.md §2). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanFileName } from "../../src/text/file-name.ts";
import { findLinks, hyperlink } from "../../src/text/link.ts";
import { htmlOf } from "../../src/text/html.ts";
import { linksIn } from "../../src/text/markup.ts";
import { safeUrl, shownHost } from "../../src/text/safe-url.ts";
import { giants, hostile } from "./hostile.ts";

describe("safe addresses", () => {
  test.each([
    ["https://a.example", "https://a.example/"],
    ["HTTP://A.example:8080/p?q#h", "http://a.example:8080/p?q#h"],
    ["http://127.0.0.1:3030/x", "http://127.0.0.1:3030/x"],
    ["https://a.example/ü", "https://a.example/%C3%BC"],
    ["https://[::1]/", "https://[::1]/"],
  ])("include %s", (from, to) => expect(safeUrl(from)?.href).toBe(to));
  test.each([
    "",
    "a.example",
    "//a.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "ftp://a.example",
    "ssh://a",
    "mailto:a@b.example",
    "https://u@a.example",
    "https://u:p@a.example",
    "https://@a.example",
    "https://:@a.example",
    "https:a.example",
    "https:/a.example",
    "https:///a.example",
    "https:\\\\a.example",
    "https://a.example\\b",
    "https://a.example/ b",
    "https://a.example/\x1b[31m",
    "https://a.example/\n",
    "\thttps://a.example",
    "https://a.example/\u202ex",
    "https://a.example/\u200b",
    "https://",
    "https://?x",
    "https://a.example/<b>",
    "https://%00/",
    "https://a b/",
    "vbscript:x",
    "HTTPS ://a.example",
    `https://a.example/${"x".repeat(2048)}`,
  ])("exclude %j", (from) => expect(safeUrl(from)).toBeUndefined());
  test("show look-alike letters in the host", () =>
    expect(shownHost("https://аpple.example/x")).toBe("xn--pple-43d.example"));
});

describe("OSC 8", () => {
  test("links are built from safe addresses only", () => {
    expect(hyperlink("x", "https://a.example/b")).toMatch(
      /^\x1b\]8;id=[a-z0-9]+;https:\/\/a\.example\/b\x1b\\x\x1b\]8;;\x1b\\$/,
    );
    expect(hyperlink("x", "javascript:alert(1)")).toBe("x");
  });
  test("links cannot be closed or reopened by an address", () => {
    const links = [...hostile, ...hostile.map((h) => `https://a.example/${h}`)]
      .map((address) => hyperlink("x", address))
      .filter((link) => link !== "x");
    expect(links.length).toBeGreaterThan(10);
    for (const link of links)
      expect(link).toMatch(/^\x1b\]8;id=[a-z0-9]+;[\x21-\x7e]+\x1b\\x\x1b\]8;;\x1b\\$/);
  });
});

describe("addresses in a text", () => {
  test("are found with their positions, without the punctuation after them", () => {
    const text = "see (https://a.example/b_(c)), or b.dev!";
    const found = findLinks(text);
    expect(found.map((l) => l.url)).toEqual(["https://a.example/b_(c)", "http://b.dev/"]);
    for (const l of found) expect(text.slice(l.start, l.end)).toBe(l.text);
  });
  test("are always safe", () => {
    const found = hostile.flatMap((text) => findLinks(text));
    expect(found.length).toBeGreaterThan(20);
    for (const l of found) expect(safeUrl(l.url)).toBeDefined();
  });
  test.each(giants.filter((g) => /addresses|dots|ASCII|mentions/.test(g.name)))(
    "in $name are found up to the end",
    ({ text }) => {
      const part = `${text.slice(0, 20_000)} https://last.example/`;
      const found = findLinks(part);
      for (const link of found) expect(part.slice(link.start, link.end)).toBe(link.text);
      expect(found.at(-1)?.text).toBe("https://last.example/");
    },
  );
});

describe("file names", () => {
  test.each([
    ["week-46.csv", "week-46.csv"],
    ["../../etc/passwd", "passwd"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["a/b/", "b"],
    ["..", "file"],
    ["", "file"],
    [".bashrc", "bashrc"],
    ["name. ", "name"],
    ["CON", "_CON"],
    ["nul.txt", "_nul.txt"],
    ["com1.tar.gz", "_com1.tar.gz"],
    ["a:b*c?.png", "a_b_c_.png"],
    ["a\0b\x1b[31mc\n.txt", "a_bc .txt"],
    ["exe.\u202egnp", "exe.gnp"],
    ["漢字.png", "漢字.png"],
  ])("%j becomes %j", (from, to) => expect(cleanFileName(from)).toBe(to));
  test("have at most 255 bytes and keep their extension", () => {
    expect(cleanFileName(`${"a".repeat(251)}.txt`)).toBe(`${"a".repeat(251)}.txt`);
    expect(cleanFileName(`${"a".repeat(252)}.txt`)).toBe(`${"a".repeat(251)}.txt`);
    expect(Buffer.byteLength(cleanFileName(`${"漢".repeat(200)}.tar.gz`))).toBeLessThanOrEqual(255);
    expect(cleanFileName(`${"漢".repeat(200)}.gz`).endsWith(".gz")).toBe(true);
  });
  test.each(["👩‍👩‍👧", "e\u0301\u0323", "🇩🇪", "각", "👍🏽"])(
    "are cut between whole characters such as %s, wherever the limit falls",
    (character) => {
      for (let before = 0; before < Buffer.byteLength(character); before++) {
        const name = cleanFileName(`${"x".repeat(before)}${character.repeat(100)}.txt`);
        expect(name.slice(before, -4).replaceAll(character.normalize(), "").replaceAll(character, "")).toBe(
          "",
        );
        expect(Buffer.byteLength(name)).toBeGreaterThan(255 - Buffer.byteLength(character));
      }
    },
  );
  test("are always one harmless path component", () => {
    const check = (from: string): void => {
      const name = cleanFileName(from);
      expect(name).toMatch(/^[^/\\<>:"|?*\x00-\x1f\x7f-\x9f]+$/u);
      expect(name).not.toMatch(/^\.|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    };
    for (const text of hostile) check(text);
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), check), { numRuns: 1000 });
  });
});

describe("the links of a text", () => {
  const ADDRESS = "https://a.example/x_y";
  test.each([
    `**${ADDRESS}**`,
    `_${ADDRESS}_`,
    `***${ADDRESS}***`,
    `~~${ADDRESS}~~`,
    `||${ADDRESS}||`,
    `<${ADDRESS}>`,
    `[label](${ADDRESS})`,
    `[**label**](${ADDRESS} "title")`,
    `*see ${ADDRESS}*`,
    `"${ADDRESS}", then`,
    `> **${ADDRESS}**`,
    `- [ ] **${ADDRESS}**`,
    `2019. _${ADDRESS}_`,
    `| a |\n|---|\n| ${ADDRESS} |`,
    `# ${ADDRESS}`,
    `**a** ${ADDRESS} and **${ADDRESS}**`,
  ])("are the same however they are written: %j", (text) => expect(linksIn(text)).toEqual([ADDRESS]));
  test.each([`\`${ADDRESS}\``, `\`\`\`\n${ADDRESS}\n\`\`\``, "[x](javascript:alert)"])(
    "are none in code, or where nothing opens: %j",
    (text) => expect(linksIn(text)).toEqual([]),
  );
  test("come in the order of the text, each once", () => {
    const text = "**http://b.example** a.example <http://b.example> [a](http://a.example)";
    expect(linksIn(text)).toEqual(["http://b.example/", "http://a.example/"]);
  });
  test("are the addresses that the screen shows as links", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("**", "_", "~~", "||", " ", ADDRESS, "x", "`", "(", ")", ".")),
        (pieces) => {
          const text = pieces.join("");
          const html = htmlOf(text);
          const shown = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, url]) => url);
          expect(linksIn(text)).toEqual([...new Set(shown)]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
