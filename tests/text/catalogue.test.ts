/** What the screen says stands in one catalogue (src/text/words.ts): no view holds a sentence of its own. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { commands } from "../../src/commands/index.ts";

const SCREEN = path.resolve(import.meta.dirname, "../../src/tui");

/** Tables of their own: a row each with its words beside what it is, fed to help, palette, docs and files. */
const TABLES = new Set([
  "keys/action-table.ts",
  "keys/line-table.ts",
  "bindings/key-file.ts",
  "bindings/keys-page.ts",
]);

/** What nobody reads on the screen: styles, programs of the desktop, and faults of our own that go to the log. */
const UNREAD = new Set([
  "render/palettes.ts",
  "render/theme.ts",
  "machine/clipboard.ts",
  "components/context.ts",
  "pictures/decoding.ts",
  "terminal/session.ts",
  "terminal/signals.ts",
]);

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Two words beside each other, which somebody reads. */
const READ = /\p{L}{2,} \p{L}{2,}/u;

/** A line of the box or of the shell, and the path of a command. */
const isCommand = (text: string): boolean => /^(\/|parley )/.test(text) || Object.hasOwn(commands, text);

/** Texts of a source that a person reads; a template with `…` for what it holds. */
function sentencesIn(source: string, tsx: boolean): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== "object") return;
    const { type } = node as Node;
    if (type === "ImportDeclaration" || type === "ExportAllDeclaration" || type === "TSLiteralType") return;
    // What a choice is found by is not shown.
    if (type === "Property" && (node as unknown as { key: { name?: string } }).key.name === "also") return;
    if (type === "Literal") {
      const { value } = node as unknown as { value: unknown };
      if (typeof value === "string" && READ.test(value) && !isCommand(value)) found.push(value);
      return;
    }
    if (type === "TemplateLiteral") {
      const { quasis, expressions } = node as unknown as {
        quasis: { value: { cooked: string } }[];
        expressions: unknown[];
      };
      const text = quasis.map(({ value }) => value.cooked).join("…");
      if (READ.test(text) && !isCommand(text)) found.push(text);
      return visit(expressions);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(source, { lang: tsx ? "tsx" : "ts" }).body);
  return found;
}

test("a sentence is found in a string, in a template and in an attribute, a name of a thing is none", () => {
  const source =
    'tell("Nothing waits here."); const a = `${n} of them`; box({ title: "Go to" }); f("a-b", "one")';
  expect(sentencesIn(source, false)).toEqual(["Nothing waits here.", "… of them", "Go to"]);
});

test("no file of the screen but its tables holds words for people", () => {
  const files = readdirSync(SCREEN, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
    .filter((file) => !TABLES.has(file) && !UNREAD.has(file))
    .toSorted();
  const outside = files.flatMap((file) =>
    sentencesIn(readFileSync(path.join(SCREEN, file), "utf8"), file.endsWith("x")).map(
      (text) => `${file}: ${text}`,
    ),
  );
  expect(outside).toEqual([]);
});
