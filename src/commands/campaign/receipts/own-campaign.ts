/** A campaign that this program sends, message by message, as `get`, `list` and `watch` show it: from the journal on this machine alone. */
import type { Machine } from "../../base/define-command.ts";
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { SendPlan } from "../plan/send-plan.ts";
import { journalIds } from "./campaign-folder.ts";
import { isAtWork, reasonCounts, readReceived, type JournalProgress } from "./journal.ts";
import type { MissedPerson } from "./outcome.ts";

/** The machine with the journals, and its clock. */
export interface OwnCall {
  machine?: Pick<Machine, "folder">;
  now(): number;
}

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
  /** Everybody whom it is for: those who have got it, who were missed, and who are waiting. */
  audience: number;
  waiting: number;
  /** Who gets nothing, by reason, as the report counts them. */
  left_out: Record<string, number>;
  /** Those to whom the message could not be sent. */
  missed?: MissedPerson[];
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
  const { begun, received, failed, left, ended } = journal;
  if (begun?.mode !== "messages") return undefined;
  const state = runState(call, id, journal);
  const isOver = state.status === "completed" && ended !== undefined;
  const others = begun.audience.filter((user) => !received.has(user));
  const leaving = others.flatMap((user) => left.get(user)?.reason ?? []);
  const missed = others.flatMap((user) => {
    const reason = left.has(user) ? undefined : failed.get(user)?.reason;
    return reason === undefined ? [] : [{ id: user, reason }];
  });
  const { received: _before, ...excluded } = begun.left;
  const before = Object.entries(excluded).flatMap(([reason, ids]) => ids.map(() => reason));
  const audience = received.size + others.length - leaving.length;
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
    audience,
    waiting: others.length - leaving.length - missed.length,
    left_out: reasonCounts([...leaving, ...before], begun.counts),
    ...(missed.length > 0 && { missed }),
    stats: {
      progress: isOver || audience === 0 ? 1 : received.size / audience,
      stats_messages_sent: received.size,
      stats_users_sent: received.size,
    },
  };
}
