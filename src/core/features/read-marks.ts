/** Marks channels read and unread, each at most once a second, and repeats a mark that was lost (R-READ-3, R-READ-6, D8). */
import { MARK_READ_THROTTLE } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import { ApiError } from "../../model/errors.ts";
import { isLocal } from "../../model/message-state.ts";
import { KeyedThrottle } from "../base/keyed-throttle.ts";
import type { Timer } from "../base/ports.ts";
import { partsOf } from "../base/validate-call.ts";
import { isTransient } from "../http/transient.ts";
import type { StateMachine } from "../state/machine.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import type { Services } from "../http/services.ts";

/** Milliseconds between two tries of a lost mark at most. */
const LONGEST_WAIT = 30_000;

/** A message of the provider that was on screen. */
interface Seen {
  id: string;
  createdAt: string;
}

/** A mark that did not arrive. */
interface Lost {
  cid: string;
  upTo: Seen | undefined;
  /** How many tries came before. */
  tries: number;
  /** Its message is gone: it names the one before it. */
  gone: boolean;
  /** The user and the turn of the channel that it was made in. */
  turn: string;
}

interface ReadMarksDeps extends Pick<Services, "call" | "clock" | "log"> {
  machine: Pick<StateMachine, "state" | "apply">;
}

export class ReadMarks {
  readonly #deps: ReadMarksDeps;
  /** By channel. */
  readonly #throttle: KeyedThrottle;
  /** Marks that did not arrive and will be made again. */
  readonly #owed = new Map<string, Lost & { timer: Timer }>();
  /** Counts users: what was owed for one is not paid for the next. */
  #users = 0;
  /** Channel → how often it was marked unread: a read mark of before is void then. */
  readonly #turns = new Map<string, number>();

  constructor(deps: ReadMarksDeps) {
    this.#deps = deps;
    this.#throttle = new KeyedThrottle(deps.clock, MARK_READ_THROTTLE);
  }

  /** The channel is on screen at its newest message. */
  seen(cid: string): void {
    const { machine } = this.#deps;
    const entry = machine.state().channels.get(cid);
    if (!entry || entry.heldUnread || (entry.unread === 0 && entry.mentions === 0)) return;
    machine.apply({ kind: "seen", cid });
    if (entry.channel.config?.read_events === false) return;
    this.#throttle.run(cid, () => this.#send(cid));
  }

  /** The user looks elsewhere. */
  left(cid: string): void {
    this.#deps.machine.apply({ kind: "left", cid });
  }

  async markRead(cid: string): Promise<void> {
    const reply = await this.#deps.call("markRead", { path: partsOf(cid), body: {} });
    if (!reply.event) this.#deps.machine.apply({ kind: "seen", cid });
    this.#taken(cid, reply.event ? undefined : this.#newestOf(cid), reply);
  }

  async markUnread(cid: string, messageId: string): Promise<void> {
    const { call, machine } = this.#deps;
    // What is on its way the other way is taken back: it is neither made again nor held against the provider (D8).
    this.#turns.set(cid, (this.#turns.get(cid) ?? 0) + 1);
    this.#forgive(cid);
    this.#throttle.callOff(cid);
    machine.apply({ kind: "readGivenUp", cid });
    try {
      await call("markUnread", { path: partsOf(cid), body: { message_id: messageId } });
    } catch (error) {
      machine.apply({ kind: "readUnknown", cid });
      throw error;
    }
  }

