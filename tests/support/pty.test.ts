/** The terminal of the tests shows what a terminal shows: no frame half drawn. */
import { expect, test } from "vitest";
import { Pty } from "./pty.ts";

/** Draws one frame in two writes, as a frame that is longer than the pipe holds arrives. */
const IN_TWO_WRITES = `
  process.stdout.write("the first frame");
  setTimeout(() => process.stdout.write("\\x1b[?2026h\\x1b[2J\\x1b[H"), 50);
  setTimeout(() => process.stdout.write("the second frame\\x1b[?2026l"), 200);
  setTimeout(() => {}, 300);
`;

test("a frame that arrives in two parts is seen when it is whole", async () => {
  const terminal = Pty.spawn(process.execPath, ["-e", IN_TWO_WRITES]);
  await terminal.waitFor("the first frame");
  await terminal.waitFor((pty) => !pty.text().includes("the first frame"));
  expect(terminal.text()).toContain("the second frame");
  await terminal.end();
});

test("the frame that a program died in is shown as far as it came", async () => {
  const terminal = Pty.spawn(process.execPath, [
    "-e",
    String.raw`process.stdout.write("\x1b[?2026hthe last words")`,
  ]);
  await terminal.end();
  await terminal.waitFor("the last words");
});
