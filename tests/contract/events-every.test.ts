/** Every event of the protocol reaches exactly its recipients and has exactly its keys. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RECIPIENTS } from "../../scripts/protocol/recipients.ts";
import { SCENARIOS, type Scenario, type Wire } from "./every-event.ts";
import { EventRoom, type ConnectionName } from "./event-room.ts";
import { differences } from "./shape.ts";
import { hosted } from "./world.ts";

let h: EventRoom;
beforeAll(async () => {
  h = await EventRoom.start();
});
afterAll(() => h.stop());

describe.each(Object.entries(SCENARIOS) as [Wire, Scenario][])("%s", (type, play) => {
  test.skipIf(hosted && play.embedded)(
    `is received by ${play.to.join(", ")} only, with exactly its keys`,
    async () => {
      await h.newRoom();
      const given = await play.given?.(h);
      await h.eventsDuring(async () => {});
      const received = await h.eventsDuring(() => play.cause(h, given));
      const recipients = (Object.keys(received) as ConnectionName[]).filter((connection) =>
        received[connection].some((one) => one.type === type),
      );
      expect(recipients.toSorted()).toEqual(play.to.toSorted());
      for (const connection of recipients)
        for (const event of received[connection].filter((one) => one.type === type))
          expect(differences(event, play.keys), `to ${connection}`).toEqual([]);
    },
  );
});

test("health.check answers a ping on its own connection only", async () => {
  await h.newRoom();
  const pings = (connection: ConnectionName): number => h.sockets[connection].frames.slice(1).length;
  const before = pings("ada2");
  h.sockets.ada.ws.send('[{"type":"health.check"}]');
  await h.sockets.ada.until(() => pings("ada") > 0);
  expect(
    differences(h.sockets.ada.frames.at(-1), { type: "text", created_at: "date", connection_id: "text" }),
  ).toEqual([]);
  expect(h.sockets.ada.frames.at(-1).connection_id).toBe(h.sockets.ada.id);
  expect(pings("ada2")).toBe(before);
});

describe("the table of scenarios", () => {
  const documented = Object.entries(RECIPIENTS).filter(([type]) => type !== "health.check");

  test("has a scenario for every event of the documented protocol", () => {
    expect(documented.map(([type]) => type).toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
  });

  test("agrees with the documented recipients, and each event has a connection that does not receive it", () => {
    for (const [type, [code]] of documented) {
      const { to } = SCENARIOS[type as Wire];
      if (type === "channel.created") expect(to).toEqual(["ada"]);
      else if (code.startsWith("W")) expect(to, type).toEqual(expect.arrayContaining(["ada", "bob"]));
      else if (code.startsWith("N")) expect(to, type).toEqual(["ada2", "cyd"]);
      else if (code.startsWith("P")) expect(to, type).toContain("bob");
      else if (code.includes("not watching"))
        for (const watcher of ["ada", "bob"] as const) expect(to, type).not.toContain(watcher);
      expect(to.length, type).toBeLessThan(5);
      expect(to, type).not.toEqual([]);
    }
  });
});
