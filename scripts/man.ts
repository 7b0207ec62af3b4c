/** Writes the manual pages in dist/man, from the command tree. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { manPages } from "../src/cli/help/man.ts";
import { tree } from "../src/cli/tree.ts";

export function writeMan(folder: string, version: string): void {
  const home = path.join(folder, "man");
  mkdirSync(home, { recursive: true });
  for (const [name, text] of manPages(tree, version)) writeFileSync(path.join(home, `${name}.1`), text);
}
