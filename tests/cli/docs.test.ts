/** The generated documents are up to date with the tables (npm run docs). */
import { readFileSync } from "node:fs";
import path from "node:path";
import { keysPage } from "../../src/tui/bindings/keys-page.ts";
import { expect, test } from "vitest";
import { fieldsPage } from "../../scripts/fields.ts";
import { repliesPage } from "../../scripts/replies.ts";
import { protocolPage } from "../../scripts/protocol/page.ts";
import { tree } from "../../src/cli/shell-commands/index.ts";
import { commandsPage, settingsPage } from "../../src/cli/help/pages.ts";

const read = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, "../../docs", name), "utf8");

test("docs/commands.md is fresh", () => expect(read("commands.md")).toBe(commandsPage(tree)));
test("docs/settings.md is fresh", () => expect(read("settings.md")).toBe(settingsPage()));
test("docs/keys.md is fresh", () => expect(read("keys.md")).toBe(keysPage()));
test("src/wire/replies.ts is what the types of the table say", () =>
  expect(read("../src/wire/replies.ts")).toBe(repliesPage()));
test("src/cli/output/shapes.ts is what the types of the commands say", { timeout: 60_000 }, () =>
  expect(read("../src/cli/output/shapes.ts")).toBe(fieldsPage()),
);
test("docs/protocol.md is fresh", () => expect(read("protocol.md")).toBe(protocolPage()));
