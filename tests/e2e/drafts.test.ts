/** Writing and acting in a real terminal: several lines, undo, history, paste, edit, thread, quote, reaction, deletion, copy, navigation, help. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Home, until, type Json } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
let screen: Pty;
let cid: string;
let n = 0;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("other-place", ["ana", "bob"]);
  await home.say("messaging:other-place", "bob", { text: "you found the other place" });
});
afterAll(() => home.end());
beforeEach(async () => {
  cid = await home.channel(`box-${++n}`, ["ana", "bob"]);
  await home.say(cid, "bob", { text: "bob was here" });
  screen = home.screen(["chat", cid]);
  await screen.waitFor("bob was here");
  await screen.waitFor("● online");
  await screen.waitFor(`message #box-${n}`);
});
afterEach(() => screen.close());

const texts = async (): Promise<string[]> => (await home.messages(cid)).map((m) => m.text as string);
const last = async (): Promise<Json> => (await home.messages(cid)).at(-1)!;
async function browse(): Promise<void> {
  screen.key("esc");
  await screen.waitFor("BROWSE");
}

test("several lines are typed, edited by moving the cursor, and sent as one message", async () => {
  screen.type("one");
  screen.key("C-j");
  screen.type("two");
  screen.key("A-enter");
  screen.type("three");
  await screen.waitFor(/› one.*\n.*two.*\n.*three/);
  screen.key("up");
  screen.key("home");
  screen.type("2: ");
  await screen.waitFor("2: two");
  screen.key("enter");
  await screen.waitFor(`› message #box-${n}`);
  await screen.waitFor(/ana +(?:\d+:\d+[^\n]*\n.*)?one *\n.*2: two *\n.*three ✓/);
  expect((await last()).text).toBe("one\n2: two\nthree");
});

test("undo, redo, deleting words and lines, and pasting cut text work", async () => {
  screen.type("alpha beta gamma");
  screen.key("C-w");
  await screen.waitFor(/› alpha beta +(draft saved *)?\n/);
  screen.key("C-_");
  await screen.waitFor("› alpha beta gamma");
  screen.key("A-_");
  await screen.waitFor(/› alpha beta +(draft saved *)?\n/);
  screen.key("C-u");
  await screen.waitFor(`› message #box-${n}`);
  screen.key("C-y");
  await screen.waitFor("› alpha beta");
  screen.key("C-a");
  screen.type(">> ");
  await screen.waitFor("› >> alpha beta");
});

test("Ctrl-Up and Ctrl-Down recall sent messages and cleared text", async () => {
  screen.type("first words");
  screen.key("enter");
  await screen.waitFor(/ana +(?:\d+:\d+[^\n]*\n.*)?first words/);
  screen.type("never sent");
  await screen.waitFor("› never sent");
  screen.key("C-c");
  await screen.waitFor(`› message #box-${n}`);
  screen.type("\x1b[1;5A");
  await screen.waitFor("› never sent");
  screen.type("\x1b[1;5A");
  await screen.waitFor("› first words");
  screen.type("\x1b[1;5B");
  await screen.waitFor("› never sent");
});

test("a paste keeps its lines and sends nothing, a long one asks first, and control bytes in it do nothing", async () => {
  screen.paste("line a\rline b\r\nline \x1b[31mc\x07");
  await screen.waitFor(/› line a.*\n.*line b.*\n.*line/);
  expect(await texts()).toEqual(["bob was here"]);
  screen.key("C-c");
  await screen.waitFor(`› message #box-${n}`);
  screen.paste(Array.from({ length: 40 }, (_, i) => `row ${i}`).join("\n"));
  await screen.waitFor("Sure?");
  screen.type("n");
  await screen.waitFor((pty) => !pty.text().includes("Sure?"));
  expect(screen.text()).toContain(`› message #box-${n}`);
  screen.paste(Array.from({ length: 40 }, (_, i) => `row ${i}`).join("\n"));
  await screen.waitFor("Sure?");
  screen.key("enter");
  await screen.waitFor("row 39");
  expect(await texts()).toEqual(["bob was here"]);
});

test("↑ in an empty box edits the last own message; Ctrl-C leaves it unchanged", async () => {
  screen.type("a tpyo");
  screen.key("enter");
  await screen.waitFor("a tpyo ✓");
  screen.key("up");
  await screen.waitFor("› a tpyo");
  expect(screen.text()).toContain("EDIT");
  screen.key("C-c");
  await screen.waitFor(`› message #box-${n}`);
  screen.key("up");
  await screen.waitFor("› a tpyo");
  for (let i = 0; i < 4; i++) screen.key("backspace");
  screen.type("typo");
  screen.key("enter");
  await screen.waitFor(/a typo.*edited/);
  expect((await last()).text).toBe("a typo");
  expect(await texts()).toHaveLength(2);
});

test("r replies in the thread, and the reply can also be shown in the channel", async () => {
  await browse();
  screen.type("r");
  await screen.waitFor("› reply");
  await screen.pause();
  screen.type("in the thread");
  screen.key("A-c");
  await screen.waitFor("☑ also to");
  screen.key("enter");
  await screen.waitFor("in the thread (also sent to the channel) ✓");
  screen.key("esc");
  screen.key("esc");
  await screen.waitFor("1 reply ›");
  const reply = await last();
  expect(reply).toMatchObject({ text: "in the thread", show_in_channel: true, type: "reply" });
});

test("q quotes a message, and the quote is shown above the answer", async () => {
  await browse();
  screen.type("q");
  await screen.waitFor("quoting bob · bob was here");
  await screen.pause();
  screen.type("so I see");
  screen.key("enter");
  await screen.waitFor("so I see ✓");
  expect(await last()).toMatchObject({ text: "so I see", quoted_message: { text: "bob was here" } });
  expect(screen.text().match(/bob was here/g)).toHaveLength(2);
});

test("+ adds a reaction, = removes the first one", async () => {
  await browse();
  screen.type("+");
  await screen.waitFor("React");
  await screen.pause();
  screen.type("rocket");
  await screen.waitFor("🚀  rocket");
  screen.key("enter");
  await screen.waitFor("🚀 1");
  await until("the reaction", async () => (await last()).reaction_counts?.rocket === 1);
  screen.type("==");
  await screen.waitFor((pty) => !pty.text().includes("🚀"));
  await until("the reaction to be gone", async () => !(await last()).reaction_counts?.rocket);
  screen.type("==");
  await screen.waitFor("No reactions yet");
});

test("d deletes an own message, Ctrl-_ undoes it in time, and other users' messages cannot be deleted", async () => {
  screen.type("short lived");
  screen.key("enter");
  await screen.waitFor("short lived ✓");
  await browse();
  screen.type("dd");
  await screen.waitFor("message deleted");
  expect((await last()).type).toBe("regular");
  screen.key("C-_");
  await screen.waitFor("undone");
  await screen.waitFor((pty) => !pty.text().includes("message deleted"));
  screen.type("dd");
  await screen.waitFor("message deleted");
  await until("the deletion", async () => (await last()).type === "deleted");
  screen.type("k");
  screen.type("dd");
  await screen.waitFor("can't delete that message");
});

test("y copies the message text with OSC 52", async () => {
  await browse();
  screen.type("y");
  await screen.waitFor("copied");
  expect(screen.raw).toContain(`\x1b]52;c;${Buffer.from("bob was here").toString("base64")}`);
});

test("Ctrl-K opens a channel by a few letters; the draft of the channel left behind is restored on return", async () => {
  screen.type("unfinished busin");
  await screen.waitFor("› unfinished busin");
  screen.key("C-k");
  await screen.waitFor("Go to");
  screen.type("othpl");
  await screen.waitFor(/other-place/);
  screen.key("enter");
  await screen.waitFor("you found the other place");
  await screen.waitFor("› message #other-place");
  await screen.waitFor(/Drafts +\d/);
  screen.key("A-s");
  await screen.waitFor("› unfinished busin");
  screen.key("enter");
  await screen.waitFor("unfinished busin ✓");
  expect((await last()).text).toBe("unfinished busin");
});

test("F1 opens searchable help, and Esc closes it with the draft unchanged", async () => {
  screen.type("mid-sentence");
  await screen.waitFor("› mid-sentence");
  screen.key("f1");
  await screen.waitFor("Keys · type to search");
  await screen.waitFor("Redraw the screen");
  screen.type("react");
  await screen.waitFor((pty) => /\+ +React/.test(pty.text()) && !pty.text().includes("Redraw the screen"));
  screen.key("esc");
  await screen.waitFor((pty) => !pty.text().includes("Keys · type") && pty.text().includes("WRITE"));
  expect(screen.text()).toContain("› mid-sentence");
  expect(await texts()).toEqual(["bob was here"]);
});

test("a message that is too long stays in the box, and the screen says why and offers to send it as a file (R-SEND-2)", async () => {
  screen.paste(`${"x".repeat(4990)} and the end`);
  await screen.waitFor("Sure?");
  screen.key("enter");
  await screen.waitFor("and the end");
  screen.key("enter");
  await screen.waitFor("The message has 5,002 characters; the limit is 5,000.");
  screen.key("n");
  await screen.waitFor((pty) => !pty.text().includes("Sure?") && pty.text().includes("and the end"));
  expect(await texts()).toEqual(["bob was here"]);
  screen.key("backspace");
  screen.key("backspace");
  screen.key("enter");
  await screen.waitFor(`› message #box-${n}`);
  await until("the message", async () => (await texts()).at(-1)?.length === 5000);
});
