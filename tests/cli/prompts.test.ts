/** A secret that is typed without echo: its keys, and what ends it. */
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { promptSecret } from "../../src/cli/base/prompts.ts";

/** Types at the hidden question; `raw` holds how the terminal was switched. */
async function typed(...pieces: readonly string[]) {
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isOn: boolean) => void raw.push(isOn),
  });
  let shown = "";
  const err = new PassThrough();
  err.setEncoding("utf8").on("data", (piece: string) => (shown += piece));
  const shell = {
    in: input,
    err,
    tty: { in: true, err: true },
    settings: { nonInteractive: false },
    signal: new AbortController().signal,
  };
  const asked = promptSecret(shell as never, "Token: ").catch(
    (error: Error & { exit?: number }) => error.exit,
  );
  for (const piece of pieces) input.write(piece);
  return { answer: await asked, raw, shown, listeners: input.listenerCount("data") };
}

test.each<[what: string, pieces: string[], answer: string]>([
  ["Enter ends it", ["s3cret\r"], "s3cret"],
  ["a newline ends it, and what follows is not part of it", ["s3cret\nmore\n"], "s3cret"],
  ["Ctrl-D ends it", ["s3cret\u0004"], "s3cret"],
  ["it may come in pieces", ["s3", "cr", "et", "\r"], "s3cret"],
  ["Backspace removes a character", ["s3x\u007fcret\r"], "s3cret"],
  ["so does Ctrl-H, a whole one", ["s3😀\bcret\r"], "s3cret"],
  ["Ctrl-U removes all of them", ["wrong one\u0015s3cret\r"], "s3cret"],
  ["Backspace at the beginning does nothing", ["\u007f\u007fs3cret\r"], "s3cret"],
  ["other control characters are no part of it", ["s3\u0001\tcret\r"], "s3cret"],
  ["nothing is nothing", ["\r"], ""],
])("%s", async (_, pieces, answer) => {
  const end = await typed(...pieces);
  expect(end).toEqual({ answer, raw: [true, false], shown: "Token: \n", listeners: 0 });
});

test("Ctrl-C cancels it with 130, and the terminal is as before", async () => {
  expect(await typed("s3cr", "\u0003")).toMatchObject({ answer: 130, raw: [true, false], listeners: 0 });
});
