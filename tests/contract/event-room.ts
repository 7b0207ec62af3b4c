/** A room with connections of a watcher (one watching, one not), another watcher, an idle member and a stranger; records their events. */
import { World, type Json, type TestSocket, type Room } from "./world.ts";
import type { Keys } from "./shape.ts";

/** ada watches on one of her two connections; bob watches; cyd is a member who does not watch; dan is no member. */
export type ConnectionName = "ada" | "ada2" | "bob" | "cyd" | "dan";
export type ReceivedEvents = Record<ConnectionName, Json[]>;

const USERS = { ada: "ada", ada2: "ada", bob: "bob", cyd: "cyd", dan: "dan" } as const;
const CONNECTION_NAMES = Object.keys(USERS) as ConnectionName[];

/** The keys that every event of a channel has besides its own (specification/events.md §1). */
export const ENVELOPE: Keys = {
  type: "text",
  cid: "text",
  channel_type: "text",
  channel_id: "text",
  created_at: "date",
  "team?": "text",
  "channel_last_message_at?": "date",
  "channel_member_count?": "count",
  "channel_message_count?": "count",
  "channel_custom?": "object",
};

export class EventRoom {
  readonly world: World;
  readonly sockets: Record<ConnectionName, TestSocket>;
  room!: Room;

  private constructor(world: World, sockets: Record<ConnectionName, TestSocket>) {
    this.world = world;
    this.sockets = sockets;
  }

  static async start(): Promise<EventRoom> {
    const world = await World.start();
    const sockets = {} as Record<ConnectionName, TestSocket>;
    for (const connection of CONNECTION_NAMES) sockets[connection] = await world.connect(USERS[connection]);
    return new EventRoom(world, sockets);
  }

  stop(): Promise<void> {
    return this.world.stop();
  }

  /** Creates and watches a new room; the connections have received nothing from it yet. */
  async newRoom(): Promise<Room> {
    this.room = await this.world.room();
    for (const connection of ["ada", "bob"] as const) await this.watch(connection);
    await this.eventsDuring(async () => {});
    return this.room;
  }

  async watch(connection: ConnectionName, room = this.room): Promise<void> {
    await this.world.ok(USERS[connection], "POST", `${room.route}/query`, {
      query: { connection_id: this.sockets[connection].id },
      body: { watch: true },
    });
  }

  /** The events each connection received while `run` ran; the pong of a ping sent afterwards arrives after them. */
  async eventsDuring(run: () => Promise<unknown>): Promise<ReceivedEvents> {
    await run();
    for (const connection of CONNECTION_NAMES) await this.sockets[connection].settled();
    const received = {} as ReceivedEvents;
    for (const connection of CONNECTION_NAMES) {
      received[connection] = this.sockets[connection].events();
      this.sockets[connection].frames.splice(1);
    }
    return received;
  }
}

/** The event types only, of the connections that received any. */
export const typesOf = (received: ReceivedEvents): Partial<Record<ConnectionName, string[]>> =>
  Object.fromEntries(
    CONNECTION_NAMES.filter((connection) => received[connection].length > 0).map((connection) => [
      connection,
      received[connection].map(({ type }) => type as string),
    ]),
  );
