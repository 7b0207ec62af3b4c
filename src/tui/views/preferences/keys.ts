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
  const { readKeys } = await import("../../bindings/key-file.ts");
  // An older line for the same keys is removed.
  const [where = "", ...rest] = line.trim().split(/\s+/);
  const [fault] = readKeys(line, "", "default").faults;
  if (fault !== undefined) throw new Error(words.keyFile.refused(fault.replace(/^ line 1: /, "")));
  const bindsSameKeys = (other: string): boolean => {
    const parts = other.trim().split(/\s+/);
    return (
      parts[0] === where &&
      parts.length > 2 &&
      parts[1] === rest[0] &&
      parts.slice(1, -1).join(" ") === rest.slice(0, -1).join(" ")
    );
  };
  const otherLines = before.split("\n").filter((other) => other.startsWith("#") || !bindsSameKeys(other));
  await saveKeyFile(ports, `${otherLines.join("\n").trimEnd()}\n${line.trim()}\n`);
}
