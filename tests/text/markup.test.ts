/** Message markup: blocks, links, mentions and spoilers; nothing typed is lost and nothing takes seconds. */
import { beforeAll, describe, expect, test } from "vitest";
import { highlight, highlighterLoaded, loadHighlighter } from "../../src/text/highlight.ts";
import { flatText, parseMarkup, type Block, type Span } from "../../src/text/markup.ts";
import { giants, hostile } from "./hostile.ts";

const spansOf = (text: string, names?: string[]): Span[] => {
  const [block] = parseMarkup(text, names ? { names } : {});
  if (block?.kind !== "paragraph") throw new Error(`not a paragraph: ${JSON.stringify(block)}`);
  return block.spans;
};
const t = (text: string): Span => ({ kind: "text", text });

describe("spans", () => {
  test("text without markup is one span", () => {
    expect(parseMarkup("deploy at ten?")).toEqual([{ kind: "paragraph", spans: [t("deploy at ten?")] }]);
    expect(parseMarkup("two\n\nlines & more.")).toEqual([
      { kind: "paragraph", spans: [t("two\n\nlines & more.")] },
    ]);
    expect(parseMarkup("")).toEqual([]);
  });
  test("strong, emphasis, deleted text and code can be nested", () => {
    expect(spansOf("**a _b_** ~~c~~ `d*`")).toEqual([
      { kind: "strong", spans: [t("a "), { kind: "em", spans: [t("b")] }] },
      t(" "),
      { kind: "del", spans: [t("c")] },
      t(" "),
      { kind: "code", text: "d*" },
    ]);
  });
  test("line breaks are kept, underscores inside words are not emphasis, and escapes work", () => {
    expect(spansOf("a *b*\nc")).toEqual([t("a "), { kind: "em", spans: [t("b")] }, t("\nc")]);
    expect(spansOf("snake_case_name")).toEqual([t("snake_case_name")]);
    expect(
      spansOf("\\*a\\*")
        .map((s) => (s.kind === "text" ? s.text : "?"))
        .join(""),
    ).toBe("*a*");
  });
  test("raw HTML and entities are plain text", () => {
    expect(flatText("<b>x</b> &amp; <script>y</script>")).toBe("<b>x</b> &amp; <script>y</script>");
    expect(parseMarkup("<div>\nx")).toEqual([{ kind: "paragraph", spans: [t("<div>\nx")] }]);
  });
  test("text between double bars is a spoiler, and is covered in plain text", () => {
    expect(spansOf("a ||b *c*|| d")).toEqual([
      t("a "),
      { kind: "spoiler", spans: [t("b "), { kind: "em", spans: [t("c")] }] },
      t(" d"),
    ]);
    expect(flatText("a || b")).toBe("a || b");
    expect(flatText("who: ||ana||")).toBe("who: ▒▒▒▒");
  });
  test("emoji names become emoji, except in code and addresses", () => {
    expect(flatText(":tada: :nope: `:tada:` https://a.example/:tada:")).toBe(
      "🎉 :nope: :tada: https://a.example/:tada:",
    );
    expect(flatText("at 10:30:15")).toBe("at 10:30:15");
  });
});

describe("links", () => {
  test("bare addresses, host names and labelled links are recognised", () => {
    expect(spansOf("see https://a.example/x_y_z.")).toEqual([
      t("see "),
      { kind: "link", url: "https://a.example/x_y_z", bare: true, spans: [t("https://a.example/x_y_z")] },
      t("."),
    ]);
    expect(spansOf("example.com now")).toEqual([
      { kind: "link", url: "http://example.com/", bare: true, spans: [t("example.com")] },
      t(" now"),
    ]);
    expect(spansOf("[docs](https://a.example/d)")).toEqual([
      { kind: "link", url: "https://a.example/d", bare: false, spans: [t("docs")] },
    ]);
  });
  test("a label that names another address is not bare", () => {
    expect(spansOf("[https://good.example](https://evil.example)")[0]).toMatchObject({
      kind: "link",
      url: "https://evil.example/",
      bare: false,
    });
  });
  test("the alt text of an image inside a link becomes its label", () => {
    expect(spansOf("[![alt](https://b.example/p)](https://a.example/d) x")).toEqual([
      { kind: "link", url: "https://a.example/d", bare: false, spans: [t("alt")] },
      t(" x"),
    ]);
  });
  test("unsafe addresses stay as typed", () => {
    for (const text of [
      "[x](javascript:alert(1))",
      "[x](https://u:p@h.example)",
      "![x](data:text/html,y)",
      "<file:///etc/passwd>",
    ]) {
      expect(JSON.stringify(parseMarkup(text))).not.toContain('"link"');
      expect(flatText(text)).toBe(text);
    }
  });
  test("file names and mail addresses are not links", () => {
    for (const text of ["README.md", "main.rs run.sh", "mail ana@example.com"])
      expect(JSON.stringify(parseMarkup(text))).not.toContain('"link"');
  });
  test("a link definition is shown as text", () =>
    expect(flatText("[a]: https://a.example")).toBe("[a]: https://a.example"));
});

