/** Contract rows of live locations. */
import { expect } from "vitest";
import type { Case } from "./case.ts";
import { BROADCAST_CHANNEL, LOCATION, MESSAGE } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const DATE: unknown = expect.stringMatching(/^\d{4}-/);
const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
/** A live location of bob. */
const live =
  (end: number | undefined = 600) =>
  async (r: Room): Promise<Json> => ({
    message: await r.world.say("bob", r.route, {
      shared_location: {
        latitude: 52,
        longitude: 4,
        created_by_device_id: "term-1",
        ...(end ? { end_at: soon(end) } : {}),
      },
    }),
  });
const MOVED = { ...LOCATION, channel: BROADCAST_CHANNEL, message: MESSAGE } as const;
const LU = "PUT /users/live_locations";

export const locationCases: Case[] = [
  {
    route: "GET /users/live_locations",
    name: "lists the caller's",
    as: "bob",
    prepare: live(),
    reply: { active_live_locations: [MOVED] },
    values: (r) => ({
      active_live_locations: expect.arrayContaining([
        expect.objectContaining({
          message_id: r.extra.message,
          channel_cid: r.cid,
          user_id: "bob",
          end_at: DATE,
        }),
      ]) as Json,
    }),
  },
  {
    route: "GET /users/live_locations",
    name: "answers an empty list",
    as: "dan",
    reply: { active_live_locations: [MOVED] },
    values: () => ({ active_live_locations: [] }),
  },
  {
    route: "GET /users/live_locations",
    name: "needs a user of a server",
    as: "server",
    code: 4,
    field: "user_id",
  },
  {
    route: LU,
    name: "moves the location and answers it without a wrapper",
    as: "bob",
    prepare: live(),
    input: (r) => ({ body: { message_id: r.extra.message, latitude: 52.5 } }),
    reply: MOVED,
    values: (r) => ({
      message_id: r.extra.message,
      latitude: 52.5,
      longitude: 4,
      created_by_device_id: "term-1",
      end_at: DATE,
    }),
  },
  {
    route: LU,
    name: "LU-4: stops the location",
    as: "bob",
    prepare: live(),
    input: (r) => ({ body: { message_id: r.extra.message, end_at: soon(-1) } }),
    reply: MOVED,
  },
  {
    route: LU,
    name: "LU-1: refuses anybody but the author",
    as: "ada",
    prepare: live(),
    input: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 17,
  },
  {
    route: LU,
    name: "LU-1: refuses a message without a location",
    as: "ada",
    input: (r) => ({ body: { message_id: r.message, latitude: 1 } }),
    code: 16,
  },
  {
    route: LU,
    name: "LU-2: refuses a static location",
    as: "bob",
    prepare: live(0),
    input: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 4,
    field: "message_id",
  },
  {
    route: LU,
    name: "L-2: refuses coordinates out of range",
    as: "bob",
    prepare: live(),
    input: (r) => ({ body: { message_id: r.extra.message, longitude: 181 } }),
    code: 4,
    field: "longitude",
  },
  {
    route: LU,
    name: "needs a message id",
    as: "bob",
    input: () => ({ body: { latitude: 1 } }),
    code: 4,
    field: "message_id",
  },
  {
    route: LU,
    name: "LU-3: accepts another device",
    as: "bob",
    prepare: live(),
    input: (r) => ({ body: { message_id: r.extra.message, created_by_device_id: "term-2" } }),
    reply: MOVED,
    values: () => ({ created_by_device_id: "term-2", latitude: 52 }),
  },
  {
    route: LU,
    name: "LU-2: refuses a location that has ended",
    as: "bob",
    prepare: async (r) => {
      const held = await live()(r);
      await r.world.ok("bob", "PUT", "/users/live_locations", {
        body: { message_id: held.message, end_at: soon(-1) },
      });
      return held;
    },
    input: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 4,
    field: "message_id",
  },
  {
    route: LU,
    name: "LE-3: refuses a location whose message is deleted",
    as: "bob",
    prepare: async (r) => {
      const held = await live()(r);
      await r.world.ok("bob", "DELETE", `/messages/${held.message}`);
      return held;
    },
    input: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 4,
    field: "message_id",
  },
  {
    route: LU,
    name: "refuses an invalid date",
    as: "bob",
    prepare: live(),
    input: (r) => ({ body: { message_id: r.extra.message, end_at: "tomorrow" } }),
    code: 4,
    field: "end_at",
  },
  {
    route: LU,
    name: "refuses where locations have been disabled meanwhile",
    as: "bob",
    prepare: async (r) => {
      const held = await live()(r);
      await r.world.ok("server", "PATCH", r.route, {
        body: { set: { config_overrides: { shared_locations: false } } },
      });
      return held;
    },
    input: (r) => ({ body: { message_id: r.extra.message, latitude: 1 } }),
    code: 19,
  },
];
