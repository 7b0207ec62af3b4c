/** Sets and removes the title and custom fields of a thread, or of those of a file (TH-1); reserved fields are refused before any request (TH-2). */
import type { Core } from "../../core/core.ts";
import { reservedThreadProblem, type Thread } from "../../wire/entities/thread.ts";
import { CommandError, command, type Args, type ArgValues } from "../base/define-command.ts";
import { SET_FILE_ARGS, setOneOrFile } from "../base/bulk/set-from-file.ts";
import type { PartialChange } from "../base/bulk/changed-fields.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";
import { findThread } from "./find-thread.ts";
import { settableThreads, TEXTS_OF_THREADS } from "./settable-threads.ts";

const ARGS = {
  message: { kind: "message", positional: true, orFile: true, help: "A message of the thread" },
  fields: { ...PAIRS, optional: true, help: "Custom fields as name=value; a dot reaches into one" },
  title: { kind: "text", help: "The title" },
  unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

type Change = Required<PartialChange>;

/** Throws `CommandError` (rejected) for reserved fields. */
function changeOf({ title, fields, unset }: ArgValues<typeof ARGS>): Change {
  const set = {
    ...readPairs(fields, "A field", TEXTS_OF_THREADS),
    ...(title === undefined ? {} : { title }),
  };
  const fault = reservedThreadProblem([...Object.keys(set), ...unset]);
  if (fault !== undefined) throw new CommandError("rejected", fault);
  return { set, unset };
}

async function changeOne(core: Core, message: string, change: Change): Promise<Thread> {
  if (Object.keys(change.set).length + change.unset.length === 0)
    throw new CommandError("usage", "Nothing to update", "Give --title, name=value or --unset name.");
  const { parentId } = await findThread({ core }, message);
  return core.threads.update(parentId, change);
}

export default command({
  summary: "Set the title or custom fields of a thread",
  changes: "provider",
  examples: [
    "thread set ana-7f3c --title 'Tea time'",
    "thread set ana-7f3c mood=calm details.cups=2",
    "parley thread list --all --csv > threads.csv; parley thread set --file threads.csv",
  ],
  args: ARGS,
  run(call) {
    const { args, core } = call;
    const asked = changeOf(args);
    const one = (message: string): Promise<Thread> => changeOne(core, message, asked);
    return setOneOrFile(call, { name: args.message, one, asked, of: () => settableThreads(core) });
  },
});
