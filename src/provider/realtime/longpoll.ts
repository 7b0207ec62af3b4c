/** Long polling: sessions that hold their events until a poll fetches them (realtime.md §11). */
import type { ServerResponse } from "node:http";
import {
  CLOSE_NORMAL,
  LONGPOLL_HOLD,
  LONGPOLL_QUEUE,
  LONGPOLL_SESSION_EXPIRY,
} from "../../wire/constants.ts";
import { Refusal } from "../handler.ts";
import type { Caller } from "../handler.ts";
import type { ProviderClock, Timer } from "../life/clock.ts";
import type { Connection, Link, Packet } from "./hub.ts";
import type { Sessions } from "./sessions.ts";

/** JSON texts of an answer: `event` is the first frame. */
export interface PollAnswer {
  event?: string;
  events?: string[];
  error?: string;
}

class Session implements Link {
  connection: Connection | undefined;
  private queue: Packet[] = [];
  private waiting: { answer(events: string[]): void; hold: Timer } | undefined;
  private scheduled = false;
  private expiry: Timer;
  private readonly clock: ProviderClock;
  private readonly ended: () => void;

  constructor(clock: ProviderClock, ended: () => void) {
    this.clock = clock;
    this.ended = ended;
    this.expiry = this.expire();
  }

  get backlog(): number {
    return this.queue.length;
  }

  private expire(): Timer {
    return this.clock.after(LONGPOLL_SESSION_EXPIRY, () => this.close(CLOSE_NORMAL));
  }

  send(packet: Packet): void {
    this.queue.push(packet);
    if (this.queue.length > LONGPOLL_QUEUE) return this.close();
    if (!this.waiting || this.scheduled) return;
    this.scheduled = true;
    // The rest of this turn's events travel in the same answer.
    setImmediate(() => {
      this.scheduled = false;
      this.answer();
    });
  }

  private answer(): void {
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = undefined;
    waiting.hold.cancel();
    this.expiry.cancel();
    this.expiry = this.expire();
    const events = this.queue.map((packet) => packet.text);
    this.queue = [];
    waiting.answer(events);
  }

  /** One poll at a time: a second one answers the first with what there is. */
  poll(): Promise<string[]> {
    this.answer();
    this.expiry.cancel();
    return new Promise((answer) => {
      this.waiting = { answer, hold: this.clock.after(LONGPOLL_HOLD, () => this.answer()) };
      if (this.queue.length) this.answer();
    });
  }

  /** The client went away in the middle of a poll: what it would have got waits for the next one. */
  abandon(): void {
    if (!this.waiting) return;
    this.waiting.hold.cancel();
    const { answer } = this.waiting;
    this.waiting = undefined;
    this.expiry.cancel();
    this.expiry = this.expire();
    answer([]);
  }

  close(_code?: number, _error?: string): void {
    this.expiry.cancel();
    this.answer();
    this.expiry.cancel();
    this.ended();
  }
}

export class LongPolls {
  private readonly sessions: Sessions;
  private readonly clock: ProviderClock;
  private readonly open = new Map<string, Session>();

  constructor(sessions: Sessions, clock: ProviderClock) {
    this.sessions = sessions;
    this.clock = clock;
  }

  /** `query.connection_id` absent opens a session, else polls or, with `close=true`, ends it. Throws a `Refusal`. */
  async handle(
    caller: Caller,
    query: Record<string, string>,
    payload: () => Record<string, unknown>,
    response: ServerResponse,
  ): Promise<PollAnswer> {
    const id = query.connection_id;
    if (!id) return this.begin(caller, payload());
    const session = this.open.get(id);
    if (!session || session.connection?.userId !== caller.userId)
      throw new Refusal(16, "long-poll session is unknown or expired");
    if (query.close === "true") {
      session.close(CLOSE_NORMAL);
      return {};
    }
    const gone = (): void => session.abandon();
    response.once("close", gone);
    const events = await session.poll();
    response.off("close", gone);
    return { events };
  }

  private async begin(caller: Caller, payload: Record<string, unknown>): Promise<PollAnswer> {
    const session = new Session(this.clock, () => {
      const { connection } = session;
      if (!connection) return;
      this.open.delete(connection.id);
      this.sessions.closed(connection);
    });
    let event: string | undefined;
    try {
      await this.sessions.open(caller, payload, session, (connection, frame) => {
        session.connection = connection;
        this.open.set(connection.id, session);
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
