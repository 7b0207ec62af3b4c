/** The picture protocol: chosen by the setting, by the terminal's answers, and through tmux. */
import { expect, test } from "vitest";
import { readAnswers } from "../../src/cli/shell-commands/doctor/terminal.ts";
import { pictureRoute, type TerminalAnswers, type OuterTerminal } from "../../src/config/picture-route.ts";
import type { Settings } from "../../src/config/settings.ts";
import { mayFetchUnasked, mayFollow } from "../../src/model/pictures.ts";

const NOTHING: TerminalAnswers = { kittyGraphics: false, sixel: false };
const KITTY: TerminalAnswers = { version: "kitty(0.42.1)", kittyGraphics: true, sixel: false };

function routesFor(
  answers: TerminalAnswers,
  env: Record<string, string> = {},
  setting: Settings["pictures"] = "auto",
  tmux?: OuterTerminal,
): string {
  const { stream, panel } = pictureRoute({ setting, level: 3, env, answers, ...(tmux && { tmux }) });
  return `${stream} ${panel}`;
}

test.each([
  ["kitty", KITTY, {}, "kitty kitty"],
  ["Ghostty", { ...KITTY, version: "ghostty 1.2.0" }, {}, "kitty kitty"],
  [
    "WezTerm, which answers for kitty's graphics and lacks their cells",
    { ...KITTY, version: "WezTerm 2026" },
    {},
    "half-blocks iterm2",
  ],
  ["VS Code", NOTHING, { TERM_PROGRAM: "vscode" }, "half-blocks iterm2"],
  ["a terminal with sixel", { ...NOTHING, sixel: true }, {}, "half-blocks sixel"],
  ["a terminal that says nothing", NOTHING, {}, "half-blocks half-blocks"],
  ["GNU Screen", KITTY, { STY: "1" }, "half-blocks half-blocks"],
])("%s gets the right protocols", (_, answers, env, expected) => {
  expect(routesFor(answers, env as Record<string, string>)).toBe(expected);
});

test("inside tmux pictures need passthrough and an outer terminal with picture cells", () => {
  const inside = { TMUX: "/tmp/x" };
  expect(routesFor(NOTHING, inside, "auto", { terminal: "kitty(0.42.1)", passthrough: true })).toBe(
    "kitty kitty",
  );
  expect(routesFor(NOTHING, inside, "auto", { terminal: "kitty(0.42.1)", passthrough: false })).toBe(
    "half-blocks half-blocks",
  );
  expect(routesFor(NOTHING, inside, "auto", { terminal: "iTerm2 3.5", passthrough: true })).toBe(
    "half-blocks half-blocks",
  );
  const route = pictureRoute({
    setting: "auto",
    level: 3,
    env: inside,
    answers: NOTHING,
    tmux: { terminal: "kitty(0.42.1)", passthrough: false },
  });
  expect(route.hint).toContain("allow-passthrough");
});

test("the setting wins over the answers, off means none, and without colours there are no pictures", () => {
  expect(routesFor(NOTHING, {}, "sixel")).toBe("half-blocks sixel");
  expect(routesFor(KITTY, {}, "half-blocks")).toBe("half-blocks half-blocks");
  expect(routesFor(KITTY, {}, "off")).toBe("off off");
  for (const level of [0, 1] as const)
    expect(pictureRoute({ setting: "kitty", level, env: {}, answers: KITTY }).panel).toBe("off");
});

test("terminal answers are found anywhere in the reply", () => {
  expect(readAnswers("\x1bP>|kitty(0.42.1)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;4;22c")).toEqual({
    version: "kitty(0.42.1)",
    kittyGraphics: true,
    sixel: true,
  });
  expect(readAnswers("\x1b[?1;2c")).toEqual(NOTHING);
  expect(readAnswers("")).toEqual(NOTHING);
});

test.each([
  ["https://cdn.example.com/a.png", "", false],
  ["https://cdn.example.com/a.png", "*", true],
  ["https://CDN.example.com/a.png", "cdn.example.com", true],
  ["https://cdn.example.com/a.png", "example.com", false],
  ["http://cdn.example.com/a.png", "*", false],
  ["http://cdn.example.com/a.png", "cdn.example.com", false],
  ["http://127.0.0.1:4000/files/a.png", "", true],
  ["https://192.168.1.1/a.png", "*", false],
  ["https://192.168.1.1/a.png", "192.168.1.1", true],
  ["https://10.0.0.8/a.png", "*", false],
  ["https://printer.local/a.png", "*", false],
  ["https://intranet/a.png", "*", false],
  ["https://[::1]/a.png", "*", false],
  ["https://172.20.1.1/a.png", "*", false],
  ["https://172.32.example.com/a.png", "*", true],
  ["file:///etc/passwd", "*", false],
])("%s is fetched without asking if %j is allowed: %s", (address, named, may) => {
  expect(mayFetchUnasked(address, "127.0.0.1", new Set([named]))).toBe(may);
});

test.each([
  ["https://cdn.example.com/a.png", "https://cdn.example.com/b.png", "", true],
  ["https://cdn.example.com/a.png", "http://cdn.example.com/b.png", "", false],
  ["http://cdn.example.com/a.png", "https://cdn.example.com/a.png", "", true],
  ["https://cdn.example.com/a.png", "https://tracker.example.com/a.png", "", false],
  ["https://cdn.example.com/a.png", "https://eu.cdn.example.com/a.png", "eu.cdn.example.com", true],
  ["https://cdn.example.com/a.png", "http://127.0.0.1:4000/files/a.png", "", true],
  ["https://cdn.example.com/a.png", "https://192.168.1.1/a.png", "*", false],
  ["https://cdn.example.com/a.png", "file:///etc/passwd", "*", false],
])("a redirect from %s to %s is followed if %j is allowed: %s", (from, to, named, may) => {
  expect(mayFollow(from, to, "127.0.0.1", new Set([named]))).toBe(may);
});
