/** Lists the outbox: messages waiting on this machine to be sent. */
import { command, rowOf } from "../base/define-command.ts";
import { SHOWN_ON_SCREEN, type Unsent } from "./select-unsent.ts";

/** Shown text of each state. */
const STATES: Readonly<Record<Unsent["state"], string>> = {
  queued: "waits",
  sending: "waits",
  parked: "waits",
  unknown: "no answer yet",
  failed: "refused",
};

function stateOf({ killed, send_at, busy, state }: Unsent): string {
  if (killed) return "of a run that was killed";
  if (send_at) return "waits for its time";
  return busy ? "another Parley has it" : STATES[state];
}

export default command({
  summary: "List messages waiting on this machine to be sent",
  changes: "nothing",
  examples: ["outbox list", "outbox list --ndjson=id,state,reason"],
  aliases: ["ls"],
  needsStore: "alsoInDryRun",
  shellOnly: SHOWN_ON_SCREEN,
  async *run({ core }): AsyncIterable<Unsent> {
    yield* core.unsent();
  },
  show: (row) =>
    rowOf(row, {
      message: "id",
      channel: "cid",
      what: "kind",
      state: {
        field: "state",
        cell: stateOf(row),
      },
      "goes out": "send_at",
      since: "created_at",
      text: "text",
      why: "reason",
    }),
});
