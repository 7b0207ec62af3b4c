/** Compares what clients hold after a quiet phase with what was sent and what a new client receives: the delivery contract D1–D9 in one place. */
import type { ChannelEntry, ClientMessage, MessageSet, State } from "../../src/model/state.ts";
import { compareTimes } from "../../src/wire/time.ts";

/** One message as its sender's program recorded it. */
export interface SentMessage {
  id: string;
  cid: string;
  parentId?: string;
  text: string;
  userId: string;
  /** The client that sent it; the sends of one client are in order of submission. */
  by: string;
  outcome?: "received" | "failed" | "waiting";
}

/** The final state of one client, with that of a new client of the same user that has just loaded everything. */
export interface View {
  name: string;
  userId: string;
  state: State;
  fresh: State;
  /** Outbox rows that are not finished; refused rows count as finished, they wait for the user. */
  outbox: number;
}

export interface Evidence {
  sent: readonly SentMessage[];
  /** Texts given to a message by edits, in order of submission, by message id. */
  edits: ReadonlyMap<string, readonly string[]>;
  /** Last accepted edit of each message that only one client edited, by message id. */
  finalTexts: ReadonlyMap<string, string>;
  /** Ids of hard-deleted messages, which may be missing. */
  destroyed: ReadonlySet<string>;
  views: readonly View[];
  /** Failures during the run: cursors that moved back, ids shown twice, stalls, unhandled rejections. */
  incidents: readonly string[];
  /** Whether to compare the totals over all channels (R-READ-8). */
  totals: boolean;
  logs: readonly string[];
  secrets: readonly string[];
  /** Threads that every client has opened. */
  threads: readonly { cid: string; parentId: string }[];
  /** Drafts that must exist. */
  drafts?: readonly { by: string; held: string | undefined; wanted: string }[];
}

const ids = (set: MessageSet): string[] => [...set.messages].map((message) => message.id);

/** The fields of a message that a reader sees. */
function face(message: ClientMessage): Record<string, unknown> {
  const groups = Object.entries(message.reaction_groups ?? {})
    .map(([type, group]) => `${type}:${group.count}`)
    .toSorted();
  return {
    id: message.id,
    text: message.text,
    type: message.type,
    author: message.user.id,
    deleted: message.deleted_at !== undefined && message.deleted_at !== null,
    replies: message.reply_count ?? 0,
    reactions: groups.join(" "),
    own: message.own_reactions
      .map((one) => one.type)
      .toSorted()
      .join(" "),
    status: message.status ?? "received",
    pinned: message.pinned ?? false,
    created_at: message.created_at,
    pendingChange: message.pendingChange,
  };
}

/** Ids that occur more than once over all sets of a channel or thread (D3). */
export function twice(sets: readonly MessageSet[]): string[] {
  const seen = new Set<string>();
  const double: string[] = [];
  for (const set of sets)
    for (const message of set.messages)
      if (seen.has(message.id)) double.push(message.id);
      else seen.add(message.id);
  return double;
}

function comparePlace(
  where: string,
  held: readonly MessageSet[] | undefined,
  fresh: readonly MessageSet[] | undefined,
  faults: string[],
): void {
  const truth = fresh?.find((set) => set.isLatest);
  if (!truth) return void faults.push(`${where}: the new client has no list`);
  if (truth.hasPrev) return void faults.push(`${where}: the new client was not given everything`);
  if (!held?.some((set) => set.isLatest)) return void faults.push(`${where}: no latest set is held`);
  const order = ids(truth);
  for (const id of twice(held)) faults.push(`${where}: ${id} stands twice (D3)`);
  for (const set of held) {
    const mine = ids(set);
    if (mine.length === 0) {
      if (set.isLatest && !set.hasPrev && order.length)
        faults.push(`${where}: nothing is held and no gap is shown (D6)`);
      continue;
    }
    const from = order.indexOf(mine[0]!);
    const expected = order.slice(from, from + mine.length);
    if (from < 0 || expected.length < mine.length || expected.some((id, i) => id !== mine[i]))
      faults.push(
        `${where}: a silent gap or another order (D5, D6)\n  held     ${mine.join(" ")}\n  provider ${order.join(" ")}`,
      );
    else if (from > 0 && !set.hasPrev)
      faults.push(`${where}: ${from} older messages are missing without a gap row (D6)`);
    if (from >= 0 && from + mine.length < order.length && !set.hasNext)
      faults.push(
        `${where}: ${order.length - from - mine.length} newer messages are missing without a gap row (D6)`,
      );
  }
  for (const set of held)
    for (const message of set.messages) {
      const at = truth.messages.indexOf(message.id);
      const real = at < 0 ? undefined : truth.messages.at(at);
      if (!real) continue;
      const [a, b] = [face(message), face(real)];
      for (const key of Object.keys(b))
        if (JSON.stringify(a[key]) !== JSON.stringify(b[key]))
          faults.push(
            `${where}: ${message.id} has ${key} ${JSON.stringify(a[key])}, the provider says ${JSON.stringify(b[key])} (D7)`,
          );
    }
}

function compareReads(where: string, held: ChannelEntry, fresh: ChannelEntry, faults: string[]): void {
  for (const [user, read] of fresh.read) {
    const mine = held.read.get(user);
    if (mine && compareTimes(mine.last_read, read.last_read) !== 0)
      faults.push(
        `${where}: ${user} has read up to ${mine.last_read}, the provider says ${read.last_read} (D8)`,
      );
  }
  if (held.unread !== fresh.unread)
    faults.push(`${where}: unread ${held.unread}, the provider says ${fresh.unread} (D9)`);
}

