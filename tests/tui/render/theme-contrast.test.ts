/** Every theme can be read: contrast of every pair of colours that is drawn, and authors that differ. */
import { describe, expect, test } from "vitest";
import type { BuiltIn, ThemeRole } from "../../../src/config/themes.ts";
import { LIGHT_THEMES, MONO, PALETTES, TERMINAL, TERMINAL_LIGHT } from "../../../src/tui/render/palettes.ts";
import { AuthorNumbers } from "../../../src/tui/render/author-numbers.ts";
import { colourDistance, contrast } from "../../support/contrast.ts";

/** Backgrounds of common terminals: black, VS Code, Catppuccin, One Dark, Nord; white, Solarized, Gruvbox, Latte. */
const DARK = ["#000000", "#16181a", "#1e1e2e", "#282c34", "#2e3440"];
const LIGHT = ["#ffffff", "#fdf6e3", "#fbf1c7", "#eff1f5"];

const COLOURED = (Object.keys(PALETTES) as BuiltIn[]).filter((name) => name !== "terminal");

/** Roles that draw text on the terminal's own background, and on the fills. */
const TEXT = [
  "dim accent link code quote spoiler mention good warn bad unread own",
  "keyword string number comment name type",
].flatMap((names) => names.split(" ") as ThemeRole[]);
/** Roles with a fill of their own. */
const FILLED: ThemeRole[] = ["selected", "open", "surface", "button", "mentionMe", "marked", "notice"];

const colourIn = (style = ""): string | undefined => /(?<!on )(#\w{6})/.exec(style)?.[1];
const fillIn = (style = ""): string | undefined => /on (#\w{6})/.exec(style)?.[1];

/** What a text of the theme can stand on: the terminal's background, a chosen row, a field, a notice, code. */
function grounds(name: BuiltIn): string[] {
  const { styles } = PALETTES[name];
  const fills = ["selected", "open", "surface", "notice", "codeBlock"] as const;
  return [...(LIGHT_THEMES.has(name) ? LIGHT : DARK), ...fills.map((role) => fillIn(styles[role])!)];
}

describe.each(COLOURED)("%s", (name) => {
  const { styles, authors } = PALETTES[name];

  test("every text has a contrast of 4.5 on common backgrounds and on every fill", () => {
    const low = [
      ...TEXT.map((role) => [role, colourIn(styles[role])] as const),
      ...authors.entries(),
    ].flatMap(([role, colour]) =>
      grounds(name)
        .filter((ground) => contrast(colour!, ground) < 4.5)
        .map((ground) => `${role} ${colour} on ${ground}`),
    );
    expect(low).toEqual([]);
  });

  test("every text with a fill of its own has a contrast of 4.5 on it", () => {
    for (const role of FILLED)
      expect(contrast(colourIn(styles[role])!, fillIn(styles[role])!), role).toBeGreaterThan(4.5);
  });

  test("what is behind a popup is fainter than the hints, but can still be made out", () => {
    const ground = LIGHT_THEMES.has(name) ? LIGHT[0]! : DARK[1]!;
    expect(contrast(colourIn(styles.behind)!, ground)).toBeGreaterThan(3);
    expect(contrast(colourIn(styles.behind)!, ground)).toBeLessThan(contrast(colourIn(styles.dim)!, ground));
  });

  test("it has ten authors, all different, and bold is not needed to tell them from the accent", () => {
    expect(new Set(authors).size).toBe(10);
    for (const author of authors) expect(author).not.toBe(styles.accent);
  });
});

test.each(["dark", "light"] as const)("no author of %s looks like the accent or like red", (name) => {
  const { styles, authors } = PALETTES[name];
  for (const role of ["accent", "unread"] as const)
    for (const author of authors)
      expect(colourDistance(author, styles[role]!), `${author} and ${role}`).toBeGreaterThanOrEqual(28);
});

test("with sixteen or no colours nothing has a fill but by inverse, and a light background no bright colour but one", () => {
  for (const { styles } of [TERMINAL, TERMINAL_LIGHT, MONO])
    for (const style of Object.values(styles)) expect(style).not.toMatch(/#|on /);
  const light = [...Object.values(TERMINAL_LIGHT.styles), ...TERMINAL_LIGHT.authors].join(" ");
  expect(light).not.toMatch(/cyan|green|yellow|white/);
});

test("no two of the first ten people have one colour, and nobody's changes when others are seen", () => {
  for (let round = 0; round < 50; round++) {
    const numbers = new AuthorNumbers();
    const people = Array.from({ length: 10 }, (_, i) => `u${round}-${i * 7}`);
    const given = people.map((id) => numbers.numberOf(id));
    expect(new Set(given).size).toBe(10);
    for (let i = 0; i < round; i++) numbers.numberOf(`other${i}`);
    expect(people.map((id) => numbers.numberOf(id))).toEqual(given);
  }
});

test("an eleventh person shares a colour", () => {
  const numbers = new AuthorNumbers();
  const given = Array.from({ length: 11 }, (_, i) => numbers.numberOf(`u${i}`));
  expect(Math.max(...given)).toBeLessThan(10);
});
