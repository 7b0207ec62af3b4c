/** Reads text arguments: as given, or all of standard input when they are `-`. */
import { CommandError, type Args, type CommandCall } from "./define-command.ts";

/** Standard input. Throws `CommandError` (usage) where there is none, as on the screen. */
export function inputOf({ input }: Pick<CommandCall<Args>, "input">): NonNullable<typeof input> {
  if (!input) throw new CommandError("usage", "There is no standard input here.");
  return input;
}

/** One trailing newline of a pipe is not part of the text; a BOM is not either. Throws `CommandError` (rejected) for what is no text. */
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
