/** Reads text arguments, where `-` stands for standard input. */
import { CommandError, type Args, type CommandCall } from "./define-command.ts";

/** Standard input. Throws `CommandError` (usage) on the screen, which has none. */
export function inputOf({ input }: Pick<CommandCall<Args>, "input">): NonNullable<typeof input> {
  if (!input) throw new CommandError("usage", "There is no standard input here.");
  return input;
}

/** The text, or standard input without one trailing newline and without a BOM. Throws `CommandError` (rejected) for binary input. */
export async function textOf(
  call: Pick<CommandCall<Args>, "input">,
  text: string | undefined,
): Promise<string> {
  if (text !== "-") return text ?? "";
  let all = "";
  for await (const piece of inputOf(call)()) {
    if (piece.includes("\0"))
      throw new CommandError(
        "rejected",
        "Standard input is not text.",
        "parley upload - --message sends it as a file.",
      );
    all += piece;
  }
  return all
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "");
}
