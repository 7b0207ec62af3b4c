/** A room with connections of a watcher (one watching, one not), another watcher, an idle member and a stranger; records their events. */
import { World, type Json, type Line, type Room } from "./world.ts";
import type { Keys } from "./shape.ts";

/** ada watches on one of her two connections; bob watches; cyd is a member who does not watch; dan is no member. */
export type Ear = "ada" | "ada2" | "bob" | "cyd" | "dan";
export type Heard = Record<Ear, Json[]>;

const WHO = { ada: "ada", ada2: "ada", bob: "bob", cyd: "cyd", dan: "dan" } as const;
const EARS = Object.keys(WHO) as Ear[];

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

export class Hearing {
  readonly world: World;
  readonly lines: Record<Ear, Line>;
  room!: Room;

  private constructor(world: World, lines: Record<Ear, Line>) {
    this.world = world;
    this.lines = lines;
  }

  static async start(): Promise<Hearing> {
    const world = await World.start();
    const lines = {} as Record<Ear, Line>;
    for (const ear of EARS) lines[ear] = await world.connect(WHO[ear]);
    return new Hearing(world, lines);
  }

  stop(): Promise<void> {
    return this.world.stop();
  }

  /** Creates and watches a new room; the connections have received nothing from it yet. */
  async enter(): Promise<Room> {
    this.room = await this.world.room();
    for (const ear of ["ada", "bob"] as const) await this.watch(ear);
    await this.hear(async () => {});
    return this.room;
  }

  async watch(ear: Ear, room = this.room): Promise<void> {
    await this.world.ok(WHO[ear], "POST", `${room.route}/query`, {
      query: { connection_id: this.lines[ear].id },
      body: { watch: true },
    });
  }

  /** The events each connection received while `run` ran; the pong of a ping sent afterwards arrives after them. */
  async hear(run: () => Promise<unknown>): Promise<Heard> {
    await run();
    for (const ear of EARS) await this.lines[ear].settled();
    const heard = {} as Heard;
    for (const ear of EARS) {
      heard[ear] = this.lines[ear].told();
      this.lines[ear].frames.splice(1);
    }
    return heard;
  }
}

/** The event types only, of the connections that received any. */
export const namesOf = (heard: Heard): Partial<Record<Ear, string[]>> =>
  Object.fromEntries(
    EARS.filter((ear) => heard[ear].length > 0).map((ear) => [
      ear,
      heard[ear].map(({ type }) => type as string),
    ]),
  );
