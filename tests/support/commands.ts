/** The definitions of all commands that shell and screen share, loaded, by path. */
import type { Command } from "../../src/commands/base/define-command.ts";
import { commands as table } from "../../src/commands/table.gen.ts";

export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  await Promise.all(table.paths.map(async (path) => [path, await table.load(path)] as const)),
);
