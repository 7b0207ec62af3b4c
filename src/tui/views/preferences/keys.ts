/** Edits the user's key file in the editor, or adds a line to it. */
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice } from "../../screen/notices.ts";

type KeyFilePorts = Pick<Ports, "core" | "keyFile" | "terminal">;

/** Saves the file; faults are shown by the reader of the file. */
async function saveKeyFile(ports: KeyFilePorts, text: string): Promise<void> {
  const faults = await ports.keyFile.write(text);
  if (faults.length === 0) showNotice(ports, words.keyFile.saved, "success");
}

export function editKeys(ports: KeyFilePorts): void {
  const edit = async (): Promise<void> => {
    const before = ports.keyFile.read();
    const text = await ports.terminal.editExternally(before);
    if (text !== undefined && text !== before) await saveKeyFile(ports, text);
  };
  attempt(ports, edit());
}

/** Adds a line such as `browse g r reply`. Rejects with a sentence if it is invalid, without changing the file. */
export async function bindKeys(ports: KeyFilePorts, line: string): Promise<void> {
  const before = ports.keyFile.read();
  const { NO_SEND, parseLine, readKeys } = await import("../../bindings/key-file.ts");
  const parsed = parseLine(line.trim());
  if (typeof parsed === "string") throw new Error(words.keyFile.refused(parsed));
  // An older line for the same keys is removed.
  const bindsSameKeys = (other: string): boolean => {
    const older = other.startsWith("#") ? "" : parseLine(other.trim());
    return typeof older !== "string" && older.context === parsed.context && older.keys === parsed.keys;
  };
  const otherLines = before.split("\n").filter((other) => !bindsSameKeys(other));
  const text = `${otherLines.join("\n").trimEnd()}\n${line.trim()}\n`;
  const isStuck = readKeys(text, "", "default").faults.some((fault) => fault.endsWith(NO_SEND));
  if (isStuck) throw new Error(words.keyFile.refused(NO_SEND));
  await saveKeyFile(ports, text);
}
