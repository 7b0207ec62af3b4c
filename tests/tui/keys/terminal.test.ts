/** Every key of the tables as a terminal sends it, through a real pseudo-terminal to its action (docs/keys.md). */
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KeyContext } from "../../../src/tui/keys/action-table.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import type { KeyProfile } from "../../../src/tui/keys/lookup.ts";
import { bundle, type Bundle } from "../../support/bundle.ts";
import { bytesOf } from "../../support/keyboard.ts";
import { PATIENCE } from "../../support/patience.ts";
import { Pty } from "../../support/pty.ts";
import { removeFolder } from "../../support/remove-folder.ts";

/** The project's own Node, even if another one is first on PATH. */
const NODE = path.join(path.dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node");

let app: Bundle;
let folder: string;
beforeAll(async () => {
  app = await bundle(path.join(import.meta.dirname, "fixtures/keys.ts"));
  folder = mkdtempSync(path.join(tmpdir(), "parley-keys-"));
});
afterAll(() => {
  app.remove();
  removeFolder(folder);
});

/** A context whose own keys do not override this global key. */
function freeOf(profile: KeyProfile, chords: string): KeyContext {
  const [first] = chords.split(" ");
  const taken = (where: KeyContext): boolean =>
    Object.keys(KEY_TABLES[profile][where]!).some((own) => own.split(" ")[0] === first);
  const free = (["browse", "sidebar", "write"] as const).find((where) => !taken(where));
  if (!free) throw new Error(`${chords} holds nowhere in the ${profile} profile`);
  return free;
}

const bound = (profile: KeyProfile): { where: KeyContext; chords: string; action: string }[] =>
  Object.entries(KEY_TABLES[profile]).flatMap(([where, keys]) =>
    Object.entries(keys).map(([chords, action]) => ({
      where: where === "global" ? freeOf(profile, chords) : (where as KeyContext),
      chords,
      action,
    })),
  );

test.each(Object.keys(KEY_TABLES) as KeyProfile[])(
  "each key of the %s profile reaches its action from a real terminal",
  async (profile) => {
    const file = path.join(folder, profile);
    await using pty = Pty.spawn(NODE, [app.file], { env: { KEY_PROFILE: profile, KEYS_SAID: file } });
    const reportedKeys = async (count: number, what: string): Promise<string[]> => {
      const lines = (): string[] => readFileSync(file, { encoding: "utf8", flag: "a+" }).trim().split("\n");
      await expect
        .poll(() => lines().length, { timeout: PATIENCE, interval: 2, message: what })
        .toBeGreaterThanOrEqual(count);
      return lines();
    };
    let count = (await reportedKeys(1, "the start")).length;
    const missed: string[] = [];
    for (const { where, chords, action } of bound(profile)) {
      pty.paste(`in ${where}`);
      await reportedKeys(++count, `in ${where}`);
      for (const chord of chords.split(" ")) pty.type(bytesOf(chord));
      const [reported] = (await reportedKeys(++count, `${where} ${chords}`)).slice(-1);
      if (reported !== action) missed.push(`${where} ${chords}: ${reported} in place of ${action}`);
    }
    expect(missed).toEqual([]);
  },
);
