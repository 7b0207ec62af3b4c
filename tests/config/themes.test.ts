/** Theme files: valid entries apply, and each error is reported with its line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import {
  BUILT_IN_THEMES,
  ownThemes,
  readTheme,
  readThemeText,
  themeProblem,
  themesFolder,
} from "../../src/config/themes.ts";
import { PALETTES } from "../../src/tui/render/palettes.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-themes-"));
const env = { XDG_CONFIG_HOME: folder, HOME: folder };
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(themesFolder(env), { recursive: true });
  writeFileSync(path.join(themesFolder(env), name), text);
}

test("the built-in themes are valid theme files and name the colours of authors", () => {
  for (const [name, palette] of Object.entries(PALETTES)) {
    const { faults } = readThemeText(JSON.stringify({ ...palette.styles, authors: palette.authors }), name);
    expect(faults, name).toEqual([]);
    expect(palette.authors.length, name).toBeGreaterThanOrEqual(5);
  }
  expect(Object.keys(PALETTES)).toEqual(Object.keys(BUILT_IN_THEMES));
});

test("each theme has different colours in full colour, and the terminal's own colours in sixteen", () => {
  const drawn = (level: 1 | 3) =>
    Object.keys(BUILT_IN_THEMES).map((name) => {
      const theme = makeTheme(level, name as keyof typeof BUILT_IN_THEMES);
      return [
        theme.accent("a"),
        theme.bad("b"),
        theme.open("c"),
        ...theme.authors.map((style) => style("d")),
      ].join();
    });
  expect(new Set(drawn(3)).size).toBe(Object.keys(BUILT_IN_THEMES).length);
  // oxlint-disable-next-line no-control-regex
  for (const row of drawn(1)) expect(row).not.toMatch(/\x1b\[[34]8;/);
});

test("a theme file changes what it sets and keeps the rest of its base", () => {
  write("sea.json", '{ "base": "light", "accent": "bold #112233 on white", "authors": ["red", "#445566"] }');
  const { palette, faults } = readTheme(env, "sea");
  expect(faults).toEqual([]);
  const theme = makeTheme(3, palette!);
  expect(theme.accent("x")).toBe("\x1b[1m\x1b[38;2;17;34;51m\x1b[47mx\x1b[49m\x1b[39m\x1b[22m");
  expect(theme.code("x")).toBe(makeTheme(3, "light").code("x"));
  expect(theme.authors).toHaveLength(2);
  expect(theme.key).not.toBe(makeTheme(3, "light").key);
  expect(ownThemes(env)).toEqual(["sea"]);
});

test.each([
  ['{\n  "accent": "#12345"\n}', "t.json line 2: accent: '#12345' is not a colour or style"],
  ['{\n  "accent": "blod"\n}', "t.json line 2: accent: 'blod' is not a colour or style, did you mean 'bold'"],
  ['{\n\n  "acent": "red"\n}', "t.json line 3: 'acent' is not a key of a theme, did you mean 'accent'"],
  ['{ "accent": "on" }', "t.json line 1: accent: 'on' needs a colour after it"],
  ['{ "accent": 7 }', 't.json line 1: accent: a style is a text such as "bold #7aa2f7"'],
  ['{\n"authors": ["red", "purple"] }', "t.json line 2: authors is a list of colours"],
  ['{ "base": "night" }', "t.json line 1: base must be one of dark, light"],
  ['{\n "accent": "red",\n oops }', "t.json line 3: it is not valid JSON from here on"],
  ["[]", "t.json: it must be one JSON object, roles to styles"],
])("%s is reported as an error", (text, problem) => {
  expect(readThemeText(text, "t.json").faults[0]).toContain(problem);
});

test("valid entries of a file with an error are used", () => {
  const { palette, faults } = readThemeText('{ "bad": "blue", "good": "nice" }', "t.json");
  expect(faults).toHaveLength(1);
  expect(palette!.styles).toEqual({ bad: "blue" });
});

test("an unknown theme is refused with the source and all theme names", () => {
  write("sea.json", "{}");
  expect(themeProblem(env, "sea")).toBeUndefined();
  const load = (theme: string): unknown =>
    loadSettings({ flags: { theme }, env: { ...env, PARLEY_KEYRING: "off" }, cwd: folder }).settings.theme;
  expect(load("sea")).toBe("sea");
  expect(() => load("pink")).toThrow(/^--theme: theme must be one of auto, dark, light, .*, sea, not "pink"/);
  expect(() => load("../x")).toThrow("theme must be one of auto, dark");
});
