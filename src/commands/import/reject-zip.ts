/** Rejects zip files where an import file is expected. */
import { CommandError } from "../base/define-command.ts";
import { fileProblem } from "../base/file-problem.ts";

/** `named` is the name given by the user. Throws `CommandError` for a zip or an unreadable file. */
export async function rejectZip(file: string, named: string): Promise<void> {
  const { isZip } = await import("../../jobs/foreign/convert-any.ts");
  const isZipFile = await isZip(file).catch((error: unknown) => {
    throw fileProblem(error, named);
  });
  if (isZipFile)
    throw new CommandError(
      "rejected",
      `${named === "-" ? "Standard input" : named} is a zip, not lines of JSON.`,
      `parley import convert ${named} --out import.jsonl`,
    );
}
