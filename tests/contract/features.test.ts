/** Every route that needs a feature refuses a channel type without it: code 19 with a reason, and nothing is stored. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World, type RequestInput, type Json, type Room } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const SWITCHES =
  "typing_events custom_events read_events reactions replies quotes uploads polls shared_locations user_message_reminders";
const ALL = Object.fromEntries(SWITCHES.split(" ").map((name) => [name, true]));

type Row = [
  feature: string,
  method: string,
  below: string | ((r: Room) => string),
  asked: (r: Room) => RequestInput,
];

const body = (value: object) => (): RequestInput => ({ body: value });
const say = (message: (r: Room) => object): ((r: Room) => RequestInput) => {
  return (r) => ({ body: { message: { text: "tea", ...message(r) } } });
};
const form = (): RequestInput => {
  const data = new FormData();
  data.append("file", new Blob(["tea"], { type: "image/png" }), "tea.png");
  return { form: data };
};
const onMessage = (below: string) => (r: Room) => `/messages/${r.message}${below}`;
const inAnHour = (): string => new Date(world.now() + 3_600_000).toISOString();
const location = { latitude: 1, longitude: 2, created_by_device_id: "term" };

const ROWS: Row[] = [
  ["replies", "POST", "/message", say((r) => ({ parent_id: r.message }))],
  ["quotes", "POST", "/message", say((r) => ({ quoted_message_id: r.message }))],
  ["polls", "POST", "/message", say((r) => ({ poll_id: r.extra.poll }))],
  ["shared_locations", "POST", "/message", say(() => ({ shared_location: location }))],
  ["reactions", "POST", onMessage("/reaction"), body({ reaction: { type: "love" } })],
  ["uploads", "POST", "/file", form],
  ["uploads", "POST", "/image", form],
  ["typing_events", "POST", "/event", body({ event: { type: "typing.start" } })],
  ["typing_events", "POST", "/event", body({ event: { type: "typing.stop" } })],
  ["custom_events", "POST", "/event", body({ event: { type: "wave" } })],
  ["read_events", "POST", "/read", body({})],
  ["read_events", "POST", "/unread", (r) => ({ body: { message_id: r.message } })],
  ["user_message_reminders", "POST", onMessage("/reminders"), () => ({ body: { remind_at: inAnHour() } })],
];

/** A channel of a type with every feature, or with every feature but one. */
async function roomOf(feature: string | undefined, n: number): Promise<Room> {
  const name = `all-${world.run}${feature ? `but-${feature.replaceAll("_", "-")}-` : ""}${n}`;
  await world.ok("server", "POST", "/channeltypes", {
    body: { name, ...ALL, ...(feature ? { [feature]: false } : {}) },
  });
  const room = await world.room({}, name);
  const { poll } = await world.ok("ada", "POST", "/polls", {
    body: { name: "Which tea?", options: [{ id: "green", text: "Green" }] },
  });
  room.extra = { poll: poll.id };
  return room;
}

function ask(room: Room, [, method, below, asked]: Row): Promise<Json> {
  const at = typeof below === "string" ? room.route + below : below(room);
  return world.call("ada", method, at, asked(room));
}

describe("a disabled feature", () => {
  test.each(
    ROWS.map(
      (row, n) => [row[0], `${row[1]} ${typeof row[2] === "string" ? row[2] : "message"}`, n] as const,
    ),
  )(
    "with %s disabled %s is refused with code 19, and with it enabled it succeeds",
    async (feature, _name, n) => {
      const row = ROWS[n]!;
      const off = await roomOf(feature, n);
      const refused = await ask(off, row);
      expect([refused.status, refused.json.code], JSON.stringify(refused.json)).toEqual([400, 19]);
      expect(refused.json.message).toContain(off.type);
      const state = await world.ok("ada", "GET", off.route);
      expect(state.messages.map(({ id }: Json) => id)).toEqual([off.message]);
      const fine = await ask(await roomOf(undefined, n), row);
      expect(fine.status, JSON.stringify(fine.json)).toBe(201);
    },
  );

  test("search leaves out channels with search disabled (specification/search.md)", async () => {
    for (const search of [true, false]) {
      const type = `search-${search ? "on" : "off"}-${world.run}1`;
      await world.ok("server", "POST", "/channeltypes", { body: { name: type, search } });
      const room = await world.room({}, type);
      const found = await world.ok("ada", "GET", "/search", {
        query: { payload: { filter_conditions: { cid: room.cid }, query: "tea" } },
      });
      expect([search, found.results.length]).toEqual([search, search ? 1 : 0]);
    }
  });
});
