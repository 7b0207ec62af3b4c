/** Refuses a zip where items are wanted: every line of it would be told as a fault of its own. */
import { CommandError } from "../base/define-command.ts";

/** `named` is what the person wrote for it. Throws `CommandError` (rejected), and what opening the file throws. */
export async function needLines(file: string, named: string): Promise<void> {
  const { isZip } = await import("../../jobs/foreign/convert-any.ts");
  if (await isZip(file))
    throw new CommandError(
      "rejected",
      `${named === "-" ? "Standard input" : named} is a zip, not lines of JSON.`,
      `parley import convert ${named} --out import.jsonl`,
    );
}
