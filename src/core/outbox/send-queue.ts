/** The send queue of the outbox: one row on the wire a channel, four channels at once, and what each answer leads to (D2–D5, D14). */
import type { Message } from "../../wire/message.ts";
import { AnswerError, LocalError, TransportError } from "../../model/errors.ts";
import { isLasting } from "../../model/obstacles.ts";
import type { Timer } from "../base/ports.ts";
import type { HeldMessage } from "../../model/state.ts";
import { isUnstored } from "../state/unstored.ts";
import type { OutboxRow } from "../store/store.ts";
import { CHANGED_MEANWHILE, checkBase, ID_TAKEN, findById, executeRow } from "./execute-row.ts";
import { createLateEdits } from "./late-edits.ts";
import type { LateAgain } from "./late-edits.ts";
import type { OutboxOptions } from "./outbox.ts";
import { classifyResponse } from "./classify-response.ts";

const CHANNELS_AT_ONCE = 4;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** A refusal's window is not believed to be longer than this, milliseconds (verdict.ts). */
const LONGEST_PARKED = 10 * 60_000;
/** An edit younger than this is sent without looking at its base first (D11). */
const FRESH_EDIT = 5000;

type Waits = NonNullable<HeldMessage["waits"]>;

export interface Watcher {
  settled(message: Message | undefined): void;
  failed(error: Error, row: OutboxRow): void;
  waiting(): void;
  /** Nobody can sign in while this is watched: a refusal that asks for it is final. */
  alone?: boolean;
}

interface ChannelQueue {
  rows: OutboxRow[];
  busy: boolean;
  /** A send was refused: the rows behind it wait for the user (reliability.md §1). */
  held: boolean;
}

export interface SendQueue {
  add(row: OutboxRow, watcher?: Watcher): void;
  has(seq: number): boolean;
  all(): OutboxRow[];
  find(test: (row: OutboxRow) => boolean): OutboxRow | undefined;
  /** The user has acted on the queue: rows behind a refused one go on. */
  released(cid: string): void;
  /** Changes an unsent send in place; false when it may have reached the provider. */
  rewrite(row: OutboxRow, set: Record<string, unknown>, unset: string[]): boolean;
  /** Takes a row out of its queue if it certainly is not at the provider; `force` also when that is unknown. */
  withdraw(seq: number, force?: boolean): OutboxRow | undefined;
  /** Removes a row from disk and state. */
  forget(row: OutboxRow): void;
  retry(messageId: string): void;
  drain(): void;
  close(): Promise<void>;
}

