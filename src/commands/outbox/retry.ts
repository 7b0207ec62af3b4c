/** Sends the messages in the outbox and reports the result of each. */
import type { Core } from "../../core/core.ts";
import { reasonOf } from "../../wire/errors.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { readAllNames, MESSAGES } from "../base/bulk/names.ts";
import { pollUntil } from "../base/poll-task.ts";
import { Outcomes } from "../base/bulk/outcomes.ts";
import { selectUnsent, SHOWN_ON_SCREEN, type Unsent } from "./select-unsent.ts";

interface RetryResult {
  id: string;
  result: "sent" | "would be sent";
}

/** Default waiting time in milliseconds. */
const DEFAULT_WAIT = 30_000;

interface Waiting extends Unsent {
  /** The message before it in its channel, if that was refused in this run: it waits until the user decides about that one. */
  behind: Unsent | undefined;
}

/** Rows of these messages that are not yet sent or refused. */
function unsettledRows(core: Core, ids: ReadonlySet<string>): Waiting[] {
  const refused = new Map<string, Unsent>();
  const waiting: Waiting[] = [];
  for (const row of core.unsent()) {
    if (!ids.has(row.id)) continue;
    if (row.state !== "failed") waiting.push({ ...row, behind: refused.get(row.cid) });
    else if (!row.busy && !refused.has(row.cid)) refused.set(row.cid, row);
  }
  return waiting;
}

export default command({
  summary: "Send the messages waiting on this machine",
  changes: "local",
  examples: [
    "outbox retry",
    "outbox retry ana-7f3c --within 2m",
    "parley outbox list --ndjson | parley outbox retry --file -",
  ],
  args: {
    messages: {
      kind: "list",
      positional: true,
      optional: true,
      help: "Ids as shown by outbox list (default: all)",
    },
    file: BULK_ARGS.file,
    within: {
      kind: "time",
      direction: "future",
      value: "time",
      help: "Stop after this time (30s); the rest stays in the outbox (exit 10)",
    },
  },
  needsStore: "alsoInDryRun",
  shellOnly: SHOWN_ON_SCREEN,
  async *run(call): AsyncIterable<RetryResult> {
    const { core, args, dry } = call;
    // Scheduled messages are only sent early when they are named.
    const isNamed = args.messages.length > 0 || args.file !== undefined;
    const requested = isNamed ? await readAllNames(call, args.messages, MESSAGES) : undefined;
    const rows = (requested?.length === 0 ? [] : selectUnsent(core, requested)).filter(
      (row) => isNamed || row.send_at === undefined,
    );
    const ids = new Set(rows.map((row) => row.id));
    if (dry) {
      for (const id of ids) yield { id, result: "would be sent" };
      return;
    }
    // Takes over rows left by earlier runs; refused ones are sent again by `retry`.
    if (ids.size > 0) core.restore();
    for (const row of rows)
      if (row.busy || !core.retry(row.id)) await call.machine?.askScreens("retry", row.id);
    const within = args.within ?? new Date(call.now() + DEFAULT_WAIT).toISOString();
    const unsettled = await waitUntilSettled(call, ids, within);
    const failed = new Map(core.unsent().map((row) => [row.id, row]));
    const outcomes = new Outcomes();
    for (const id of ids) {
      const left = unsettled.find((row) => row.id === id);
      const row = failed.get(id);
      if (left?.behind) outcomes.failed([id], refusedBefore(left.behind));
      else if (left) continue;
      else if (row)
        outcomes.failed([id], new CommandError("rejected", reasonOf(row.reason ?? "it was refused")));
      else {
        outcomes.done(1);
        yield { id, result: "sent" };
      }
    }
    const waiting = unsettled.filter(({ behind }) => behind === undefined);
    if (waiting.length > 0) throw stillWaiting(waiting, ids.size);
    outcomes.end();
  },
  show: ({ id, result }) => (result === "sent" ? id : `would send ${id}`),
});

/** Waits until all are sent, refused or behind a refused one, or the time is up; returns the rows still waiting. */
async function waitUntilSettled(
  call: Pick<Call<Args>, "core" | "signal" | "now" | "progress">,
  ids: ReadonlySet<string>,
  within: string,
): Promise<Waiting[]> {
  let unsettled: Waiting[] = [];
  try {
    const polls = pollUntil(
      call,
      { within, again: "parley outbox list" },
      async () => (unsettled = unsettledRows(call.core, ids)),
      (rows) => rows.every(({ behind }) => behind !== undefined),
    );
    for await (const rows of polls) call.progress(ids.size - rows.length, ids.size, "sent");
  } catch (error) {
    if (!(error instanceof CommandError && error.kind === "pending")) throw error;
  }
  return unsettled;
}

const refusedBefore = ({ id }: Unsent): CommandError =>
  new CommandError("conflict", `waits behind ${id}, which was refused: retry or drop that one`);

const stillWaiting = (unsent: readonly Unsent[], all: number): CommandError =>
  new CommandError(
    "unavailable",
    `${unsent.length} of ${all} still wait: ${unsent[0]!.reason ?? "the provider cannot be reached"}.`,
    "parley outbox list",
  );
