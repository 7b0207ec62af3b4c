/** Removes writes that wait on this machine to be sent. */
import { CommandError, command } from "../base/define-command.ts";
import { Several } from "../base/several.ts";
import { meant, SCREEN_HAS_IT } from "./waiting.ts";

export default command({
  summary: "Discard messages waiting to be sent",
  examples: ["outbox drop ana-7f3c", "outbox drop --all-of-them --yes"],
  args: {
    messages: { kind: "list", place: "positional", optional: true, help: "Ids as shown by outbox list" },
    allOfThem: { kind: "flag", help: "Discard everything that is waiting" },
  },
  keeps: "to look",
  shellOnly: SCREEN_HAS_IT,
  confirm: ({ messages = [], allOfThem }) => ({
    level: "moderate",
    question: allOfThem
      ? "Forget everything that waits to be sent?"
      : `Forget ${messages.length === 1 ? messages[0] : `${messages.length} messages`} without sending?`,
  }),
  async *run({ core, args, dry, machine }): AsyncIterable<{ id: string; dropped: boolean }> {
    const { messages = [], allOfThem } = args;
    if (messages.length > 0 === (allOfThem === true))
      throw new CommandError("usage", "Name the messages, or give --all-of-them.", "parley outbox list");
    const several = new Several();
    for (const id of new Set(meant(core, messages).map((row) => row.id))) {
      const dropped =
        dry ||
        (await several.try(id, async () => {
          const isOurs = core.dropUnsent(id);
          if (isOurs === false && !(await machine?.askScreens("drop", id))) throw busy();
          return true;
        }));
      if (dropped) yield { id, dropped: !dry };
    }
    several.end();
  },
  show: ({ id, dropped }) => (dropped ? `${id} is forgotten` : `would forget ${id}`),
});

const busy = (): CommandError =>
  new CommandError("conflict", "another Parley that runs has it", "drop it there, or end that one");
