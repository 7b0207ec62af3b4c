/** Reads text arguments: as given, or all of standard input when they are `-`. */
import { CommandError } from "./define-command.ts";
import type { Args, CommandCall } from "./define-command.ts";

/** One trailing newline of a pipe is not part of the text; a BOM is not either. */
export async function textOf(
  call: Pick<CommandCall<Args>, "input">,
  text: string | undefined,
): Promise<string> {
  if (text !== "-") return text ?? "";
  if (!call.input) throw new CommandError("usage", "There is no standard input here.");
  let all = "";
  for await (const piece of call.input()) all += piece;
  return all
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "");
}
