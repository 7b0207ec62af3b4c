/** The screen is killed between Enter and the answer: after a restart the message exists exactly once, and drafts are kept (D1, D2, D10). */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

const CID = "messaging:general";
let home: Home;
let pid: number;
beforeEach(async () => {
  home = new Home();
  pid = await home.up();
  await home.channel("general", ["ana", "bob"]);
});
afterEach(() => home.end());

async function open(): Promise<Pty> {
  const screen = home.screen(["chat", CID]);
  await screen.waitFor(" #general   ");
  await screen.waitFor("● online");
  return screen;
}
const occurrences = (screen: Pty, text: string): number =>
  screen.text().split("\n").slice(0, -3).join("\n").split(text).length - 1;

/** Waits until the draft is on disk: 250 ms after the last key (D10), and later on a busy machine. */
const storedDraft = (text: string): Promise<unknown> =>
  until("the stored draft", () => {
    using db = new DatabaseSync(home.stateFile("ana"), { readOnly: true });
    return JSON.stringify(db.prepare("SELECT * FROM drafts").all()).includes(text);
  });

/** Sends a message that gets no answer, and kills the screen as soon as the outbox has it. */
async function sendAndKill(text: string): Promise<void> {
  const screen = await open();
  process.kill(pid, "SIGSTOP");
  screen.type(text);
  screen.key("enter");
  await screen.waitFor((pty) => occurrences(pty, text) === 1);
  await screen.waitFor("1 unsent");
  screen.signal("SIGKILL");
  await screen.exited;
}

async function expectSentOnce(text: string): Promise<void> {
  const screen = await open();
  await screen.waitFor(text);
  const texts = await until("the message", async () => {
    const all = (await home.messages(CID)).map((m) => m.text as string);
    return all.length ? all : undefined;
  });
  expect(texts).toEqual([text]);
  await screen.waitFor((pty) => !/unsent|sending|waiting for/.test(pty.text()) && occurrences(pty, text) > 0);
  expect(occurrences(screen, text)).toBe(1);
  await screen.waitFor("› message #general");
}

test("a message that had reached the provider is not sent again by the next start (D2)", async () => {
  await sendAndKill("said once, heard once");
  process.kill(pid, "SIGCONT");
  await expectSentOnce("said once, heard once");
});

test("a message that never reached the provider is sent by the next start (D1)", async () => {
  await sendAndKill("said before the fall");
  process.kill(pid, "SIGKILL");
  await expectSentOnce("said before the fall");
});

test("a draft is restored after a kill (D10)", async () => {
  const screen = await open();
  screen.type("first line");
  screen.key("C-j");
  screen.type("second line");
  await screen.waitFor("second line");
  await storedDraft("second line");
  screen.type("!");
  await screen.waitFor("second line!");
  screen.signal("SIGKILL");
  await screen.exited;
  const again = await open();
  await again.waitFor(/› first line[^]*second line/);
  expect(await home.messages(CID)).toEqual([]);
});

test("a thread's draft is restored in its thread after a kill, and sending it removes the draft", async () => {
  const { message } = await home.say(CID, "bob", { text: "a question" });
  const screen = await open();
  await screen.waitFor("a question");
  screen.key("esc");
  await screen.waitFor("BROWSE");
  screen.type("r");
  await screen.waitFor("› reply");
  await screen.pause();
  screen.type("half an answer");
  await screen.waitFor("› half an answer");
  await storedDraft("half an answer");
  screen.signal("SIGKILL");
  await screen.exited;
  const again = await open();
  expect(again.text()).toContain("› message #general");
  // A key over messages that are not loaded yet does nothing.
  await again.waitFor("a question");
  again.key("esc");
  await again.waitFor("BROWSE");
  again.type("r");
  await again.waitFor("› half an answer");
  await again.pause();
  again.key("enter");
  await again.waitFor("half an answer ✓");
  const { messages } = await home.call("GET", `/messages/${message.id}/replies`);
  expect(messages.map((m: { text: string }) => m.text)).toEqual(["half an answer"]);
});
