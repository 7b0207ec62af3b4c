/** Arguments of commands that change the opt-out list. */
import { CommandError, type Args, type FileReading, type ArgValues } from "../../base/define-command.ts";

export const OPT_OUT_ARGS = {
  users: { kind: "list", positional: true, optional: true, help: "The users" },
  file: { kind: "file", short: "f", help: "One id per line, or records with an id; - reads standard input" },
} as const satisfies Args;

/** Unique ids. Throws `CommandError` without any, and for an invalid record in the file. */
export async function optOutIds(
  call: FileReading & { args: ArgValues<typeof OPT_OUT_ARGS> },
): Promise<string[]> {
  const { users, file } = call.args;
  const ids = new Set(users.map((id) => id.replace(/^@/, "")));
  if (file !== undefined) {
    const { targetsInFile } = await import("../audience/targets.ts");
    const { targets, invalid } = await targetsInFile(call, file);
    if (invalid[0] !== undefined) throw new CommandError("rejected", `${invalid[0].reason}.`);
    for (const { id } of targets) ids.add(id);
  }
  if (ids.size === 0) throw new CommandError("usage", "No users are named: add users or --file.");
  return [...ids];
}