/** One sentence for each violation of the contract; empty when there is none. */
export function check(evidence: Evidence): string[] {
  const faults = [...evidence.incidents];
  const { sent, views, edits } = evidence;
  const known = new Map(sent.map((one) => [one.id, one]));
  const any = views[0]?.fresh;

  // The messages at the provider: all channels and threads of a new client.
  const stored = new Map<string, ClientMessage>();
  const copies = new Map<string, string>();
  for (const entry of any?.channels.values() ?? []) {
    const lists = [entry.sets, ...[...entry.threads.values()].map((thread) => thread.sets)];
    for (const sets of lists)
      for (const set of sets)
        for (const message of set.messages) {
          stored.set(message.id, message);
          const sender = known.get(message.id);
          if (!sender) faults.push(`${message.id} "${message.text}" is at the provider and nobody sent it`);
          else if (
            message.type !== "deleted" &&
            message.text !== sender.text &&
            !edits.get(message.id)?.includes(message.text)
          )
            faults.push(`${message.id} reads "${message.text}", which nobody wrote`);
          if (sender?.text === message.text) {
            const other = copies.get(message.text);
            if (other !== undefined && other !== message.id)
              faults.push(`"${message.text}" is at the provider twice: ${other} and ${message.id} (D2)`);
            copies.set(message.text, message.id);
          }
        }
  }
  for (const one of sent) {
    if (one.outcome === "failed" || evidence.destroyed.has(one.id)) continue;
    if (!stored.has(one.id))
      faults.push(
        `${one.id} "${one.text}" of ${one.by} is lost${one.outcome === "received" ? " although it was acknowledged" : ""} (D1)`,
      );
  }
  for (const [id, text] of evidence.finalTexts) {
    const message = stored.get(id);
    if (message && message.type !== "deleted" && message.text !== text)
      faults.push(`${id} reads "${message.text}" though the edit to "${text}" was accepted last (D11)`);
  }

  // D5: for each client and lane, the provider's order is the order of submission.
  const lanes = new Map<string, ClientMessage>();
  for (const one of sent) {
    const message = stored.get(one.id);
    if (!message) continue;
    const lane = `${one.by} ${one.cid}`;
    const before = lanes.get(lane);
    if (before && compareTimes(before.created_at, message.created_at) >= 0)
      faults.push(`${before.id} and ${message.id} of ${one.by} changed places in ${one.cid} (D5)`);
    lanes.set(lane, message);
  }

  for (const view of views) {
    if (view.outbox > 0) faults.push(`${view.name}: ${view.outbox} rows of the outbox have no end (D4)`);
    if (view.state.link.phase !== "open" || view.state.link.catchingUp)
      faults.push(
        `${view.name}: the link is ${view.state.link.phase}${view.state.link.catchingUp ? " and catching up" : ""} after quiet`,
      );
    for (const [cid, fresh] of view.fresh.channels) {
      const held = view.state.channels.get(cid);
      if (!held) {
        faults.push(`${view.name}: ${cid} is not held`);
        continue;
      }
      comparePlace(`${view.name} ${cid}`, held.sets, fresh.sets, faults);
      compareReads(`${view.name} ${cid}`, held, fresh, faults);
      if (held.stale) faults.push(`${view.name}: ${cid} is stale after quiet (D6)`);
    }
    for (const { cid, parentId } of evidence.threads)
      comparePlace(
        `${view.name} thread ${parentId}`,
        view.state.channels.get(cid)?.threads.get(parentId)?.sets,
        view.fresh.channels.get(cid)?.threads.get(parentId)?.sets,
        faults,
      );
    const { totals } = view.state;
    const real = view.fresh.totals;
    if (evidence.totals && (totals.unread !== real.unread || totals.channels !== real.channels))
      faults.push(
        `${view.name}: unread in all ${totals.unread} in ${totals.channels} channels, the provider says ${real.unread} in ${real.channels} (D9)`,
      );
  }
  for (const draft of evidence.drafts ?? [])
    if (draft.held !== draft.wanted)
      faults.push(`${draft.by}: the draft is "${draft.held ?? ""}" instead of "${draft.wanted}" (D10)`);
  for (const secret of evidence.secrets)
    if (evidence.logs.some((line) => line.includes(secret))) faults.push("a log line holds a secret");
  return faults;
}

/** Watches one running client and reports read cursors that move back and ids that occur twice at once (D3, D8). */
export function watchState(
  name: string,
  state: () => State,
  subscribe: (run: () => void) => unknown,
  tell: (incident: string) => void,
): void {
  const cursors = new Map<string, string>();
  const looked = new Map<string, readonly MessageSet[]>();
  subscribe(() => {
    for (const [cid, entry] of state().channels) {
      if (looked.get(cid) !== entry.sets) {
        looked.set(cid, entry.sets);
        for (const id of twice(entry.sets)) tell(`${name} ${cid}: ${id} stood twice (D3)`);
      }
      for (const [user, read] of entry.read) {
        const key = `${cid} ${user}`;
        const before = cursors.get(key);
        if (before !== undefined && compareTimes(read.last_read, before) < 0)
          tell(
            `${name} ${cid}: the read cursor of ${user} went from ${before} back to ${read.last_read} (D8)`,
          );
        cursors.set(key, read.last_read);
      }
    }
  });
}
