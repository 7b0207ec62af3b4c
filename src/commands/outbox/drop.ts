/** Discards messages in the outbox. */
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command } from "../base/define-command.ts";
import { changeEach, MESSAGES, describeNames } from "../base/bulk/names.ts";
import { selectUnsent, SHOWN_ON_SCREEN } from "./select-unsent.ts";

interface Dropped {
  id: string;
  /** False in a dry run. */
  dropped: boolean;
}

interface DropSelection {
  messages: readonly string[];
  file?: string;
  allOfThem: boolean;
}

export default command({
  summary: "Discard messages waiting to be sent",
  changes: "local",
  examples: [
    "outbox drop ana-7f3c",
    "parley outbox list --ndjson | parley outbox drop --file - --yes",
    "outbox drop --all-of-them --yes",
  ],
  args: {
    messages: { kind: "list", positional: true, optional: true, help: "Ids as shown by outbox list" },
    ...BULK_ARGS,
    allOfThem: { kind: "flag", help: "Discard everything that is waiting" },
  },
  needsStore: "alsoInDryRun",
  shellOnly: SHOWN_ON_SCREEN,
  confirm(args) {
    requireSelection(args);
    return {
      level: "moderate",
      question: args.allOfThem
        ? "Forget everything that waits to be sent?"
        : `Forget ${describeNames(args.messages, args, MESSAGES.unit)} without sending?`,
    };
  },
  async *run(call): AsyncIterable<Dropped> {
    const { core, args, dry, machine } = call;
    const { messages, allOfThem } = args;
    requireSelection(args);
    const names = allOfThem ? core.unsent().map((row) => row.id) : messages;
    if (allOfThem && names.length === 0) return;
    yield* changeEach(call, {
      kind: MESSAGES,
      names,
      async send(id): Promise<Dropped> {
        selectUnsent(core, [id]);
        if (!dry && core.dropUnsent(id) === false && !(await machine?.askScreens("drop", id)))
          throw heldElsewhere();
        return { id, dropped: !dry };
      },
      result: "dropped",
    });
  },
  show: ({ id, dropped }) => (dropped ? `${id} is forgotten` : `would forget ${id}`),
});

/** Either names or --all-of-them must be given, not both. */
function requireSelection({ messages, file, allOfThem }: DropSelection): void {
  if (allOfThem === (messages.length > 0 || file !== undefined))
    throw new CommandError("usage", "Name the messages, or give --all-of-them.", "parley outbox list");
}

const heldElsewhere = (): CommandError =>
  new CommandError("conflict", "another running Parley holds it", "drop it there, or quit the other one");