describe("mentions", () => {
  test("are a word after an at sign, or a known name, the longest first", () => {
    expect(spansOf("hi @bo, @Bo Lee!", ["Bo", "Bo Lee"])).toEqual([
      t("hi "),
      { kind: "mention", name: "bo" },
      t(", "),
      { kind: "mention", name: "Bo Lee" },
      t("!"),
    ]);
    expect(spansOf("@ana-lu.")).toEqual([{ kind: "mention", name: "ana-lu" }, t(".")]);
  });
  test("ignore a known name that is only the beginning of the word", () => {
    expect(spansOf("@bobby @bob", ["bob"])).toEqual([
      { kind: "mention", name: "bobby" },
      t(" "),
      { kind: "mention", name: "bob" },
    ]);
  });
  test("are not found inside words or code", () => {
    expect(spansOf("a@b @ c")).toEqual([t("a@b @ c")]);
    expect(spansOf("`@bo`")).toEqual([{ kind: "code", text: "@bo" }]);
  });
});

describe("the numbers of a list", () => {
  const numbersOf = (text: string): (string | undefined)[] =>
    parseMarkup(text).flatMap((block) => (block.kind === "list" ? block.items.map((one) => one.number) : []));

  test.each([
    ["2019. A\n2021. B", ["2019.", "2021."]],
    ["1. A\n3. C\n2. B", ["1.", "3.", "2."]],
    ["007. A\n8. B", ["007.", "8."]],
    ["1) A\n5) B", ["1)", "5)"]],
    ["0. A\n2. B", ["0.", "2."]],
    ["> 1. A\n> 4. B", []],
    ["9. A", ["9."]],
  ])("are those of %j", (text, numbers) => expect(numbersOf(text)).toEqual(numbers));
  test("are counted where all of them are the same", () => {
    expect(numbersOf("1. A\n1. B\n1. C")).toEqual(["1.", "2.", "3."]);
    expect(numbersOf("5) A\n5) B")).toEqual(["5)", "6)"]);
  });
  test("stay on one line, too, and are not there for bullets", () => {
    expect(flatText("2019. A\n2021. B")).toBe("2019. A · 2021. B");
    expect(flatText("- A\n- B")).toBe("A · B");
    expect(numbersOf("- A\n- B")).toEqual([undefined, undefined]);
  });
});

describe("blocks", () => {
  test("headings, quotes, lists with tasks, code, rules and tables are recognised", () => {
    const blocks = parseMarkup(
      "# T\n\n> q\n\n3. a\n4. b\n   - [x] c\n\n```ts\nlet x\n```\n\n---\n\n|a|b|\n|-|-|\n|1|2|",
    );
    expect(blocks.map((block) => block.kind)).toEqual(["heading", "quote", "list", "code", "rule", "table"]);
    expect(blocks[2]).toMatchObject({
      ordered: true,
      items: [{ number: "3." }, { number: "4.", blocks: [{}, { kind: "list", items: [{ checked: true }] }] }],
    });
    expect(blocks[3]).toEqual({ kind: "code", language: "ts", text: "let x" });
    expect(blocks[5]).toEqual({
      kind: "table",
      rows: [
        ["a", "b"],
        ["1", "2"],
      ],
    });
  });
  test("an unclosed code fence is code", () =>
    expect(parseMarkup("```\nx *y*")).toEqual([{ kind: "code", language: "", text: "x *y*" }]));
});

describe("hostile markup", () => {
  const texts = (blocks: readonly Block[]): string => JSON.stringify(blocks);
  test("no control character of the corpus reaches a span", () => {
    // oxlint-disable-next-line no-misleading-character-class
    for (const text of hostile)
      expect(texts(parseMarkup(text))).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]|\\u00[01]/);
  });
  test.each([
    ...giants,
    { name: "deep quotes", text: ">".repeat(20_000) },
    { name: "deep lists", text: "1. ".repeat(6_600) },
    { name: "as many delimiters as allowed", text: "_a*".repeat(749) },
    { name: "brackets as many as allowed", text: "[".repeat(750) + "](".repeat(370) },
    {
      name: "indented lists",
      text: Array.from({ length: 100 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n"),
    },
  ])("$name are parsed in reasonable time", ({ text }) => {
    // Backtracking over these would exceed the test runner's timeout.
    expect(parseMarkup(text).length).toBeGreaterThan(0);
  });
});

describe("highlighting", () => {
  beforeAll(async () => {
    if (!highlighterLoaded()) expect(highlight("let x", "ts")).toBeUndefined();
    await loadHighlighter();
  });
  test("the spans together are the code", () => {
    const code = "const a = '<b>' && \"x\"; // &amp; </span>\nif (1 < 2) { return `t${a}`; }";
    const spans = highlight(code, "ts")!;
    expect(spans.map((s) => s.text).join("")).toBe(code);
    expect(spans).toContainEqual({ tone: "keyword", text: "const" });
    expect(spans.some((s) => s.tone === "comment" && s.text.startsWith("//"))).toBe(true);
  });
  test("unknown languages and long code are not highlighted", () => {
    expect(highlight("x", "klingon")).toBeUndefined();
    expect(highlight("x", "")).toBeUndefined();
    expect(highlight("x".repeat(9_000), "ts")).toBeUndefined();
  });
});
