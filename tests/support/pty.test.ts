/** The test terminal shows what a real terminal shows: no half-drawn frame. */
import { expect, test } from "vitest";
import { Pty } from "./pty.ts";

/** Draws one frame in two writes at each key, like a frame that is longer than the pipe holds. */
const IN_TWO_WRITES = String.raw`
  const parts = ["\x1b[?2026h\x1b[2J\x1b[H", "the second frame\x1b[?2026l"];
  process.stdin.setRawMode(true).on("data", () => {
    process.stdout.write(parts.shift());
    if (parts.length === 0) process.stdin.destroy();
  });
  process.stdout.write("the first frame");
`;

test("a frame that arrives in two parts is seen when it is whole", async () => {
  const terminal = Pty.spawn(process.execPath, ["-e", IN_TWO_WRITES]);
  await terminal.waitFor("the first frame");
  const cleared = terminal.waitFor((pty) => !pty.text().includes("the first frame"));
  terminal.type("a");
  while (!terminal.raw.includes("\u001b[2J")) await new Promise((done) => setTimeout(done, 5));
  await new Promise((done) => setTimeout(done, 30));
  expect(terminal.text()).toContain("the first frame");
  terminal.type("b");
  await cleared;
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
