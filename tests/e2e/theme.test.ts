/** theme = auto: a terminal that reports a white background gets the light colours; without an answer the dark ones are used. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import { authorColor, colorNumber, makeTheme } from "../../src/tui/render/theme.ts";

let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  await home.say("messaging:general", "bob", { text: "in which colour" });
});
afterAll(() => home.end());

/** The colour of an author's name as `#rrggbb`, from `38;2;r;g;b`. */
function authorHex(theme: "light" | "dark"): string {
  const [, ...rgb] = /38;2;(\d+);(\d+);(\d+)/.exec(
    authorColor(makeTheme(3, theme), colorNumber("bob"))("x"),
  )!;
  return `#${rgb.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

test.each([
  ["on a white background", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "light"],
  ["on a black background", "\x1b]11;rgb:0000/0000/0000\x1b\\", "dark"],
  ["without an answer about the background", "", "dark"],
] as const)("theme = auto %s uses the right colours", async (_name, answer, theme) => {
  await using screen = home.screen(["chat", "messaging:general"], {
    answers: false,
    env: { COLORTERM: "truecolor", FORCE_COLOR: "3" },
  });
  await screen.waitFor("in which colour");
  // The background colour is answered before the device attributes, in the order of the queries.
  screen.type(`${answer}\x1b[?62;22c`);
  const at = screen.find("bob");
  expect(at).toBeDefined();
  await screen.waitFor((s) => s.cell(at!.x, at!.y)?.fg === authorHex(theme));
  await screen.settle();
  expect(screen.cell(at!.x, at!.y)?.fg).toBe(authorHex(theme));
});
