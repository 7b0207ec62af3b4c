/** Rejects zip files where an import file is expected. */
import { CommandError } from "../base/define-command.ts";
import { fileProblem } from "../base/file-problem.ts";

/** `named` is the name given by the user. Throws `CommandError` for a zip, a spreadsheet or an unreadable file. */
export async function rejectZip(file: string, named: string): Promise<void> {
  const { isZip } = await import("../../jobs/foreign/convert-any.ts");
  const { spreadsheetIn } = await import("../../model/files/spreadsheet.ts");
  const refuse = (error: unknown): never => {
    throw fileProblem(error, named);
  };
  const source = named === "-" ? "Standard input" : named;
  const spreadsheet = await spreadsheetIn(file).catch(refuse);
  if (spreadsheet !== undefined)
    throw new CommandError("rejected", `${source} is ${spreadsheet}, not lines of JSON.`);
  const isZipFile = await isZip(file).catch(refuse);
  if (isZipFile)
    throw new CommandError(
      "rejected",
      `${source} is a zip, not lines of JSON.`,
      `parley import convert ${named} --out import.jsonl`,
    );
}
