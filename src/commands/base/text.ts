/** Reads text arguments, where `-` stands for standard input, and text that arrives in pieces. */
import { CommandError, type Args, type Call } from "./define-command.ts";

/** Input that never ends is refused before it fills the memory. */
const MAX_TEXT_MIB = 256;
/** No request is longer than 1 MiB, so no useful record is much longer. */
const MAX_LINE_MIB = 16;

function requireLength(text: string, mib: number, what: string): void {
  if (text.length > mib * 2 ** 20) throw new CommandError("rejected", `${what} is longer than ${mib} MiB.`);
}

/** Throws `CommandError` (rejected) for an endless line. */
export const requireLine = (line: string, n: number): void => requireLength(line, MAX_LINE_MIB, `Line ${n}`);

/** All pieces as one text. Throws `CommandError` (rejected) for an endless one. */
export async function wholeText(pieces: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const piece of pieces) {
    all += piece;
    requireLength(all, MAX_TEXT_MIB, "The input");
  }
  return all;
}

/** The lines without their newlines, in linear time. Throws `CommandError` (rejected) for an endless one. */
export async function* textLines(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let unfinished = "";
  let n = 1;
  for await (const piece of pieces) {
    const [first = "", ...more] = piece.split("\n");
    unfinished += first;
    requireLine(unfinished, n);
    if (more.length === 0) continue;
    yield unfinished;
    unfinished = more.pop()!;
    yield* more;
    n += more.length + 1;
  }
  if (unfinished !== "") yield unfinished;
}

/** Standard input. Throws `CommandError` (usage) on the screen, which has none. */
export function inputOf({ input }: Pick<Call<Args>, "input">): NonNullable<typeof input> {
  if (!input) throw new CommandError("usage", "There is no standard input here.");
  return input;
}

/** The text, or standard input without one trailing newline and without a BOM. Throws `CommandError` (rejected) for binary input. */
export async function textOf(call: Pick<Call<Args>, "input">, text: string | undefined): Promise<string> {
  if (text !== "-") return text ?? "";
  return (await wholeText(withoutZeros(inputOf(call)())))
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "");
}

async function* withoutZeros(pieces: AsyncIterable<string>): AsyncIterable<string> {
  for await (const piece of pieces) {
    if (piece.includes("\0"))
      throw new CommandError(
        "rejected",
        "Standard input is not text.",
        "parley upload - --message sends it as a file.",
      );
    yield piece;
  }
}