  /**
   * After a recovery lost marks are made at once: their pauses were for a link that is no longer broken. Not before what
   * was missed is in: a page asked for earlier would take the mark back (D8). A mark of the last second keeps its pause,
   * it may be the lost one itself.
   */
  heard({ type }: AnyEvent): void {
    if (type !== "connection.recovered") return;
    for (const lost of Array.from(this.#owed.values()))
      if (!this.#throttle.isRecent(lost.cid)) this.#retry(lost);
  }

  /** Ends the timers; what was owed is owed no longer. */
  forget(): void {
    this.#users += 1;
    for (const cid of Array.from(this.#owed.keys())) this.#forgive(cid);
    this.#throttle.clear();
  }

  #send(cid: string): void {
    const upTo = this.#newestOf(cid);
    const mine = { cid, upTo, tries: 0, gone: false, turn: this.#turnOf(cid) };
    this.#deps.call("markRead", { path: partsOf(cid), body: {} }).then(
      (reply) => this.#taken(cid, upTo, reply),
      (error: Error) => this.#failed(mine, error),
    );
  }

  #turnOf(cid: string): string {
    return `${this.#users} ${this.#turns.get(cid) ?? 0}`;
  }

  #forgive(cid: string): void {
    this.#deps.clock.clearTimeout(this.#owed.get(cid)?.timer);
    this.#owed.delete(cid);
  }

  /** The newest message of the provider that is held, or the newest of those before a moment. */
  #newestOf(cid: string, before?: string): Seen | undefined {
    const entry = this.#deps.machine.state().channels.get(cid);
    const latest = entry?.sets.find((set) => set.isLatest)?.messages;
    for (let i = (latest?.length ?? 0) - 1; i >= 0; i--) {
      const message = latest!.at(i)!;
      if (before !== undefined && compareTimes(message.created_at, before) >= 0) continue;
      if (!isLocal(message)) return { id: message.id, createdAt: message.created_at };
    }
    return undefined;
  }

  /** The answer says how far the provider took it: what came meanwhile is not read (D8). */
  #taken(cid: string, upTo: Seen | undefined, reply: { event?: AnyEvent }): void {
    const { created_at, last_read_message_id: messageId } = (reply.event ?? {}) as Record<string, unknown>;
    const at = typeof created_at === "string" ? created_at : upTo?.createdAt;
    if (at === undefined) return this.#givenUp(cid, upTo);
    this.#paid(cid, at);
    this.#deps.machine.apply({
      kind: "readTaken",
      cid,
      at,
      ...(typeof messageId === "string" && { messageId }),
    });
  }

  #givenUp(cid: string, upTo: Seen | undefined): void {
    if (upTo) this.#paid(cid, upTo.createdAt);
    this.#deps.machine.apply({ kind: "readGivenUp", cid, ...(upTo && { upTo: upTo.createdAt }) });
  }

  /** Ends what is owed up to this moment: a later mark that was lost is still to be made (D8). */
  #paid(cid: string, at: string): void {
    const later = this.#owed.get(cid)?.upTo;
    if (later === undefined || compareTimes(later.createdAt, at) <= 0) this.#forgive(cid);
  }

  /** D8: a mark that was lost is made again, up to the message that was on screen then and no further. */
  #failed({ cid, upTo, tries, turn }: Lost, error: Error): void {
    this.#deps.log.debug("marking read failed", { error: error.message });
    if (turn !== this.#turnOf(cid)) return;
    // The message may have been deleted for good since: what stood before it was seen too.
    const gone = error instanceof ApiError && error.code === INPUT_ERROR;
    const before = gone && upTo ? this.#newestOf(cid, upTo.createdAt) : upTo;
    const newer = gone && this.#deps.machine.state().channels.get(cid)?.unread;
    if (!(isTransient(error) || gone) || (before === undefined && newer !== 0))
      return this.#givenUp(cid, upTo);
    this.#owe({ cid, upTo: before, gone, tries: tries + 1, turn });
  }

  /** Makes the mark again after a pause; of two that were lost the later one. */
  #owe(lost: Lost): void {
    const { cid, upTo } = lost;
    const other = this.#owed.get(cid)?.upTo;
    const later = upTo && other && compareTimes(other.createdAt, upTo.createdAt) > 0 ? other : upTo;
    this.#forgive(cid);
    const owed = { ...lost, upTo: later };
    const pause = Math.min(LONGEST_WAIT, MARK_READ_THROTTLE * 2 ** lost.tries);
    const timer = this.#deps.clock.setTimeout(() => this.#retry(owed), pause);
    this.#owed.set(cid, { ...owed, timer });
  }

  #retry(lost: Lost): void {
    const { cid, upTo, gone, turn } = lost;
    // A later mark is on its way or due: it says more, and when it is lost it is owed beside this one.
    if (this.#throttle.isRecent(cid)) return;
    this.#forgive(cid);
    // Without a message that is left, and with nothing unseen, the whole channel was seen.
    const whole = gone && this.#deps.machine.state().channels.get(cid)?.unread === 0;
    const body = whole || upTo === undefined ? {} : { message_id: upTo.id };
    this.#deps.call("markRead", { path: partsOf(cid), body }).then(
      (reply) => {
        if (turn === this.#turnOf(cid)) this.#taken(cid, upTo, reply);
      },
      (error: Error) => this.#failed(lost, error),
    );
  }
}