export function createSendQueue(options: OutboxOptions, again: LateAgain): SendQueue {
  const { store, call, machine, clock, random, log } = options;
  const late = createLateEdits({ machine, clock, again });
  const queues = new Map<string, ChannelQueue>();
  const watchers = new Map<number, Watcher>();
  const tries = new Map<number, number>();
  /** Row → number of the last reduction when it was first sent. */
  const asked = new Map<number, number>();
  const calls = new Set<Promise<void>>();
  /** Copies of our messages that the socket showed while the row was on the wire. */
  const shown = new Map<string, Message>();
  /** Row → monotonic moment of its next try: a wall clock that jumps back must not hold a row up (D4). */
  const due = new Map<number, number>();
  /** Action kind → monotonic moment: one refusal a window (D14). */
  const limited = new Map<string, number>();
  let active = 0;
  let closed = false;
  let faulty = false;
  let timer: Timer | undefined;

  const queueOf = (cid: string): ChannelQueue => {
    let queue = queues.get(cid);
    if (!queue) queues.set(cid, (queue = { rows: [], busy: false, held: false }));
    return queue;
  };
  const online = (): boolean => options.online?.() ?? true;
  const rows = (): OutboxRow[] => [...queues.values()].flatMap((queue) => queue.rows);

  function tellCount(): void {
    machine.apply({ kind: "outbox", count: rows().length });
  }

  function mark(row: OutboxRow, waits: Waits): void {
    machine.apply({ kind: "marked", row, waits });
  }

  /** Disk first; a disk that refuses is told, and memory goes on: the row is found again at the next start. */
  function write(run: () => void): void {
    try {
      run();
      if (faulty) machine.apply({ kind: "storage", storage: undefined });
      faulty = false;
    } catch (error) {
      faulty = true;
      log.error("the outbox could not be written", { error: String(error) });
      machine.apply({ kind: "storage", storage: error instanceof Error ? error.message : String(error) });
    }
  }

  function change(row: OutboxRow, next: Partial<OutboxRow>): void {
    Object.assign(row, next);
    if ("notBefore" in next && next.notBefore === undefined) delete row.notBefore;
    if ("notBefore" in next) wait(row);
    if ("error" in next && next.error === undefined) delete row.error;
    write(() => store.update(row.seq, next as Parameters<typeof store.update>[1]));
  }

  /** The row's wall clock as a wait of this process. */
  function wait(row: OutboxRow): void {
    if (row.notBefore === undefined) return void due.delete(row.seq);
    const longest = row.state === "parked" ? LONGEST_PARKED : LONGEST_WAIT;
    due.set(row.seq, clock.monotonic() + Math.min(longest, Math.max(0, row.notBefore - clock.now())));
  }

  function leave(row: OutboxRow): void {
    const queue = queueOf(row.cid);
    queue.rows = queue.rows.filter((each) => each.seq !== row.seq);
    if (queue.rows.length === 0 && !queue.busy) queues.delete(row.cid);
    watchers.delete(row.seq);
    tries.delete(row.seq);
    asked.delete(row.seq);
    due.delete(row.seq);
    shown.delete(row.messageId);
  }

  /** D11: what an own edit changed is the base of the own edits that wait behind it, not somebody else's change. */
  function rebase(row: OutboxRow, message: Message | undefined): void {
    if (row.action.kind !== "edit" || !message) return;
    for (const later of queueOf(row.cid).rows) {
      const { action } = later;
      if (later.messageId !== row.messageId || later.seq <= row.seq || action.kind !== "edit") continue;
      if (action.baseUpdatedAt !== undefined)
        change(later, { action: { ...action, baseUpdatedAt: message.updated_at } });
    }
  }

  function settle(row: OutboxRow, message: Message | undefined, since?: number): void {
    const watcher = watchers.get(row.seq);
    leave(row);
    const { action } = row;
    const kept = action.kind !== "send" || !message || !isUnstored(message, action.message);
    write(() => store.settle(row.seq, kept ? message : undefined));
    machine.apply({
      kind: "settled",
      row,
      ...(message && { message }),
      ...(since !== undefined && { since }),
    });
    tellCount();
    watcher?.settled(message);
  }

  function reject(row: OutboxRow, error: Error, answer?: Message): void {
    const watcher = watchers.get(row.seq);
    watchers.delete(row.seq);
    const { code, status } = error as { code?: unknown; status?: unknown };
    const told = {
      message: error.message,
      ...(typeof code === "number" && { code }),
      ...(typeof status === "number" && { status }),
    };
    const conflict = error.message === CHANGED_MEANWHILE;
    change(row, { state: "failed", error: told, notBefore: undefined });
    machine.apply({ kind: "rejected", row, ...(answer && { answer }) });
    const queue = queueOf(row.cid);
    if (row.action.kind === "send") queue.held = queue.rows.some((each) => each.seq > row.seq);
    else if (!conflict) {
      leave(row);
      write(() => store.remove(row.seq));
    }
    if (row.action.kind !== "send")
      machine.apply({ kind: "notice", notice: { level: "error", text: error.message, origin: "outbox" } });
    tellCount();
    watcher?.failed(error, row);
  }

  function backOff(row: OutboxRow, state: "unknown" | "queued"): void {
    const n = (tries.get(row.seq) ?? 0) + 1;
    tries.set(row.seq, n);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(n - 1, 10)) * (0.5 + random.float() / 2);
    const notBefore = clock.now() + wait;
    change(row, { state, notBefore });
    mark(row, { for: "network", ...(online() && { until: notBefore }) });
  }

  /** A repeat may be answered as the first try was: it knows of nothing that was told since then. */
  function firstTry(row: OutboxRow): number {
    const serial = asked.get(row.seq) ?? (row.tries > 1 ? 0 : machine.revision());
    asked.set(row.seq, serial);
    return serial;
  }

  async function attempt(row: OutboxRow): Promise<void> {
    const me = options.userId();
    let since = machine.revision();
    try {
      if (row.state === "unknown" && row.action.kind === "send") {
        mark(row, { for: "answer" });
        const found = await findById(call, row, me);
        if (found.kind === "ours") return settle(row, found.message, since);
        if (found.kind === "other") return reject(row, new LocalError(ID_TAKEN));
        // Looked up and not there: as good as never sent, until it is sent again.
        change(row, { state: "queued", notBefore: undefined });
        if (closed || !queueOf(row.cid).rows.includes(row)) return;
      }
      const waited = clock.now() - row.createdAt > FRESH_EDIT || row.tries > 0;
      if (row.action.kind === "edit" && waited) {
        const { base, message: found } = await checkBase(call, row, late.isOwn);
        if (base === "done") {
          rebase(row, found);
          late.ended(row, found, row.tries - 1);
          return settle(row, undefined, since);
        }
        if (base === "changed") {
          late.ended(row, undefined, row.tries);
          return reject(row, new LocalError(CHANGED_MEANWHILE));
        }
      }
      change(row, { state: "sending", tries: row.tries + 1, notBefore: undefined, error: undefined });
      mark(row, { for: "answer" });
      since = firstTry(row);
      const message = await executeRow(call, row);
      if (row.action.kind === "send" && message?.type === "error")
        return reject(row, new AnswerError(message.text || "The message was refused"), message);
      rebase(row, message);
      late.ended(row, message, row.tries - 1);
      settle(row, message, since);
    } catch (error) {
      await judge(row, error, since, me);
    }
  }

  async function judge(row: OutboxRow, error: unknown, since: number, me: string | undefined): Promise<void> {
    const seen = shown.get(row.messageId);
    if (seen) return settle(row, seen, since);
    const lookingUp = row.state !== "sending";
    const cooldown = machine.state().channels.get(row.cid)?.channel.cooldown;
    const verdict = classifyResponse(error, {
      kind: row.action.kind,
      tries: row.tries,
      now: clock.now(),
      offset: machine.offset(),
      ...(cooldown !== undefined && { cooldown }),
    });
    const failure = error instanceof Error ? error : new Error(String(error));
    switch (verdict.kind) {
      case "acked":
        return settle(row, undefined, since);
      case "rejected":
        late.ended(row, undefined, row.tries - 1);
        return reject(row, failure);
      case "exists":
        change(row, { state: "unknown", notBefore: undefined });
        return resolveTaken(row, me, failure, since);
      case "unsent":
        // Whoever waits for this one send is told at once what has to be mended first.
        if (
          !lookingUp &&
          failure instanceof TransportError &&
          isLasting(failure.obstacle) &&
          watchers.get(row.seq)?.alone
        )
          return reject(row, failure);
        if (!lookingUp) change(row, { tries: row.tries - 1 });
        return backOff(row, lookingUp && row.state === "unknown" ? "unknown" : "queued");
      case "unknown":
        return backOff(row, lookingUp && row.state === "queued" ? "queued" : "unknown");
      case "parked": {
        const { until } = verdict;
        const unsure = lookingUp && row.state === "unknown";
        if (verdict.for === "signIn" && !unsure && watchers.get(row.seq)?.alone) return reject(row, failure);
        if (verdict.for === "rateLimit" && until !== undefined)
          limited.set(row.action.kind, clock.monotonic() + Math.min(LONGEST_PARKED, until - clock.now()));
        // A refusal is an answer: the provider has not taken it.
        const state = unsure ? "unknown" : "parked";
        const tried = lookingUp ? row.tries : row.tries - 1;
        change(row, { state, tries: tried, notBefore: until, error: { message: failure.message } });
        return mark(row, { for: verdict.for, ...(until !== undefined && { until }) });
      }
    }
  }

  /** R-SEND-9, decisions 18: the id exists; ours means that an earlier try arrived, nothing that it is gone again. */
  async function resolveTaken(
    row: OutboxRow,
    me: string | undefined,
    refusal: Error,
    since: number,
  ): Promise<void> {
    try {
      const found = await findById(call, row, me);
      if (found.kind === "ours") settle(row, found.message, since);
      // The id is taken and nothing stands under it: an earlier try was stored, and deleted for good since.
      else if (found.kind === "none") settle(row, undefined, since);
      else reject(row, refusal);
    } catch {
      backOff(row, "unknown");
    }
  }

  function readyAt(queue: ChannelQueue, now: number): number | undefined {
    if (queue.busy) return undefined;
    const row = next(queue);
    if (!row || queue.held) return undefined;
    if (row.state === "parked" && row.notBefore === undefined) return undefined;
    const limit = limited.get(row.action.kind) ?? 0;
    return Math.max(due.get(row.seq) ?? now, limit > now ? limit : now);
  }

  const next = (queue: ChannelQueue): OutboxRow | undefined =>
    queue.rows.find((row) => row.state !== "failed");

  function pump(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    if (closed) return;
    const now = clock.monotonic();
    let soonest: number | undefined;
    for (const queue of [...queues.values()].toSorted(
      (a, b) => (a.rows[0]?.seq ?? 0) - (b.rows[0]?.seq ?? 0),
    )) {
      const at = readyAt(queue, now);
      if (at === undefined) continue;
      const row = next(queue)!;
      if (at > now) soonest = Math.min(soonest ?? at, at);
      else if (!online()) {
        mark(row, { for: options.refused?.() ? "signIn" : "network" });
        soonest = Math.min(soonest ?? Infinity, now + LONGEST_WAIT / 6);
      } else if (active < CHANNELS_AT_ONCE) start(queue, row);
    }
    if (soonest !== undefined)
      timer = clock.setTimeout(pump, Math.min(Math.max(1, soonest - now), LONGEST_WAIT));
  }

  function start(queue: ChannelQueue, row: OutboxRow): void {
    queue.busy = true;
    active += 1;
    const run = attempt(row)
      .catch((error: unknown) => log.error("an outbox row failed unexpectedly", { error: String(error) }))
      .finally(() => {
        queue.busy = false;
        active -= 1;
        calls.delete(run);
        if (queue.rows.length === 0) queues.delete(row.cid);
        pump();
      });
    calls.add(run);
  }

  const unlisten = ["message.new", "notification.message_new"].map((type) =>
    machine.on(type, (event) => {
      const message = event.message as Message | undefined;
      if (!message || message.user?.id !== options.userId()) return;
      const row = rows().find((each) => each.messageId === message.id && each.action.kind === "send");
      if (!row) return;
      // D3: the copy counts as the acknowledgement; a reply on its way still may correct it.
      if (queueOf(row.cid).busy && next(queueOf(row.cid)) === row) shown.set(message.id, message);
      else if (row.tries > 0) {
        settle(row, message);
        pump();
      }
    }),
  );

  return {
    add(row, watcher) {
      const queue = queueOf(row.cid);
      if (queue.rows.some((each) => each.seq === row.seq)) return;
      queue.rows = [...queue.rows, row].toSorted((a, b) => a.seq - b.seq);
      wait(row);
      if (watcher) watchers.set(row.seq, watcher);
      tellCount();
      if (row.state !== "failed") mark(row, { for: row.state === "unknown" ? "answer" : "turn" });
      queueMicrotask(pump);
    },
    has: (seq) => rows().some((row) => row.seq === seq),
    all: rows,
    find: (test) => rows().find(test),
    released(cid) {
      const queue = queues.get(cid);
      if (queue) queue.held = false;
      queueMicrotask(pump);
    },
    rewrite(row, set, unset) {
      const queue = queueOf(row.cid);
      if (row.action.kind !== "send" || (queue.busy && next(queue) === row)) return false;
      if (row.state !== "failed" && (row.tries > 0 || row.state !== "queued")) return false;
      const message = { ...row.action.message, ...set, id: row.messageId } as typeof row.action.message;
      for (const key of unset) delete (message as unknown as Record<string, unknown>)[key];
      machine.apply({ kind: "dropped", row });
      change(row, { action: { ...row.action, message } });
      const user = machine.state().me ?? { id: options.userId() ?? "" };
      machine.apply({ kind: "queued", row, user, fresh: false });
      return true;
    },
    withdraw(seq, force = false) {
      const row = rows().find((each) => each.seq === seq);
      if (!row) return undefined;
      const queue = queueOf(row.cid);
      if (queue.busy && next(queue) === row) return undefined;
      const certain = row.state === "failed" || row.tries === 0 || row.state === "queued";
      if (!certain && !force) return undefined;
      leave(row);
      return row;
    },
    forget(row) {
      leave(row);
      write(() => store.remove(row.seq));
      machine.apply({ kind: "dropped", row });
      tellCount();
      const queue = queues.get(row.cid);
      if (queue) queue.held = false;
      queueMicrotask(pump);
    },
    retry(messageId) {
      for (const row of rows().filter((each) => each.messageId === messageId)) {
        const queue = queueOf(row.cid);
        if (queue.busy && next(queue) === row) continue;
        const state = row.state === "failed" ? "queued" : row.state === "parked" ? "queued" : row.state;
        const { action } = row;
        if (action.kind === "edit" && row.state === "failed") {
          const { baseUpdatedAt: _, ...rest } = action;
          change(row, { action: rest });
        }
        const wasFailed = row.state === "failed";
        change(row, { state, notBefore: undefined, error: undefined });
        limited.delete(action.kind);
        if (wasFailed && action.kind !== "send")
          machine.apply({
            kind: "queued",
            row,
            user: machine.state().me ?? { id: options.userId() ?? "" },
            fresh: false,
          });
        mark(row, { for: "turn" });
        queue.held = false;
      }
      pump();
    },
    drain() {
      for (const row of rows()) {
        const waitsForLink = row.state === "unknown" || row.state === "queued";
        const waitsForSignIn = row.state === "parked" && row.notBefore === undefined;
        if (waitsForLink && row.notBefore !== undefined) {
          delete row.notBefore;
          due.delete(row.seq);
          tries.delete(row.seq);
        }
        if (waitsForSignIn) change(row, { state: "queued" });
      }
      pump();
    },
    async close() {
      closed = true;
      for (const stop of unlisten) stop();
      late.close();
      clock.clearTimeout(timer);
      await Promise.allSettled(calls);
      for (const watcher of watchers.values()) watcher.waiting();
      watchers.clear();
    },
  };
}
