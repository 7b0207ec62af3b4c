/** A campaign that this program sends, message by message, as `get`, `list` and `watch` show it: from the journal on this machine alone. */
import type { Args, Call } from "../../base/define-command.ts";
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { SendPlan } from "../plan/send-plan.ts";
import { journalIds } from "./campaign-folder.ts";
import { isAtWork, readReceived, type JournalProgress } from "./journal.ts";

type OwnCall = Pick<Call<Args>, "machine" | "now">;

/** How a run by messages stands: at work, perhaps waiting, stopped or at its end. */
interface RunState {
  status: "in_progress" | "stopped" | "completed";
  /** RFC 3339: a run at work waits until then. */
  waiting_until?: string;
}

/** The names are those of a campaign at the provider. */
export interface OwnCampaign extends RunState {
  id: string;
  /** It has none: its file is not read. */
  name: "";
  mode: "messages";
  /** When each person may be sent to. */
  plan?: SendPlan;
  sender_id: string;
  file: string;
  created_at: string;
  /** The command that continues it. */
  again: string;
  audience: number;
  stats: Partial<Campaign["stats"]> &
    Pick<Campaign["stats"], "progress" | "stats_messages_sent" | "stats_users_sent">;
}

/** The command that continues a campaign sent from this machine. */
export const againOf = ({ begun }: Pick<JournalProgress, "begun">): string =>
  begun?.again ?? `parley campaign start ${begun?.file} --mode messages`;

/** All of them, the newest first. */
export const ownCampaigns = (call: OwnCall): OwnCampaign[] =>
  journalIds(call.machine)
    .flatMap((id) => ownCampaign(call, id) ?? [])
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));

export function runState(
  { machine, now }: OwnCall,
  id: string,
  { ended, waiting }: JournalProgress,
): RunState {
  if (!isAtWork(machine, id)) return { status: ended === undefined ? "stopped" : "completed" };
  const waits = waiting !== undefined && Date.parse(waiting) > now();
  return { status: "in_progress", ...(waits ? { waiting_until: waiting } : {}) };
}

/** Undefined for a campaign that this machine has not sent. */
export function ownCampaign(call: OwnCall, id: string): OwnCampaign | undefined {
  const journal = readReceived(call.machine, id);
  const { begun, received, ended } = journal;
  if (begun?.mode !== "messages") return undefined;
  const people = new Set([...begun.audience, ...received]).size;
  const state = runState(call, id, journal);
  const isOver = state.status === "completed" && ended !== undefined;
  return {
    id,
    name: "",
    mode: "messages",
    ...state,
    ...(begun.plan && { plan: begun.plan }),
    sender_id: begun.sender,
    file: begun.file,
    created_at: begun.at,
    again: againOf(journal),
    audience: people,
    stats: {
      progress: isOver || people === 0 ? 1 : received.size / people,
      stats_messages_sent: received.size,
      stats_users_sent: received.size,
    },
  };
}
