/** The terminal is restored however the program ends or stops; first and later starts (specification/screen.md §8). */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Home, online, until, type Json } from "../support/home.ts";
import { png } from "../support/picture-files.ts";
import { Pty, type PtyOptions } from "../support/pty.ts";

const CID = "messaging:general";
let home: Home;
/** A home shared by tests that leave nothing behind. */
let sharedHome: Home | undefined;
let shell: Pty | undefined;
afterEach(async () => {
  await shell?.close();
  shell = undefined;
  if (home !== sharedHome) await home.end();
});

async function homeWithChannel(): Promise<Home> {
  const made = new Home();
  await made.up();
  await made.channel("general", ["ana", "bob"]);
  await made.say(CID, "bob", { text: "hello ana" });
  return made;
}

async function open(): Promise<Pty> {
  home = sharedHome ?? (await homeWithChannel());
  const screen = home.screen(["chat", CID]);
  await screen.waitFor("hello ana");
  await screen.waitFor("● online");
  return screen;
}

/** Checks that the terminal is in the state a shell expects. */
function restored(screen: Pty): void {
  expect(screen.altScreen).toBe(false);
  expect(screen.cursor().hidden).toBe(false);
  expect(screen.modes).toMatchObject({
    bracketedPasteMode: false,
    mouseTrackingMode: "none",
    sendFocusMode: false,
    applicationCursorKeysMode: false,
    applicationKeypadMode: false,
    wraparoundMode: true,
    originMode: false,
    insertMode: false,
  });
  // Modes the emulator does not expose: each one set is reset later, key protocols are popped, and the title is restored.
  for (const [, mode] of screen.raw.matchAll(/\x1b\[\?(\d+)h/g))
    if (mode !== "25" && mode !== "7")
      expect([
        mode,
        screen.raw.lastIndexOf(`\x1b[?${mode}l`) > screen.raw.lastIndexOf(`\x1b[?${mode}h`),
      ]).toEqual([mode, true]);
  const count = (pattern: RegExp): number => [...screen.raw.matchAll(pattern)].length;
  expect(count(/\x1b\[<\d*u/g)).toBeGreaterThanOrEqual(count(/\x1b\[>\d+u/g));
  expect(count(/\x1b\[23;\d+t/g)).toBe(count(/\x1b\[22;\d+t/g));
}

describe("the end of the program", () => {
  beforeAll(async () => {
    sharedHome = await homeWithChannel();
  });
  afterAll(async () => {
    await sharedHome?.end();
    sharedHome = undefined;
  });
  test("Ctrl-C clears the box, and pressed twice leaves and restores the terminal", async () => {
    const screen = await open();
    screen.type("not this");
    await screen.waitFor("› not this");
    screen.key("C-c");
    await screen.waitFor("› message #general");
    screen.key("C-c");
    await screen.waitFor("again quits");
    screen.key("C-c");
    expect((await screen.end()).exitCode).toBe(0);
    restored(screen);
    expect(screen.text()).not.toContain("hello ana");
  });
  const signals = [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const;
  for (const [signal, code] of signals)
    test(`${signal} ends it with ${code} and restores the terminal`, async () => {
      const screen = await open();
      screen.signal(signal);
      expect((await screen.end()).exitCode).toBe(code);
      restored(screen);
    });
  test("closing the terminal window ends the program", async () => {
    const screen = await open();
    const { pid } = screen;
    screen.hangUp();
    await until("the program to end", () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });
  });
});

/** A shell with job control, in a home whose workspace exists. */
async function bash({ sixel }: Pick<PtyOptions, "sixel"> = {}): Promise<Pty> {
  await open().then((screen) => screen.close());
  const made = Pty.spawn("/bin/bash", ["--norc", "--noprofile", "-i"], {
    cols: 110,
    rows: 30,
    sixel,
    env: { ...(home.env as Record<string, string>), PS1: "shell> " },
  });
  await made.waitFor("shell>");
  return made;
}

test("Ctrl-Z suspends to the shell, and fg restores the screen with its draft", async () => {
  shell = await bash();
  shell.type("echo before; parley chat messaging:general\r");
  await shell.waitFor("● online");
  shell.type("half a thought");
  await shell.waitFor("› half a thought");
  shell.key("C-z");
  await shell.waitFor("Stopped");
  expect(shell.altScreen).toBe(false);
  expect(shell.modes).toMatchObject({ mouseTrackingMode: "none", sendFocusMode: false });
  expect(shell.text()).toContain("before");
  expect(shell.text()).not.toContain("hello ana");
  shell.type("stty -a | grep -c ' echo '; echo $((6 * 7))\r");
  await shell.waitFor(/^42$/m);
  await home.say(CID, "bob", { text: "while you were away" });
  shell.type("fg\r");
  await shell.waitFor("while you were away");
  expect(shell.altScreen).toBe(true);
  await shell.waitFor("› half a thought");
  shell.type(" and more");
  await shell.waitFor("› half a thought and more");
  shell.key("C-c");
  await shell.waitFor("› message #general");
  shell.key("C-c");
  await shell.waitFor("again quits");
  shell.key("C-c");
  await shell.waitFor((pty) => !pty.altScreen);
  shell.type("echo $((7 * 7))\r");
  await shell.waitFor(/^49$/m);
  expect(shell.text()).toContain("before");
  expect(shell.text()).not.toContain("while you were away");
});

test("a sixel picture is removed on Ctrl-Z, and drawn again after fg", async () => {
  shell = await bash({ sixel: true });
  const file = path.join(home.folder, "cat.png");
  writeFileSync(file, png(80, 40));
  expect((await home.run(["upload", "-c", CID, "--message", file])).code).toBe(0);
  const pictures = (from: number): number => shell!.raw.slice(from).split("\x1bP0;1;q").length - 1;
  shell.type(`parley chat ${CID}\r`);
  await shell.waitFor("● online");
  await shell.waitFor("cat.png");
  shell.key("esc");
  await shell.waitFor("BROWSE");
  shell.type("v");
  await shell.waitFor("PICTURE");
  await shell.waitFor(() => pictures(0) > 0);
  shell.key("C-z");
  await shell.waitFor("Stopped");
  const stopped = shell.raw.length;
  expect(shell.altScreen).toBe(false);
  shell.type("echo $((6 * 7))\r");
  await shell.waitFor(/^42$/m);
  expect(pictures(stopped)).toBe(0);
  shell.type("fg\r");
  await shell.waitFor((pty) => pty.altScreen && pictures(stopped) > 0);
  await shell.waitFor("PICTURE");
  // Closing the panel overwrites the picture's cells, and the picture is not drawn again.
  shell.key("esc");
  await shell.waitFor("BROWSE");
  const closed = shell.raw.length;
  shell.key("C-l");
  await shell.waitFor("BROWSE");
  expect(pictures(closed)).toBe(0);
});

test("a SIGTSTP from outside gives the terminal to the shell as Ctrl-Z does, each time", async () => {
  shell = await bash();
  shell.type("parley chat messaging:general\r");
  for (let round = 0; round < 2; round++) {
    await shell.waitFor("● online");
    expect(shell.altScreen).toBe(true);
    process.kill(-Number(execFileSync("pgrep", ["-P", String(shell.pid)])), "SIGTSTP");
    await shell.waitFor("Stopped");
    expect(shell.altScreen).toBe(false);
    expect(shell.modes).toMatchObject({ mouseTrackingMode: "none", sendFocusMode: false });
    shell.type("clear; stty -a | grep -c ' echo '; echo $((6 * 7))\r");
    await shell.waitFor(/^1\s*\n42\s*$/m);
    shell.type("fg\r");
  }
  await shell.waitFor("● online");
  shell.key("C-c");
  await shell.waitFor("again quits");
  shell.key("C-c");
  await shell.waitFor((pty) => !pty.altScreen);
});

test("the screen fills any terminal size: wide, narrow, tiny, and back", async () => {
  const screen = await open();
  screen.type("a draft");
  await screen.waitFor("› a draft");
  for (const [cols, rows] of [
    [160, 50],
    [90, 24],
    [60, 20],
    [52, 13],
    [200, 60],
    [110, 30],
  ] as const) {
    screen.resize(cols, rows);
    // The title, the rule above the box, and the status line at the bottom, each as wide as the screen.
    const whole = (pty: Pty): boolean =>
      pty.line(0).startsWith(" ") &&
      /^[─┴]+$/.test(pty.line(rows - 3)) &&
      [...pty.line(rows - 3)].length === cols &&
      /^ WRITE {2}.*F1 help/.test(pty.line(rows - 1));
    await screen.waitFor(whole);
    await screen.waitFor("› a draft");
    await screen.waitFor("hello ana");
  }
  screen.resize(40, 10);
  await screen.waitFor(/^ WRITE {2}#general .*● online {2}F1 help/m);
  screen.resize(20, 4);
  await screen.waitFor("Parley needs 24 ×");
  screen.resize(110, 30);
  await screen.waitFor("hello ana");
  screen.type(" and on");
  await screen.waitFor("a draft and on");
});

describe("a start in little room", () => {
  test("is the screen from 24 × 6 cells on: messages, box, and a line with channel, connection and the key of help", async () => {
    home = await homeWithChannel();
    for (const [cols, rows] of [
      [40, 10],
      [24, 6],
    ] as const) {
      const screen = home.screen(["chat", CID], { cols, rows });
      await screen.waitFor(/^ WRITE {2}#general .*● .*F1/m);
      expect(screen.altScreen).toBe(true);
      await screen.waitFor("hello ana");
      screen.type("a draft");
      await screen.waitFor("› a draft");
      screen.key("C-c");
    }
  });

  test("is plain lines below that, after a sentence with the sizes", async () => {
    home = await homeWithChannel();
    const screen = home.screen(["chat", CID], { cols: 23, rows: 6 });
    await screen.waitFor("hello ana");
    expect(screen.altScreen).toBe(false);
    expect(screen.raw).toContain("The terminal has 23 × 6 cells, and the screen needs 24 × 6");
  });
});

describe("starts", () => {
  test("the first start in an empty home shows the demo workspace, and another user can join", async () => {
    home = new Home({ demo: true, user: "kim" });
    const screen = home.screen();
    await screen.waitFor("● online   local");
    for (const name of ["#welcome", "#general", "#field-trip"]) await screen.waitFor(name);
    const bob = home.screen(["--as", "bob"]);
    await bob.waitFor("● online   local");
    await bob.waitFor("#welcome");
    expect(bob.altScreen).toBe(true);
  });

  test("chat does not create a channel that does not exist, and opens a person as a direct channel", async () => {
    await open().then((screen) => screen.close());
    const screen = home.screen(["chat", "#nowhere"]);
    await screen.waitFor(/does not exist/);
    await screen.waitFor(" #general   ");
    const { channels } = await home.call("POST", "/channels", { filter_conditions: {}, state: false });
    expect(channels.map((c: Json) => c.channel.cid)).toEqual([CID]);
    const direct = home.screen(["chat", "@bob"]);
    await direct.waitFor(" bob");
    direct.type("just you");
    direct.key("enter");
    await direct.waitFor("just you ✓");
  });

  test("a later start draws from the cache before the provider answers, and shows that it is connecting", async () => {
    const first = await open();
    first.key("C-c");
    first.key("C-c");
    expect((await first.end()).exitCode).toBe(0);
    const { pid } = home.provider()!;
    process.kill(pid, "SIGSTOP");
    try {
      const again = home.screen(["chat", CID]);
      await again.waitFor("hello ana");
      expect(again.text()).toContain("#general");
      expect(again.text()).toMatch(/● connecting…/);
      // Typing works at once; the message is sent when the provider is back.
      again.type("early bird");
      again.key("enter");
      await again.waitFor(/ana +early bird/);
      process.kill(pid, "SIGCONT");
      await again.waitFor(online("local"));
      await again.waitFor(/early bird ✓/);
      await again.waitFor("● online");
      expect((await home.messages(CID)).map((m) => m.text)).toEqual(["hello ana", "early bird"]);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
});
