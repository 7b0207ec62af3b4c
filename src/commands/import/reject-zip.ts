/** Rejects zip files where an import file is expected. */
import { CommandError } from "../base/define-command.ts";
import { fileProblem } from "../base/file-problem.ts";

/** `named` is the name given by the user. Throws `CommandError` for a zip, a spreadsheet or an unreadable file. */
export async function rejectZip(file: string, named: string): Promise<void> {
  const { spreadsheetIn } = await import("../../model/files/spreadsheet.ts");
  const kind = await spreadsheetIn(file).catch((error: unknown): never => {
    throw fileProblem(error, named);
  });
  if (kind === undefined) return;
  throw new CommandError(
    "rejected",
    `${named === "-" ? "Standard input" : named} is ${kind.name}, not lines of JSON.`,
    kind.isZip ? `parley import convert ${named} --out import.jsonl` : undefined,
  );
}
