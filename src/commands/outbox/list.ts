/** Lists what waits on this machine to be sent. */
import { command, rowView } from "../base/define-command.ts";
import { SCREEN_HAS_IT, type Unsent } from "./waiting.ts";

/** What a row is waiting for, in a word or two. */
const STATES: Readonly<Record<Unsent["state"], string>> = {
  queued: "waits",
  sending: "waits",
  parked: "waits",
  unknown: "no answer yet",
  failed: "refused",
};

export default command({
  summary: "List messages waiting on this machine to be sent",
  examples: ["outbox list", "outbox list --ndjson=id,state,reason"],
  aliases: ["ls"],
  args: {},
  keeps: "to look",
  shellOnly: SCREEN_HAS_IT,
  async *run({ core }): AsyncIterable<Unsent> {
    yield* core.unsent();
  },
  show: (row) =>
    rowView(
      {
        message: row.id,
        channel: row.cid,
        what: row.kind,
        state: row.send_at ? "waits for its time" : row.busy ? "another Parley has it" : STATES[row.state],
        "goes out": row.send_at,
        since: row.created_at,
        text: row.text,
        why: row.reason,
      },
      {
        message: "id",
        channel: "cid",
        what: "kind",
        state: "state",
        since: "created_at",
        why: "reason",
        "goes out": "send_at",
      },
    ),
});
