/** Keys typed before the screen is ready: none is lost, and Ctrl-C leaves. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Types a letter every few milliseconds until the screen matches `shown`; returns the typed text. */
async function typeUntil(screen: Pty, shown: RegExp): Promise<string> {
  const letters = "thequickbrownfoxjumpsoverthelazydog";
  let typed = "";
  while (!shown.test(screen.text())) {
    const next = letters[typed.length % letters.length]!;
    typed += next;
    screen.type(next);
    await sleep(8);
  }
  return typed;
}

/** The text in the box, with its rows joined. */
function boxText(screen: Pty): string {
  const rows = screen.text().split("\n");
  const first = rows.findIndex((row) => row.startsWith(" › "));
  const edge = rows.findIndex((row, y) => y > first && !/^ +\S* *(draft saved)? *$/.test(row));
  return rows
    .slice(first, edge < 0 ? undefined : edge)
    .map((row) =>
      row
        .replace(/^ › /, "")
        .replace(/draft saved/g, "")
        .trim(),
    )
    .join("");
}

test("with a cache, every letter typed from the first millisecond on appears in the box", async () => {
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  await home.say("messaging:general", "bob", { text: "hello ana" });
  const before = home.screen();
  await before.waitFor("● online");
  await before.close();
  const screen = home.screen();
  const typed = await typeUntil(screen, /hello ana/);
  await screen.waitFor((pty) => boxText(pty).length >= typed.length);
  expect(boxText(screen)).toBe(typed);
});

test("without any cached channel, every letter typed from the first millisecond on appears in the box of the channel that opens", async () => {
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  await home.say("messaging:general", "bob", { text: "hello ana" });
  const screen = home.screen();
  const typed = await typeUntil(screen, /hello ana/);
  await screen.waitFor((pty) => boxText(pty).length >= typed.length);
  expect(boxText(screen)).toBe(typed);
});

test("Ctrl-C from the first millisecond on ends the program and restores the terminal", async () => {
  const screen = home.screen();
  while (!screen.exit) {
    screen.key("C-c");
    await Promise.race([screen.exited, sleep(30)]);
  }
  await screen.end();
  expect(screen.altScreen).toBe(false);
  expect(screen.cursor().hidden).toBe(false);
});
