/** The outbox: writes are durable before they show, sent one at a time a channel, repeated here and nowhere else (D1–D5, decisions 16). */
import { makeMessageId } from "../../wire/ids.ts";
import type { Message } from "../../wire/message.ts";
import type { User } from "../../wire/user.ts";
import { needMessageId, needReaction, partsOf } from "../base/validate-call.ts";
import type { OutgoingMessage, SendOutcome } from "../base/api-types.ts";
import type { ThreadRef, HeldMessage } from "../../model/state.ts";
import type { Core } from "../core.ts";
import { LocalError } from "../../model/errors.ts";
import type { Clock, Log, Random } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import { StoreFailure } from "../store/store.ts";
import type { OutboxAction, OutboxRow, Store } from "../store/store.ts";
import { compose, WAIT_FOR_UPLOADS } from "./compose.ts";
import { createSendQueue } from "./send-queue.ts";

export interface OutboxOptions {
  store: Store;
  call: Core["call"];
  machine: StateMachine;
  clock: Clock;
  random: Random;
  log: Log;
  userId(): string | undefined;
  /** The author of echoes. */
  user?(): User | undefined;
  /** The user's own limit of a text, in UTF-16 units; absent = the channel's (R-SEND-2). */
  maximum?: number | undefined;
  /** Process that owns new rows: `pid:starttime`, see model/owner.ts. */
  owner: string;
  /** False: rows wait for the network without trying. Absent = always. */
  online?(): boolean;
  /** The link waits for a sign-in, and so do the rows. */
  refused?(): boolean;
}

export interface SendWait {
  /** Milliseconds after which the outcome is `waiting`; absent = until it is decided. */
  waitMs?: number;
  /** Decisions 17: a row never sent is taken back when the wait is over, or at once when only a new sign-in could help; the outcome's message is `failed`. */
  withdraw?: boolean;
  /** The composition did not come from the composer: the draft of its place stays. */
  keepDraft?: boolean;
}

export interface Outbox {
  /** Durable, then visible, then sent (D1). Throws `StoreFailure` and changes nothing when the disk refuses; throws `LocalError` for an empty text (R-SEND-3) or one that is too long (R-SEND-2). */
  send(
    place: ThreadRef,
    composition: OutgoingMessage,
    wait?: SendWait,
  ): { id: string; outcome: Promise<SendOutcome> };
  /** These resolve when the provider has accepted; they reject with its refusal. */
  edit(message: Message, set: Record<string, unknown>, unset?: string[]): Promise<void>;
  remove(message: Message, how?: { hard?: boolean; forMe?: boolean }): Promise<void>;
  react(message: Message, type: string, options?: { score?: number; unique?: boolean }): Promise<void>;
  unreact(message: Message, type: string): Promise<void>;
  /** A failed or parked row is tried again with the same id (R-SEND-8). */
  retry(messageId: string): void;
  /** Forgets a row that is not on the wire (R-SEND-10). */
  drop(messageId: string): void;
  /** Starts what may start; call after the link opened, a token was renewed or the machine woke. */
  drain(): void;
  /** Takes rows of an earlier run from the store into the state: own ones always, those of dead owners with the lease. */
  resume(): void;
  /** Waits until no call is on the wire, then ends the timers; rows stay. */
  close(): Promise<void>;
}

