/** Long polling: sessions that hold their events until a poll fetches them (specification/realtime.md §11). */
import type { ServerResponse } from "node:http";
import {
  CLOSE_NORMAL,
  LONGPOLL_HOLD,
  LONGPOLL_QUEUE,
  LONGPOLL_SESSION_EXPIRY,
} from "../../wire/constants.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { ClientConnection, ClientLink, Packet } from "./hub.ts";
import type { Sessions } from "./sessions.ts";

/** JSON texts of an answer: `event` is the first frame. */
export interface PollAnswer {
  event?: string;
  events?: string[];
  /** Number of the newest event handed out in this session, for those who count. */
  last?: number;
}

type Handed = Required<Pick<PollAnswer, "events" | "last">>;

/** A poll that is held: what answers it, and what happens when its client goes away. */
interface Held {
  answer: Promise<Handed>;
  gone(): void;
}

/** The answer as JSON. */
export function pollJson({ event, events, last }: PollAnswer, duration: string): string {
  const parts = [
    ...(event === undefined ? [] : [`"event":${event}`]),
    ...(events ? [`"events":[${events.join(",")}]`] : []),
    ...(last === undefined ? [] : [`"last":${last}`]),
    `"duration":"${duration}"`,
  ];
  return `{${parts.join(",")}}`;
}

/** The poll that is held. */
interface Waiting {
  answer(handed: Handed): void;
  hold: ProviderTimer;
}

class Session implements ClientLink {
  connection: ClientConnection | undefined;
  /** Events that nobody is known to have; the first of them has number `taken` + 1. */
  #queue: Packet[] = [];
  #taken = 0;
  /** Number of the newest event handed out. */
  #handed = 0;
  #waiting: Waiting | undefined;
  #scheduled = false;
  #expiry: ProviderTimer;
  readonly #clock: ProviderClock;
  readonly #ended: () => void;

  constructor(clock: ProviderClock, ended: () => void) {
    this.#clock = clock;
    this.#ended = ended;
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
    if (!this.#waiting || this.#scheduled) return;
    this.#scheduled = true;
    // The rest of this turn's events travel in the same answer.
    setImmediate(() => {
      this.#scheduled = false;
      this.#answer();
    });
  }

  /** Answers the held poll with everything, or with nothing when another has taken its place. */
  #answer(all = true): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    waiting.hold.cancel();
    this.#expiry.cancel();
    this.#expiry = this.#expire();
    if (all) this.#handed = this.#taken + this.#queue.length;
    waiting.answer({ events: all ? this.#queue.map((packet) => packet.text) : [], last: this.#handed });
  }

  /**
   * One poll at a time: a second one answers the first with nothing. `after` is the number of the newest event that the
   * client has: what was handed out later, and lost, is handed out again. A client that does not say has everything.
   */
  poll(after = this.#handed): Held {
    this.#answer(false);
    this.#expiry.cancel();
    const known = Math.min(Math.max(after, this.#taken), this.#handed);
    this.#queue.splice(0, known - this.#taken);
    this.#taken = known;
    let mine: Waiting | undefined;
    const answer = new Promise<Handed>((resolve) => {
      const hold = this.#clock.after(LONGPOLL_HOLD, () => this.#answer());
      this.#waiting = mine = { answer: resolve, hold };
      if (this.#queue.length) this.#answer();
    });
    // Its client went away: what it would have got waits for the next one.
    return { answer, gone: () => this.#waiting === mine && this.#answer(false) };
  }

  close(_code?: number, _error?: string): void {
    this.#expiry.cancel();
    this.#answer();
    this.#expiry.cancel();
    this.#ended();
  }
}

/** `after` of a poll; anything but a whole number says nothing. */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export class LongPolls {
  readonly #sessions: Sessions;
  readonly #clock: ProviderClock;
  readonly #open = new Map<string, Session>();

  constructor(sessions: Sessions, clock: ProviderClock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /** `query.connection_id` absent opens a session, else polls or, with `close=true`, ends it. Throws an `ApiProblem`. */
  async handle(
    caller: Caller,
    query: Record<string, string>,
    payload: () => Record<string, unknown>,
    response: ServerResponse,
  ): Promise<PollAnswer> {
    const id = query.connection_id;
    if (!id) return this.#begin(caller, payload());
    const session = this.#open.get(id);
    const connection = session?.connection;
    if (!session || !connection || connection.userId !== caller.userId)
      throw ApiProblem.notFound("long-poll session is unknown or expired");
    if (query.close === "true") {
      session.close(CLOSE_NORMAL);
      return {};
    }
    this.#sessions.renewed(connection, caller);
    const after = numberOf(query.after);
    const { answer, gone } = session.poll(after);
    response.once("close", gone);
    const { events, last } = await answer;
    response.off("close", gone);
    return after === undefined ? { events } : { events, last };
  }

  async #begin(caller: Caller, payload: Record<string, unknown>): Promise<PollAnswer> {
    const session = new Session(this.#clock, () => {
      const { connection } = session;
      if (!connection) return;
      this.#open.delete(connection.id);
      this.#sessions.closed(connection);
    });
    let event: string | undefined;
    try {
      await this.#sessions.open(caller, payload, session, (connection, frame) => {
        session.connection = connection;
        this.#open.set(connection.id, session);
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
