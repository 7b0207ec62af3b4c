/** Long polling: sessions that queue their events until a poll fetches them (specification/realtime.md §11). */
import type { ServerResponse } from "node:http";
import {
  CLOSE_NORMAL,
  LONGPOLL_HOLD,
  LONGPOLL_QUEUE,
  LONGPOLL_SESSION_EXPIRY,
} from "../../wire/constants.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import { asFlag } from "../../wire/absent.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { ClientConnection, ClientLink, Packet } from "./hub.ts";
import type { Sessions } from "./sessions.ts";

/** JSON texts of an answer; `event` is the first frame. */
export interface PollAnswer {
  event?: string;
  events?: string[];
  /** Number of the newest event sent in this session, for clients that pass `after`. */
  last?: number;
}

type SentEvents = Required<Pick<PollAnswer, "events" | "last">>;

/** A poll in progress; `onDisconnect` is called when its client disconnects. */
interface OpenPoll {
  answer: Promise<SentEvents>;
  onDisconnect(): void;
}

export function pollJson({ event, events, last }: PollAnswer, duration: string): string {
  const parts = [
    ...(event === undefined ? [] : [`"event":${event}`]),
    ...(events ? [`"events":[${events.join(",")}]`] : []),
    ...(last === undefined ? [] : [`"last":${last}`]),
    `"duration":"${duration}"`,
  ];
  return `{${parts.join(",")}}`;
}

/** How to answer the poll in progress, and the timer that answers it when no event comes. */
interface PendingPoll {
  answer(sent: SentEvents): void;
  timeout: ProviderTimer;
}

class Session implements ClientLink {
  connection: ClientConnection | undefined;
  /** Events not confirmed by the client; the first has number `#confirmed` + 1. */
  #queue: Packet[] = [];
  #confirmed = 0;
  #lastSent = 0;
  #pending: PendingPoll | undefined;
  #scheduled = false;
  #expiry: ProviderTimer;
  readonly #clock: ProviderClock;
  readonly #onClose: () => void;

  constructor(clock: ProviderClock, onClose: () => void) {
    this.#clock = clock;
    this.#onClose = onClose;
    this.#expiry = this.#expire();
  }

  get backlog(): number {
    return this.#queue.length;
  }

  #expire(): ProviderTimer {
    return this.#clock.after(LONGPOLL_SESSION_EXPIRY, () => this.close(CLOSE_NORMAL));
  }

  send(packet: Packet): void {
    this.#queue.push(packet);
    if (this.#queue.length > LONGPOLL_QUEUE) return this.close();
    if (!this.#pending || this.#scheduled) return;
    this.#scheduled = true;
    // Waits a turn, so that all events of this turn are sent in one answer.
    setImmediate(() => {
      this.#scheduled = false;
      this.#answer();
    });
  }

  /** Answers the poll in progress with all queued events, or with none when another poll replaces it. */
  #answer(all = true): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    pending.timeout.cancel();
    this.#expiry.cancel();
    this.#expiry = this.#expire();
    if (all) this.#lastSent = this.#confirmed + this.#queue.length;
    pending.answer({ events: all ? this.#queue.map((packet) => packet.text) : [], last: this.#lastSent });
  }

  /**
   * One poll at a time: a second one ends the first without events. `after` is the number of the newest event that the client
   * has received; later events are sent again. Without it, all sent events count as received.
   */
  poll(after = this.#lastSent): OpenPoll {
    this.#answer(false);
    this.#expiry.cancel();
    const confirmed = Math.min(Math.max(after, this.#confirmed), this.#lastSent);
    this.#queue.splice(0, confirmed - this.#confirmed);
    this.#confirmed = confirmed;
    let poll: PendingPoll | undefined;
    const answer = new Promise<SentEvents>((resolve) => {
      const timeout = this.#clock.after(LONGPOLL_HOLD, () => this.#answer());
      this.#pending = poll = { answer: resolve, timeout };
      if (this.#queue.length) this.#answer();
    });
    // When the client disconnects, its events stay queued for the next poll.
    return { answer, onDisconnect: () => this.#pending === poll && this.#answer(false) };
  }

  close(_code?: number, _error?: string): void {
    this.#expiry.cancel();
    this.#answer();
    this.#expiry.cancel();
    this.#onClose();
  }
}

/** Parses `after` of a poll; undefined unless it is a whole number. */
function parseAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export class LongPolls {
  readonly #sessions: Sessions;
  readonly #clock: ProviderClock;
  readonly #byConnection = new Map<string, Session>();

  constructor(sessions: Sessions, clock: ProviderClock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /** Opens a session without `query.connection_id`; otherwise polls it or, with `close=true`, ends it. Throws an `ApiProblem`. */
  async handle(
    caller: Caller,
    query: Record<string, string>,
    payload: () => Record<string, unknown>,
    response: ServerResponse,
  ): Promise<PollAnswer> {
    const id = query.connection_id;
    if (!id) return this.#open(caller, payload());
    const session = this.#byConnection.get(id);
    const connection = session?.connection;
    if (!session || !connection || connection.userId !== caller.userId)
      throw ApiProblem.notFound("long-poll session is unknown or expired");
    if (asFlag(query.close)) {
      session.close(CLOSE_NORMAL);
      return {};
    }
    this.#sessions.renewToken(connection, caller);
    const after = parseAfter(query.after);
    const { answer, onDisconnect } = session.poll(after);
    response.once("close", onDisconnect);
    const { events, last } = await answer;
    response.off("close", onDisconnect);
    return after === undefined ? { events } : { events, last };
  }

  async #open(caller: Caller, payload: Record<string, unknown>): Promise<PollAnswer> {
    const session = new Session(this.#clock, () => {
      const { connection } = session;
      if (!connection) return;
      this.#byConnection.delete(connection.id);
      this.#sessions.onClosed(connection);
    });
    let event: string | undefined;
    try {
      await this.#sessions.open(caller, payload, session, (connection, frame) => {
        session.connection = connection;
        this.#byConnection.set(connection.id, session);
        event = frame.text;
        connection.begin(undefined);
      });
    } catch (error) {
      session.close();
      throw error;
    }
    return { event: event!, events: [] };
  }
}
