/** Marks channels read and unread, each at most once a second, and retries failed marks (R-READ-3, R-READ-6, D8). */
import { MARK_READ_THROTTLE } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import { ApiError } from "../../model/errors.ts";
import { heldIn } from "../../model/select.ts";
import type { ChannelEntry } from "../../model/state.ts";
import { isLocal } from "../../model/message-state.ts";
import { KeyedThrottle } from "../base/keyed-throttle.ts";
import type { Timer } from "../base/ports.ts";
import { partsOf } from "../base/validate-call.ts";
import { isTransient } from "../http/transient.ts";
import type { StateMachine } from "../state/machine.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import type { Services } from "../http/services.ts";

/** Longest pause between two retries, milliseconds. */
const MAX_PAUSE = 30_000;

/** A received message that was on screen. */
interface SeenMessage {
  id: string;
  createdAt: string;
}

/** A mark whose call failed. */
interface FailedMark {
  cid: string;
  upTo: SeenMessage | undefined;
  /** Number of failed tries. */
  tries: number;
  /** The message was deleted: `upTo` is the one before it. */
  deleted: boolean;
  /** Set when the mark was made; it is dropped when the generation of the channel has changed. */
  generation: string;
}

interface ReadMarksDeps extends Pick<Services, "call" | "clock" | "log" | "userId"> {
  machine: Pick<StateMachine, "state" | "apply">;
}

export class ReadMarks {
  readonly #deps: ReadMarksDeps;
  readonly #throttle: KeyedThrottle;
  /** Channel → its failed mark and the timer of the retry. */
  readonly #retries = new Map<string, FailedMark & { timer: Timer }>();
  /** Incremented when the user changes: failed marks of the previous user are dropped. */
  #users = 0;
  /** Channel → the message up to which it was last seen; undefined: all of it. */
  readonly #seenUpTo = new Map<string, SeenMessage | undefined>();
  /** Channel → how often it was marked unread: this cancels earlier read marks. */
  readonly #unreadCounts = new Map<string, number>();

  constructor(deps: ReadMarksDeps) {
    this.#deps = deps;
    this.#throttle = new KeyedThrottle(deps.clock, MARK_READ_THROTTLE);
  }

  /** The channel has been read to its newest message, or up to `messageId`, where later ones stay unread. */
  seen(cid: string, messageId?: string): void {
    const { machine } = this.#deps;
    const entry = machine.state().channels.get(cid);
    if (!entry || entry.keepsUnread || (entry.unread === 0 && entry.mentions === 0)) return;
    const upTo = messageId === undefined ? undefined : this.#unreadMessage(entry, messageId);
    if (messageId !== undefined && !upTo) return;
    this.#seenUpTo.set(cid, upTo);
    machine.apply({ kind: "seen", cid, ...(upTo && { upTo: upTo.createdAt }) });
    if (entry.channel.config?.read_events === false) return;
    this.#throttle.run(cid, () => this.#send(cid));
  }