/** How often rows of processes that have ended are looked for. */
const ADOPT_EVERY = 5000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, machine, clock, random, log, owner } = options;
  const queue = createSendQueue(options, (message, { set, unset }) => {
    change(message, { kind: "edit", set, unset, baseUpdatedAt: message.updated_at }).catch((error: Error) =>
      log.info("a newer edit could not be made again", { error: error.message }),
    );
  });
  let closed = false;
  let adoption: ReturnType<Clock["setTimeout"]> | undefined;

  /** Rows whose channel was not held when they were to be shown. */
  const unshown = new Map<number, OutboxRow>();

  function show(row: OutboxRow, fresh: boolean): void {
    if (!machine.state().channels.has(row.cid)) unshown.set(row.seq, row);
    machine.apply({ kind: "queued", row, user: author(), fresh });
  }

  /** A channel that has come since shows what is on its way to it (D1). */
  const unsubscribe = machine.subscribe(() => {
    for (const row of unshown.values()) {
      if (!machine.state().channels.has(row.cid) || options.userId() === undefined) continue;
      unshown.delete(row.seq);
      const held = queue.find((each) => each.seq === row.seq);
      if (held) machine.apply({ kind: "queued", row: held, user: author(), fresh: false });
    }
  });

  const author = (): User => {
    const id = options.userId();
    if (id === undefined) throw new LocalError("Nobody is signed in, so nothing can be sent");
    return options.user?.() ?? machine.state().me ?? { id };
  };

  /** D1: durable first; what the disk refuses does not show. */
  function enqueue(
    messageId: string,
    cid: string,
    action: OutboxAction,
    clearDraft?: { cid: string; parentId?: string },
  ): OutboxRow {
    author();
    try {
      const row = store.enqueue(
        { messageId, cid, action, state: "queued", tries: 0, owner, createdAt: clock.now() },
        clearDraft,
      );
      // The disk takes writes again.
      if (machine.state().storage !== undefined) machine.apply({ kind: "storage", storage: undefined });
      show(row, true);
      return row;
    } catch (error) {
      if (error instanceof StoreFailure) machine.apply({ kind: "storage", storage: error.message });
      throw error;
    }
  }

  function change(message: Message, action: Exclude<OutboxAction, { kind: "send" }>): Promise<void> {
    const row = enqueue(message.id, message.cid, { ...action, key: random.uuid() });
    return new Promise((resolve, reject) => {
      queue.add(row, {
        settled: () => resolve(),
        failed: (error) => reject(error),
        // A closing program keeps the row; nobody is left to tell.
        waiting: () => resolve(),
      });
    });
  }

  /** The row of a message of ours that has not reached the provider, when it may still be changed. */
  function unsent(messageId: string): OutboxRow | undefined {
    return queue.find((row) => row.messageId === messageId && row.action.kind === "send");
  }

  /** `user` wrote it: who is signed in by now may be somebody else, or nobody. */
  function held(row: OutboxRow, user: User): HeldMessage {
    const entry = machine.state().channels.get(row.cid);
    const parentId = row.action.kind === "send" ? row.action.message.parent_id : undefined;
    const lists = [entry?.sets ?? [], (parentId !== undefined && entry?.threads.get(parentId)?.sets) || []];
    for (const sets of lists)
      for (const set of sets) {
        const at = set.messages.indexOf(row.messageId);
        if (at >= 0) return set.messages.at(at)!;
      }
    // The channel is not on screen (a one-shot): the outcome still names the message.
    const input = row.action.kind === "send" ? row.action.message : { id: row.messageId };
    return {
      ...input,
      cid: row.cid,
      user,
      status: row.state === "failed" ? "failed" : "sending",
    } as unknown as HeldMessage;
  }

  function adopt(): void {
    clock.clearTimeout(adoption);
    if (closed) return;
    adoption = clock.setTimeout(adopt, ADOPT_EVERY);
    // Whose rows they are is not known before somebody has signed in.
    if (options.userId() === undefined) return;
    let rows: OutboxRow[];
    try {
      rows = store.outbox();
    } catch (error) {
      log.warn("the outbox could not be read", { error: String(error) });
      return;
    }
    const orphans = rows.filter(
      (row) => row.owner !== owner && !queue.has(row.seq) && !store.alive(row.owner),
    );
    const mine = rows.filter((row) => row.owner === owner && !queue.has(row.seq));
    const taken = orphans.length && store.lease(owner) ? orphans : [];
    for (const row of [...mine, ...taken].toSorted((a, b) => a.seq - b.seq)) take(row);
  }

  /** A row of an earlier run: what was on the wire is unknown now (reliability.md §1). */
  function take(row: OutboxRow): void {
    const state = row.state === "sending" ? "unknown" : row.state === "parked" ? "queued" : row.state;
    const next: OutboxRow = { ...row, owner, state };
    if (state !== "unknown") delete next.notBefore;
    try {
      store.update(row.seq, { owner, state });
    } catch (error) {
      log.warn("a row of the outbox could not be taken over", { error: String(error) });
      return;
    }
    show(next, false);
    queue.add(next);
  }

  return {
    send(place, composition, wait = {}) {
      const entry = machine.state().channels.get(place.cid);
      const user = author();
      partsOf(place.cid);
      if (composition.uploads?.some(({ state }) => state === "pending" || state === "uploading")) {
        machine.apply({
          kind: "notice",
          notice: { level: "warning", text: WAIT_FOR_UPLOADS, origin: "composer" },
        });
        throw new LocalError(WAIT_FOR_UPLOADS);
      }
      const id = composition.id ?? makeMessageId(user.id, random.uuid());
      const action = compose(
        id,
        place,
        composition,
        options.maximum ?? entry?.channel.config?.max_message_length,
      );
      const row = enqueue(id, place.cid, action, wait.keepDraft ? undefined : place);
      const outcome = new Promise<SendOutcome>((resolve) => {
        const timer =
          wait.waitMs === undefined
            ? undefined
            : clock.setTimeout(() => {
                const taken = wait.withdraw && queue.withdraw(row.seq);
                if (taken)
                  resolve({
                    state: "failed",
                    message: { ...held(taken, user), status: "failed" },
                    error: new LocalError("The message was not sent and has been taken back"),
                  });
                else resolve({ state: "waiting", message: held(row, user) });
                if (taken) queue.forget(taken);
              }, wait.waitMs);
        queue.add(row, {
          settled: (message) => {
            clock.clearTimeout(timer);
            resolve({ state: "received", message: message ?? held(row, user) });
          },
          failed: (error, failed) => {
            clock.clearTimeout(timer);
            const message = held(failed, user);
            if (wait.withdraw) queue.forget(failed);
            resolve({ state: "failed", message, error });
          },
          waiting: () => {
            clock.clearTimeout(timer);
            resolve({ state: "waiting", message: held(row, user) });
          },
          alone: wait.withdraw === true,
        });
      });
      queue.released(place.cid);
      return { id, outcome };
    },

    async edit(message, set, unset = []) {
      needMessageId(message.id);
      const row = unsent(message.id);
      if (row && queue.rewrite(row, { ...set }, unset)) return;
      await change(message, { kind: "edit", set, unset, baseUpdatedAt: message.updated_at });
    },

    async remove(message, how = {}) {
      const row = unsent(message.id);
      if (row && queue.withdraw(row.seq)) return queue.forget(row);
      await change(message, { kind: "delete", hard: how.hard ?? false, forMe: how.forMe ?? false });
    },

    async react(message, type, { score, unique } = {}) {
      needReaction(message.id, type);
      await change(message, {
        kind: "react",
        type,
        ...(score !== undefined && { score }),
        unique: unique ?? false,
      });
    },
    async unreact(message, type) {
      needReaction(message.id, type);
      await change(message, { kind: "unreact", type });
    },

    retry: (messageId) => queue.retry(messageId),
    drop(messageId) {
      const rows = queue.all().filter((row) => row.messageId === messageId);
      for (const row of rows.toReversed()) {
        const taken = queue.withdraw(row.seq, true);
        if (taken) queue.forget(taken);
      }
    },
    drain() {
      if (adoption) adopt();
      queue.drain();
    },
    resume: adopt,
    async close() {
      closed = true;
      unsubscribe();
      clock.clearTimeout(adoption);
      await queue.close();
    },
  };
}
