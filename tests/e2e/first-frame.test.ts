/** The last frame of the screen is the first of the next start: at once, marked as loading, and only for the same profile, size and colours. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";
import type { Pty, PtyOptions } from "../support/pty.ts";

let home: Home;
beforeEach(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  await home.say("messaging:general", "bob", { text: "hello ana" });
});
afterEach(() => home.end());

const frames = (): string => path.join(home.folder, "cache/parley/local/.frames");
const savedFrames = (): string[] => (existsSync(frames()) ? readdirSync(frames()) : []);

/** Opens the screen and leaves it with Ctrl-C. */
async function visitOnce(
  options: PtyOptions = {},
  meanwhile?: (screen: Pty) => Promise<void>,
): Promise<void> {
  const screen = home.screen([], options);
  await screen.waitFor((pty) => /● online[^]*hello ana/.test(pty.text()));
  await meanwhile?.(screen);
  if (meanwhile) {
    screen.key("C-c");
    await screen.waitFor("› message #general");
  }
  screen.key("C-c");
  await screen.waitFor("again quits");
  await screen.settle();
  screen.key("C-c");
  await screen.end();
}

/** Leaving within milliseconds of a change saves no frame: repeats the visit until one is saved. */
async function visitUntilSaved(
  options: PtyOptions = {},
  meanwhile?: (screen: Pty) => Promise<void>,
): Promise<void> {
  for (let n = 0; n < 5 && savedFrames().length === 0; n++) await visitOnce(options, meanwhile);
}

/** The launcher's output: everything written before the program queries the terminal's colours. */
const launcherOutput = ({ raw }: Pty): string =>
  raw.slice(0, Math.max(0, raw.indexOf("\x1b[22;2t"))).replace("\x1b[?1049h", "");

async function launcherOutputOfStart(words: string[] = [], options: PtyOptions = {}): Promise<string> {
  const screen = home.screen(words, options);
  await screen.waitFor((pty) => /● online[^]*hello ana/.test(pty.text()));
  const before = launcherOutput(screen);
  await screen.close();
  return before;
}

test("the saved frame is shown at once, marked as loading, and replaced by the current one", async () => {
  await visitUntilSaved();
  const [name] = savedFrames();
  expect(statSync(path.join(frames(), name!)).mode & 0o777).toBe(0o600);
  const screen = home.screen();
  await screen.waitFor((pty) => /● online[^]*hello ana/.test(pty.text()));
  expect(launcherOutput(screen)).toContain("hello ana");
  expect(launcherOutput(screen)).toContain("… sync");
  expect(launcherOutput(screen)).not.toContain("● online");
  // The alternate screen is entered once and not cleared before the first real frame.
  expect(screen.raw.split("\x1b[?1049h")).toHaveLength(2);
  expect(screen.raw.slice(0, screen.raw.indexOf("\x1b[?2026l"))).not.toContain("\x1b[J");
  // A full repaint changes nothing; the last row is left out because it shows the latency.
  const rows = (): string => screen.text().split("\n").slice(0, -1).join("\n");
  // What is read after a second in sight, and the like, may still come between.
  await until("a repaint that changes nothing", async () => {
    await screen.settle();
    const [before, drawn] = [rows(), screen.raw.length];
    screen.key("C-l");
    await screen.waitFor((pty) => pty.raw.slice(drawn).includes("\x1b[H\x1b[J"));
    await screen.settle();
    return rows() === before;
  });
});

test("the saved frame contains neither text from the box nor control sequences other than styles and cursor moves", async () => {
  await visitUntilSaved({}, async (screen) => {
    screen.type("/login s3cret");
    await screen.waitFor("› /login s3cret");
    screen.key("enter");
    await screen.waitFor("login");
  });
  const text = readFileSync(path.join(frames(), savedFrames()[0]!), "utf8");
  expect(text).toContain("hello ana");
  expect(text).not.toContain("s3cret");
  expect(text).not.toMatch(/\x1b\]|\x1b\[[^m]*[A-GI-Za-ln-z]/);
});

test("the saved frame is not used for another terminal size, without colours, for another user, with arguments, or in a folder with a settings file", async () => {
  await visitUntilSaved();
  expect(await launcherOutputOfStart()).toContain("hello ana");
  expect(await launcherOutputOfStart([], { cols: 100 })).toBe("");
  expect(await launcherOutputOfStart([], { env: { NO_COLOR: "1" } })).toBe("");
  expect(await launcherOutputOfStart([], { env: { PARLEY_USER: "bob" } })).toBe("");
  expect(await launcherOutputOfStart(["chat", "messaging:general"])).toBe("");
  writeFileSync(path.join(home.folder, ".parley.json"), "{}");
  expect(await launcherOutputOfStart()).toBe("");
});

test.each(["LANG", "LC_ALL", "LC_CTYPE"])(
  "in a locale without Unicode, by %s, lines and signs are ASCII, and the saved frame of another one is not used",
  async (name) => {
    await visitUntilSaved();
    await using screen = home.screen([], { env: { [name]: "C" } });
    await screen.waitFor((pty) => /\* online[^]*hello ana/.test(pty.text()));
    screen.key("C-k");
    await screen.waitFor("+- Go to -");
    expect(launcherOutput(screen)).toBe("");
    expect(screen.text()).not.toMatch(/[^\0-\u007f]/);
  },
);

test("with firstFrame off no frame is shown or saved, and the saved one is removed", async () => {
  await visitUntilSaved();
  expect((await home.run(["config", "set", "firstFrame", "false"])).code).toBe(0);
  expect(await launcherOutputOfStart()).toBe("");
  await visitOnce();
  expect(savedFrames()).toEqual([]);
});

test("a signal while the saved frame is shown restores the terminal", async () => {
  await visitUntilSaved();
  const screen = home.screen();
  await screen.waitFor((pty) => pty.altScreen);
  screen.signal("SIGTERM");
  expect((await screen.end()).exitCode).toBe(143);
  expect(screen.altScreen).toBe(false);
  expect(screen.cursor().hidden).toBe(false);
  expect(screen.modes.wraparoundMode).toBe(true);
});