  /** A held message that is later than the last mark, made or under way. */
  #unreadMessage(entry: ChannelEntry, id: string): SeenMessage | undefined {
    const message = heldIn(this.#deps.machine.state(), { cid: entry.cid }, id);
    if (!message || isLocal(message)) return undefined;
    const read = entry.read.get(this.#deps.userId() ?? "")?.last_read;
    const sent = this.#seenUpTo.get(entry.cid)?.createdAt;
    const isNewer = (at: string | undefined): boolean => compareTimes(message.created_at, at) > 0;
    return isNewer(read) && isNewer(sent) ? { id, createdAt: message.created_at } : undefined;
  }

  onLeft(cid: string): void {
    this.#deps.machine.apply({ kind: "channelClosed", cid });
  }

  async markRead(cid: string): Promise<void> {
    const reply = await this.#deps.call("markRead", { path: partsOf(cid), body: {} });
    if (!reply.event) this.#deps.machine.apply({ kind: "seen", cid });
    this.#accepted(cid, reply.event ? undefined : this.#newestOf(cid), reply);
  }

  async markUnread(cid: string, messageId: string): Promise<void> {
    const { call, machine } = this.#deps;
    // Cancels a read mark that was sent or failed: it is not retried, and its answer is ignored (D8).
    this.#unreadCounts.set(cid, (this.#unreadCounts.get(cid) ?? 0) + 1);
    this.#dropRetry(cid);
    this.#seenUpTo.delete(cid);
    this.#throttle.cancelPending(cid);
    machine.apply({ kind: "readMarkDropped", cid });
    try {
      await call("markUnread", { path: partsOf(cid), body: { message_id: messageId } });
    } catch (error) {
      machine.apply({ kind: "readUnknown", cid });
      throw error;
    }
  }

  /**
   * Retries failed marks at once after a recovery. Not earlier: a page requested before the recovery would undo the mark
   * (D8). A mark made within the last second keeps its pause, because it may be the failed one itself.
   */
  onEvent({ type }: AnyEvent): void {
    if (type !== "connection.recovered") return;
    for (const failed of Array.from(this.#retries.values()))
      if (!this.#throttle.isRecent(failed.cid)) this.#retry(failed);
  }

  reset(): void {
    this.#users += 1;
    for (const cid of Array.from(this.#retries.keys())) this.#dropRetry(cid);
    this.#throttle.clear();
    this.#seenUpTo.clear();
  }

  #send(cid: string): void {
    const part = this.#seenUpTo.get(cid);
    const upTo = part ?? this.#newestOf(cid);
    const body = part ? { message_id: part.id } : {};
    const mark = { cid, upTo, tries: 0, deleted: false, generation: this.#generationOf(cid) };
    this.#deps.call("markRead", { path: partsOf(cid), body }).then(
      (reply) => this.#accepted(cid, upTo, reply),
      (error: Error) => this.#failed(mark, error),
    );
  }

  #generationOf(cid: string): string {
    return `${this.#users} ${this.#unreadCounts.get(cid) ?? 0}`;
  }

  #dropRetry(cid: string): void {
    this.#deps.clock.clearTimeout(this.#retries.get(cid)?.timer);
    this.#retries.delete(cid);
  }

  /** The newest loaded message that the provider has, optionally before a time. */
  #newestOf(cid: string, before?: string): SeenMessage | undefined {
    const entry = this.#deps.machine.state().channels.get(cid);
    const latest = entry?.sets.find((set) => set.isLatest)?.messages;
    for (let i = (latest?.length ?? 0) - 1; i >= 0; i--) {
      const message = latest!.at(i)!;
      if (before !== undefined && compareTimes(message.created_at, before) >= 0) continue;
      if (!isLocal(message)) return { id: message.id, createdAt: message.created_at };
    }
    return undefined;
  }

  /** The answer tells how far the channel is read: messages that arrived meanwhile stay unread (D8). */
  #accepted(cid: string, upTo: SeenMessage | undefined, reply: { event?: AnyEvent }): void {
    const { created_at, last_read_message_id: messageId } = (reply.event ?? {}) as Record<string, unknown>;
    const at = typeof created_at === "string" ? created_at : upTo?.createdAt;
    if (at === undefined) return this.#giveUp(cid, upTo);
    this.#dropRetryUpTo(cid, at);
    this.#deps.machine.apply({
      kind: "readAccepted",
      cid,
      at,
      ...(typeof messageId === "string" && { messageId }),
    });
  }

  #giveUp(cid: string, upTo: SeenMessage | undefined): void {
    if (upTo) this.#dropRetryUpTo(cid, upTo.createdAt);
    this.#deps.machine.apply({ kind: "readMarkDropped", cid, ...(upTo && { upTo: upTo.createdAt }) });
  }

  /** Drops a failed mark up to this time; a later failed mark is still retried (D8). */
  #dropRetryUpTo(cid: string, at: string): void {
    const later = this.#retries.get(cid)?.upTo;
    if (later === undefined || compareTimes(later.createdAt, at) <= 0) this.#dropRetry(cid);
  }

  /** D8: a failed mark is retried up to the message that was on screen then, and no further. */
  #failed({ cid, upTo, tries, generation }: FailedMark, error: Error): void {
    this.#deps.log.debug("marking read failed", { error: error.message });
    if (generation !== this.#generationOf(cid)) return;
    // The message may have been hard deleted since: the one before it was seen too.
    const deleted = error instanceof ApiError && error.code === INPUT_ERROR;
    const before = deleted && upTo ? this.#newestOf(cid, upTo.createdAt) : upTo;
    const newer = deleted && this.#deps.machine.state().channels.get(cid)?.unread;
    if (!(isTransient(error) || deleted) || (before === undefined && newer !== 0))
      return this.#giveUp(cid, upTo);
    this.#scheduleRetry({ cid, upTo: before, deleted, tries: tries + 1, generation });
  }

  /** Retries after a pause; of two failed marks of a channel only the later one. */
  #scheduleRetry(failed: FailedMark): void {
    const { cid, upTo } = failed;
    const other = this.#retries.get(cid)?.upTo;
    const later = upTo && other && compareTimes(other.createdAt, upTo.createdAt) > 0 ? other : upTo;
    this.#dropRetry(cid);
    const mark = { ...failed, upTo: later };
    const pause = Math.min(MAX_PAUSE, MARK_READ_THROTTLE * 2 ** failed.tries);
    const timer = this.#deps.clock.setTimeout(() => this.#retry(mark), pause);
    this.#retries.set(cid, { ...mark, timer });
  }

  #retry(failed: FailedMark): void {
    const { cid, upTo, deleted, generation } = failed;
    // A later mark was sent or is due; it covers this one, and if it fails it is scheduled itself.
    if (this.#throttle.isRecent(cid)) return;
    this.#dropRetry(cid);
    // The message was deleted and nothing is unread: mark the whole channel.
    const isWholeChannel = deleted && this.#deps.machine.state().channels.get(cid)?.unread === 0;
    const body = isWholeChannel || upTo === undefined ? {} : { message_id: upTo.id };
    this.#deps.call("markRead", { path: partsOf(cid), body }).then(
      (reply) => {
        if (generation === this.#generationOf(cid)) this.#accepted(cid, upTo, reply);
      },
      (error: Error) => this.#failed(failed, error),
    );
  }
}
