/** The generated documents are up to date with the tables (npm run docs). */
import { readFileSync } from "node:fs";
import path from "node:path";
import { keysPage } from "../../src/tui/bindings/keys-page.ts";
import { expect, test } from "vitest";
import { formatTables } from "../../scripts/format-table.ts";
import { COMMAND_FOLDERS, commandTable } from "../../scripts/command-table.ts";
import { fieldsPage } from "../../scripts/fields.ts";
import { protocolPage } from "../../scripts/protocol/page.ts";
import { tree } from "../../src/cli/tree.ts";
import { commandsPage, settingsPage } from "../../src/cli/help/pages.ts";

const read = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, "../../docs", name), "utf8");

test.each(COMMAND_FOLDERS)("the table of the commands in src/%s is what its files say", async (folder) =>
  expect(read(`../src/${folder}/table.gen.ts`)).toBe(await commandTable(folder)),
);
test("the lists of the formats that can be imported are what their folders say", async () => {
  const { readers, words } = await formatTables();
  expect(read("../src/jobs/foreign/formats.gen.ts")).toBe(readers);
  expect(read("../src/model/files/foreign-formats.gen.ts")).toBe(words);
});
test("docs/commands.md is up to date", () => expect(read("commands.md")).toBe(commandsPage(tree)));
test("docs/settings.md is up to date", () => expect(read("settings.md")).toBe(settingsPage()));
test("docs/keys.md is up to date", () => expect(read("keys.md")).toBe(keysPage()));
test("src/cli/output/shapes.ts matches the types of the commands", () =>
  expect(read("../src/cli/output/shapes.ts")).toBe(fieldsPage()));
test("docs/protocol.md is up to date", () => expect(read("protocol.md")).toBe(protocolPage()));
