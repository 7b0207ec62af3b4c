/** Edits the person's own keys: their file in the editor, or one more line in it. */
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice } from "../../screen/notices.ts";

type Needs = Pick<Ports, "core" | "keyFile" | "terminal">;

/** Faults are told by whoever reads the file. */
async function keep(ports: Needs, text: string): Promise<void> {
  const faults = await ports.keyFile.write(text);
  if (faults.length === 0) showNotice(ports, words.keyFile.saved, "success");
}

export function editKeys(ports: Needs): void {
  const edit = async (): Promise<void> => {
    const before = ports.keyFile.read();
    const text = await ports.terminal.editExternally(before);
    if (text !== undefined && text !== before) await keep(ports, text);
  };
  attempt(ports, edit());
}

/** One more line: `browse g r reply`. Rejects with what is wrong with it; the file is then as it was. */
export async function bindKeys(ports: Needs, line: string): Promise<void> {
  const before = ports.keyFile.read();
  const { readKeys } = await import("../../bindings/key-file.ts");
  // The newest line wins: an older one for the same keys is taken out.
  const [where = "", ...rest] = line.trim().split(/\s+/);
  const [fault] = readKeys(line, "", "default").faults;
  if (fault !== undefined) throw new Error(words.keyFile.refused(fault.replace(/^ line 1: /, "")));
  const same = (other: string): boolean => {
    const read = other.trim().split(/\s+/);
    return (
      read[0] === where &&
      read.length > 2 &&
      read[1] === rest[0] &&
      read.slice(1, -1).join(" ") === rest.slice(0, -1).join(" ")
    );
  };
  const kept = before.split("\n").filter((other) => other.startsWith("#") || !same(other));
  await keep(ports, `${kept.join("\n").trimEnd()}\n${line.trim()}\n`);
}
