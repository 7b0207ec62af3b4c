/** All texts of the screen are in one catalogue (src/text/words.ts): no view contains a sentence. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { commands } from "../support/commands.ts";

const SCREEN = path.resolve(import.meta.dirname, "../../src/tui");

/** Tables with texts in their rows, used by help, palette, docs and files. */
const TABLES = new Set([
  "keys/action-table.ts",
  "keys/composer-commands.ts",
  "bindings/key-file.ts",
  "bindings/keys-page.ts",
  "views/preferences/setting-names.ts",
]);

/** Files whose texts are not shown on the screen: styles, names of desktop programs, and internal errors for the log. */
const NOT_SHOWN = new Set([
  "render/palettes.ts",
  "render/theme.ts",
  "machine/clipboard.ts",
  "components/context.ts",
  "pictures/decoding.ts",
  "pictures/gif.ts",
  "terminal/session.ts",
  "terminal/signals.ts",
]);

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Two words next to each other: a text for people. */
const WORDS = /\p{L}{2,} \p{L}{2,}/u;

/** A command line of the composer or the shell, or the path of a command. */
const isCommand = (text: string): boolean => /^(\/|parley )/.test(text) || Object.hasOwn(commands, text);

/** A panel is one folder: the titles and hints of its actions and the heading of its keys stand in its definition. */
const PANEL_TEXTS: ReadonlySet<string | undefined> = new Set(["title", "hint", "section"]);
const PANEL = /\b(?:(?:listPane|pagePanel|PanelDefinition|PanelAction)<|userList\()/;
const NO_TEXTS: ReadonlySet<string | undefined> = new Set();

/** Texts of a source that people read; in templates, `…` replaces the inserted values. */
function sentencesIn(source: string, tsx: boolean): string[] {
  const own = PANEL.test(source) ? PANEL_TEXTS : NO_TEXTS;
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== "object") return;
    const { type } = node as Node;
    if (type === "ImportDeclaration" || type === "ExportAllDeclaration" || type === "TSLiteralType") return;
    const name = type === "Property" ? (node as unknown as { key: { name?: string } }).key.name : undefined;
    // Search keywords of a choice are not shown.
    if (name === "keywords" || own.has(name)) return;
    if (type === "Literal") {
      const { value } = node as unknown as { value: unknown };
      if (typeof value === "string" && WORDS.test(value) && !isCommand(value)) found.push(value);
      return;
    }
    if (type === "TemplateLiteral") {
      const { quasis, expressions } = node as unknown as {
        quasis: { value: { cooked: string } }[];
        expressions: unknown[];
      };
      const text = quasis.map(({ value }) => value.cooked).join("…");
      if (WORDS.test(text) && !isCommand(text)) found.push(text);
      return visit(expressions);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(source, { lang: tsx ? "tsx" : "ts" }).body);
  return found;
}

test("sentences are found in strings, templates and attributes, and single words are not", () => {
  const source =
    'tell("Nothing waits here."); const a = `${n} of them`; box({ title: "Go to" }); f("a-b", "one")';
  expect(sentencesIn(source, false)).toEqual(["Nothing waits here.", "… of them", "Go to"]);
});

test("no file of the screen except its tables contains text for people", () => {
  const files = readdirSync(SCREEN, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
    .filter((file) => !TABLES.has(file) && !NOT_SHOWN.has(file))
    .toSorted();
  const outside = files.flatMap((file) =>
    sentencesIn(readFileSync(path.join(SCREEN, file), "utf8"), file.endsWith("x")).map(
      (text) => `${file}: ${text}`,
    ),
  );
  expect(outside).toEqual([]);
});
