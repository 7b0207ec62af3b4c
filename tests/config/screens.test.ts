/** Open screens of this machine: found and controlled over their own sockets; leftovers of a killed screen are removed. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  changeScreenOutbox,
  listenAsScreen,
  openScreens,
  runOnScreen,
  type ScreenUser,
} from "../../src/config/screens.ts";
import { PATIENCE } from "../support/patience.ts";

let home: string;
let folder: string;
let env: Record<string, string>;
const stopFunctions: (() => void)[] = [];
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "pscr-"));
  env = { HOME: home, XDG_STATE_HOME: home };
  folder = path.join(home, "parley", "screens");
});
afterEach(() => {
  for (const stop of stopFunctions.splice(0)) stop();
  rmSync(home, { recursive: true, force: true });
});

const lines: string[] = [];
const STATE = "/state/k3y@chat.example";

async function listen(
  screenUser: ScreenUser = { profile: "work", user: "ana", folder: STATE },
): Promise<() => void> {
  const stop = listenAsScreen(env, screenUser, {
    channel: () => "messaging:ops",
    async run(line) {
      if (line.startsWith("/")) return void lines.push(line);
      return "That is none.";
    },
    outbox: (act, id) => id === "waits" && act === "drop",
  });
  stopFunctions.push(stop);
  await expect
    .poll(() => existsSync(path.join(folder, `${process.pid}.json`)), { timeout: PATIENCE })
    .toBe(true);
  return stop;
}

test("an open screen is found with its user and channel, and runs a line", async () => {
  expect(await openScreens(env)).toEqual([]);
  const stop = await listen();
  expect(await openScreens(env)).toEqual([
    { pid: process.pid, profile: "work", user: "ana", channel: "messaging:ops" },
  ]);
  expect(await runOnScreen(env, process.pid, "/search tea")).toEqual({ answered: true });
  expect(lines.splice(0)).toEqual(["/search tea"]);
  expect(await runOnScreen(env, process.pid, "tea")).toEqual({ answered: true, fault: "That is none." });
  stop();
  expect(await openScreens(env)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(await runOnScreen(env, process.pid, "/search tea")).toEqual({ answered: false });
});

test("several screens are listed by their process ids, with the channel of each or none", async () => {
  mkdirSync(folder, { recursive: true });
  const channels: [number, string | null][] = [
    [30, "messaging:tea"],
    [9, null],
    [101, "messaging:ops"],
  ];
  for (const [pid, channel] of channels) {
    writeFileSync(path.join(folder, `${pid}.json`), '{"profile":"work","user":"ana"}');
    const server = createServer((socket) =>
      socket.once("data", () => socket.end(`${JSON.stringify({ channel })}\n`)),
    );
    server.listen(path.join(folder, `${pid}.sock`));
    stopFunctions.push(() => server.close());
    await once(server, "listening");
  }
  expect((await openScreens(env)).map(({ pid, channel }) => [pid, channel])).toEqual([
    [9, null],
    [30, "messaging:tea"],
    [101, "messaging:ops"],
  ]);
});

test("the folder and files of screens are private", async () => {
  await listen();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, `${process.pid}.json`)).mode & 0o777).toBe(0o600);
});

/** The screen's answer to these bytes; empty if it closes the connection. */
const answerTo = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = createConnection(path.join(folder, `${process.pid}.sock`));
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.on("error", () => {}).once("close", () => resolve(text));
    socket.write(bytes);
  });

test("invalid requests get an error, an endless line is disconnected, and the screen keeps working", async () => {
  await listen();
  for (const nonsense of ["hello", "null", "[]", '{"ask":"line"}', '{"ask":"line","line":7}', "{"])
    expect(JSON.parse(await answerTo(`${nonsense}\n`))).toEqual({
      fault: "Unknown request.",
    });
  expect(await answerTo("x".repeat(70_000))).toBe("");
  expect(await openScreens(env)).toHaveLength(1);
});

test("files of a killed screen are removed, and those of a running process are kept", async () => {
  mkdirSync(folder, { recursive: true });
  const gone = 2 ** 22 + 1;
  writeFileSync(path.join(folder, `${gone}.json`), '{"profile":"work","user":"ana"}');
  writeFileSync(path.join(folder, `${process.pid}.json`), "torn");
  expect(await openScreens(env)).toEqual([]);
  expect(readdirSync(folder)).toEqual([`${process.pid}.json`]);
});

test("a state folder whose path is too long for a socket is not created", () => {
  env.XDG_STATE_HOME = path.join(home, "x".repeat(100));
  stopFunctions.push(
    listenAsScreen(
      env,
      { profile: "work", user: "ana" },
      { channel: () => undefined, run: () => Promise.resolve(""), outbox: () => false },
    ),
  );
  expect(existsSync(env.XDG_STATE_HOME)).toBe(false);
});

test("an unsent message is dropped by the screen that holds it, whatever its profile is called, and by that of no other app", async () => {
  await listen();
  const ask = (folder: string, profile: string, id: string, act: "drop" | "retry" = "drop") =>
    changeScreenOutbox(env, { folder, profile }, act, id);
  expect(await ask(STATE, "work", "waits")).toBe(true);
  expect(await ask(STATE, "other", "waits")).toBe(true);
  expect(await ask(STATE, "work", "gone")).toBe(false);
  expect(await ask(STATE, "work", "waits", "retry")).toBe(false);
  expect(await ask("/state/k3y@elsewhere.example", "work", "waits")).toBe(false);
});

test("a screen of an earlier version, which tells only its profile, is found by that", async () => {
  await listen({ profile: "work", user: "ana" });
  expect(await changeScreenOutbox(env, { folder: STATE, profile: "work" }, "drop", "waits")).toBe(true);
  expect(await changeScreenOutbox(env, { folder: STATE, profile: "other" }, "drop", "waits")).toBe(false);
});
