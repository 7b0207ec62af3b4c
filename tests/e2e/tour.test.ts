/** A story: a user starts for the first time, takes the tour, does each step, leaves, and is not shown it again. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
beforeAll(async () => {
  // The guide answers only users outside the demo's cast.
  home = new Home({ demo: true, user: "sam" });
  await home.up();
  writeFileSync(path.join(home.folder, "notes.txt"), "what I wanted to say\n");
});
afterAll(() => home.end());

/** A notice is gone after three seconds, in which a busy machine may look at nothing: what was written to the terminal stays. */
async function ticked(screen: Pty, step: number, name: string): Promise<void> {
  await screen.waitFor(({ raw }) => raw.includes(`✓ ${name} · ${step} of 8`));
}

test("the first start shows the tour, each step is ticked when it was done, and the next start shows no tour", async () => {
  {
    await using screen = home.screen();
    await screen.waitFor("tour 1 of 8 · Reply in a thread");
    await screen.waitFor("● online");
    screen.key("esc");
    await screen.waitFor("BROWSE");
    screen.type("t");
    await screen.waitFor("› reply");
    await screen.pause();
    screen.type("so this is a thread\r");
    await ticked(screen, 1, "Reply in a thread");

    screen.key("esc");
    await screen.waitFor("BROWSE");
    screen.type("+");
    await screen.waitFor("React");
    await screen.pause();
    screen.type("tada\r");
    await ticked(screen, 2, "React");

    screen.key("esc");
    await screen.waitFor((pty) => !pty.text().includes("Thread ·"));
    screen.type("i");
    await screen.waitFor("WRITE");
    await screen.pause();
    screen.type("poll\r");
    await screen.waitFor("Your favourite key?");
    screen.key("esc");
    await screen.waitFor("BROWSE");
    screen.type("22");
    await ticked(screen, 3, "Vote in a poll");

    screen.key("C-f");
    screen.type("welcome");
    await ticked(screen, 4, "Search");
    screen.key("esc");
    await screen.waitFor((pty) => !pty.text().includes("SEARCH  "));
    screen.key("C-o");
    await screen.waitFor("Attach files");
    screen.type("notes.txt");
    await screen.waitFor(/notes\.txt +txt/);
    screen.key("enter");
    await ticked(screen, 5, "Attach a file");
    screen.key("C-c");
    await screen.waitFor("removed with the text");
    screen.key("esc");
    await screen.waitFor("BROWSE");
    screen.type("s");
    await ticked(screen, 6, "Save for later");

    screen.type("i");
    await screen.waitFor("WRITE");
    await screen.pause();
    screen.type("/theme\r");
    await screen.waitFor("shown at once");
    screen.key("down");
    screen.key("enter");
    await screen.waitFor("tour 8 of 8 · Quit: Ctrl-C twice");
    // The notice of the tick may be covered by that of the setting; both can be read again.
    screen.key("C-p");
    screen.type("read the last");
    await screen.waitFor("Notices: read the last ones again");
    screen.key("enter");
    await screen.waitFor("✓ Change the colours · 7 of 8");
    screen.key("esc");
    await screen.waitFor((pty) => !pty.text().includes("Change the colours"));
    screen.type("/quit\r");
    expect((await screen.end()).exitCode).toBe(0);
  }
  await using again = home.screen();
  await again.waitFor("● online");
  await again.waitFor("pinned");
  expect(again.text()).not.toContain("tour");
});
