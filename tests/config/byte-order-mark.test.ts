/** Settings files that begin with a byte order mark, as some editors write it, are read normally. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { configFile } from "../../src/config/paths.ts";

test("a byte order mark before the settings of the user or a project is ignored", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-marked-"));
  try {
    const env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, "c") };
    mkdirSync(path.dirname(configFile(env)), { recursive: true });
    writeFileSync(configFile(env), '\uFEFF{"settings": {"limit": 4}}');
    expect(loadSettings({ flags: {}, env, cwd: folder }).settings.limit).toBe(4);
    writeFileSync(path.join(folder, ".parley.json"), '\uFEFF{"limit": 5}');
    expect(loadSettings({ flags: {}, env, cwd: folder }).settings.limit).toBe(5);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
