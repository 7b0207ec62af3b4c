/** Marks channels read and unread and confirms delivery, each at most once a second (R-READ-3, -6, -11). */
import { DELIVERED_THROTTLE, MARK_READ_THROTTLE } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import type { ApiCall } from "../http/caller.ts";
import { passes } from "../http/passing.ts";
import { ApiError } from "../../model/errors.ts";
import { partsOf } from "../base/validate-call.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import { isLocal } from "../../model/message-state.ts";

/** Milliseconds between two tries of a lost mark at most. */
const LONGEST_WAIT = 30_000;

interface Seen {
  id: string;
  createdAt: string;
}

export interface Reads {
  seen(cid: string): void;
  left(cid: string): void;
  markRead(cid: string): Promise<void>;
  markUnread(cid: string, messageId: string): Promise<void>;
  /** Events that were dispatched: foreign messages among them are confirmed as delivered; an open link makes lost marks again. */
  arrived(events: readonly AnyEvent[]): void;
  /** Channels of a query: their newest foreign message has come too (R-READ-11). */
  queried(states: readonly ChannelState[]): void;
  /** Ends the timers; with `forget` also what was confirmed, because the user is gone. */
  close(): void;
}

export function createReads(deps: {
  call: ApiCall;
  machine: Pick<StateMachine, "state" | "apply">;
  clock: Clock;
  log: Log;
  userId(): string | undefined;
}): Reads {
  const { call, machine, clock, log } = deps;
  /** Channels read within the last second; true when a further call is due at its end. */
  const recent = new Map<string, { timer: Timer; again: boolean }>();
  /** Marks that did not arrive and will be made again. */
  const owed = new Map<string, { upTo: Seen | undefined; timer: Timer; retry(): void }>();
  /** Counts users: what was owed for one is not paid for the next. */
  let users = 0;
  /** Channel → how often it was marked unread: a read mark of before is void then. */
  const turns = new Map<string, number>();
  const forgive = (cid: string): void => {
    clock.clearTimeout(owed.get(cid)?.timer);
    owed.delete(cid);
  };
  const turn = (cid: string): string => `${users} ${turns.get(cid) ?? 0}`;
  const delivered = new Map<string, string>();
  const undelivered = new Map<string, { id: string; createdAt: string }>();
  let confirming: Timer | undefined;

  const readable = (cid: string): boolean =>
    machine.state().channels.get(cid)?.channel.config?.read_events !== false;

  const send = (cid: string): void => {
    const timer = clock.setTimeout(() => {
      const again = recent.get(cid)?.again;
      recent.delete(cid);
      if (again) send(cid);
    }, MARK_READ_THROTTLE);
    const entry = { timer, again: false };
    recent.set(cid, entry);
    const upTo = newestOf(cid);
    const owner = turn(cid);
    call("markRead", { path: partsOf(cid), body: {} }).then(
      (reply) => taken(cid, upTo, reply),
      (error: Error) => failed(cid, upTo, error, 1, owner),
    );
  };
  /** The newest message of the provider that is held, or the newest of those before a moment. */
  const newestOf = (cid: string, before?: string): Seen | undefined => {
    const latest = machine
      .state()
      .channels.get(cid)
      ?.sets.find((set) => set.isLatest)?.messages;
    for (let i = (latest?.length ?? 0) - 1; i >= 0; i--) {
      const message = latest!.at(i)!;
      if (before !== undefined && compareTimes(message.created_at, before) >= 0) continue;
      if (!isLocal(message)) return { id: message.id, createdAt: message.created_at };
    }
    return undefined;
  };
  /** Ends what is owed up to this moment: a later mark that was lost is still to be made (D8). */
  const paid = (cid: string, at: string): void => {
    const later = owed.get(cid)?.upTo;
    if (later === undefined || compareTimes(later.createdAt, at) <= 0) forgive(cid);
  };
  /** The answer says how far the provider took it: what came meanwhile is not read (D8). */
  const taken = (cid: string, upTo: Seen | undefined, reply: { event?: AnyEvent }): void => {
    const { created_at, last_read_message_id: messageId } = (reply.event ?? {}) as Record<string, unknown>;
    const at = typeof created_at === "string" ? created_at : upTo?.createdAt;
    if (at === undefined) return givenUp(cid, upTo);
    paid(cid, at);
    machine.apply({ kind: "readTaken", cid, at, ...(typeof messageId === "string" && { messageId }) });
  };
  const givenUp = (cid: string, upTo: Seen | undefined): void => {
    if (upTo) paid(cid, upTo.createdAt);
    machine.apply({ kind: "readGivenUp", cid, ...(upTo && { upTo: upTo.createdAt }) });
  };
  /** D8: a mark that was lost is made again, up to the message that was on screen then and no further. */
  const failed = (cid: string, upTo: Seen | undefined, error: Error, n: number, owner: string): void => {
    log.debug("marking read failed", { error: error.message });
    if (owner !== turn(cid)) return;
    // The message may have been deleted for good since: what stood before it was seen too.
    const gone = error instanceof ApiError && error.code === 4;
    const before = gone && upTo ? newestOf(cid, upTo.createdAt) : upTo;
    const newer = gone && machine.state().channels.get(cid)?.unread;
    if (!(passes(error) || gone) || (before === undefined && newer !== 0)) return givenUp(cid, upTo);
    owe(cid, before, gone, n, owner);
  };
  /** Makes the mark again after a pause; of two that were lost the later one. */
  const owe = (cid: string, lost: Seen | undefined, gone: boolean, n: number, owner: string): void => {
    const other = owed.get(cid)?.upTo;
    const upTo = lost && other && compareTimes(other.createdAt, lost.createdAt) > 0 ? other : lost;
    forgive(cid);
    const retry = (): void => {
      // A later mark is on its way or due: it says more, and when it is lost it is owed beside this one.
      if (recent.has(cid)) return;
      forgive(cid);
      // Without a message that is left, and with nothing unseen, the whole channel was seen.
      const whole = gone && machine.state().channels.get(cid)?.unread === 0;
      const body = whole || upTo === undefined ? {} : { message_id: upTo.id };
      call("markRead", { path: partsOf(cid), body }).then(
        (reply) => {
          if (owner === turn(cid)) taken(cid, upTo, reply);
        },
        (again: Error) => failed(cid, upTo, again, n + 1, owner),
      );
    };
    const timer = clock.setTimeout(retry, Math.min(LONGEST_WAIT, MARK_READ_THROTTLE * 2 ** n));
    owed.set(cid, { upTo, timer, retry });
  };
  const confirm = (): void => {
    confirming = undefined;
    const list = [...undelivered].map(([cid, { id }]) => ({ cid, id }));
    undelivered.clear();
    for (const { cid, id } of list) delivered.set(cid, id);
    if (list.length)
      call("markDelivered", { body: { latest_delivered_messages: list } }).catch((error: Error) => {
        log.debug("confirming delivery failed", { error: error.message });
      });
  };
  const note = (cid: string, id: string, createdAt: string): void => {
    const state = machine.state();
    if (state.channels.get(cid)?.channel.config?.delivery_events !== true) return;
    if (state.me?.privacy_settings?.delivery_receipts?.enabled === false) return;
    if (delivered.get(cid) === id || compareTimes(createdAt, undelivered.get(cid)?.createdAt) <= 0) return;
    undelivered.set(cid, { id, createdAt });
    confirming ??= clock.setTimeout(confirm, DELIVERED_THROTTLE);
  };

  return {
    seen(cid) {
      const entry = machine.state().channels.get(cid);
      if (!entry || entry.heldUnread || (entry.unread === 0 && entry.mentions === 0)) return;
      machine.apply({ kind: "seen", cid });
      if (!readable(cid)) return;
      const last = recent.get(cid);
      if (last) last.again = true;
      else send(cid);
    },
    left(cid) {
      machine.apply({ kind: "left", cid });
    },
    async markRead(cid) {
      const reply = await call("markRead", { path: partsOf(cid), body: {} });
      if (!reply.event) machine.apply({ kind: "seen", cid });
      taken(cid, reply.event ? undefined : newestOf(cid), reply);
    },
    async markUnread(cid, messageId) {
      // What is on its way the other way is taken back: it is neither made again nor held against the provider (D8).
      turns.set(cid, (turns.get(cid) ?? 0) + 1);
      forgive(cid);
      const last = recent.get(cid);
      if (last) last.again = false;
      machine.apply({ kind: "readGivenUp", cid });
      try {
        await call("markUnread", { path: partsOf(cid), body: { message_id: messageId } });
      } catch (error) {
        machine.apply({ kind: "readUnknown", cid });
        throw error;
      }
    },
    queried(states) {
      const me = deps.userId();
      for (const { channel, messages, read } of states) {
        const foreign = messages?.findLast(({ user, parent_id }) => !parent_id && user?.id !== me);
        if (!foreign) continue;
        const own = read?.find(({ user }) => user.id === me);
        // What was confirmed or read before needs no second word.
        const known = [own?.last_delivered_at, own?.last_read].some(
          (at) => at !== undefined && compareTimes(foreign.created_at, at) <= 0,
        );
        if (!known) note(channel.cid, foreign.id, foreign.created_at);
      }
    },
    arrived(events) {
      const me = deps.userId();
      for (const event of events) {
        // The pauses were for a link that is no longer broken. Not before what was missed is in: a page asked for earlier
        // would take the mark back (D8). A mark of the last second keeps its pause, it may be the lost one itself.
        if (event.type === "connection.recovered")
          for (const [cid, { retry }] of Array.from(owed)) if (!recent.has(cid)) retry();
        if (event.type !== "message.new" && event.type !== "notification.message_new") continue;
        const message = event.message as
          | { id?: unknown; created_at?: unknown; user?: { id?: unknown } }
          | undefined;
        if (!event.cid || !message || message.user?.id === me) continue;
        if (typeof message.id === "string" && typeof message.created_at === "string")
          note(event.cid, message.id, message.created_at);
      }
    },
    close() {
      users += 1;
      for (const cid of Array.from(owed.keys())) forgive(cid);
      for (const { timer } of recent.values()) clock.clearTimeout(timer);
      clock.clearTimeout(confirming);
      confirming = undefined;
      recent.clear();
      undelivered.clear();
      delivered.clear();
    },
  };
}
