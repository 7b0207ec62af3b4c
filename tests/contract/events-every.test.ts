/** Every event of the protocol reaches exactly its recipients and has exactly its keys. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RECIPIENTS } from "../../scripts/protocol/recipients.ts";
import { PLAYS, type Play, type Wire } from "./every-event.ts";
import { Hearing, type Ear } from "./hearing.ts";
import { differences } from "./shape.ts";
import { hosted } from "./world.ts";

let h: Hearing;
beforeAll(async () => {
  h = await Hearing.start();
});
afterAll(() => h.stop());

describe.each(Object.entries(PLAYS) as [Wire, Play][])("%s", (type, play) => {
  test.skipIf(hosted && play.embedded)(`to ${play.to.join(", ")}, with its keys`, async () => {
    await h.enter();
    const given = await play.given?.(h);
    await h.hear(async () => {});
    const heard = await h.hear(() => play.cause(h, given));
    const ears = (Object.keys(heard) as Ear[]).filter((ear) => heard[ear].some((one) => one.type === type));
    expect(ears.toSorted()).toEqual(play.to.toSorted());
    for (const ear of ears)
      for (const event of heard[ear].filter((one) => one.type === type))
        expect(differences(event, play.keys), `to ${ear}`).toEqual([]);
  });
});

test("health.check answers a ping on its own connection only", async () => {
  await h.enter();
  const pings = (ear: Ear): number => h.lines[ear].frames.slice(1).length;
  const before = pings("ada2");
  h.lines.ada.ws.send('[{"type":"health.check"}]');
  await h.lines.ada.until(() => pings("ada") > 0);
  expect(
    differences(h.lines.ada.frames.at(-1), { type: "text", created_at: "date", connection_id: "text" }),
  ).toEqual([]);
  expect(h.lines.ada.frames.at(-1).connection_id).toBe(h.lines.ada.id);
  expect(pings("ada2")).toBe(before);
});

describe("the plays", () => {
  const told = Object.entries(RECIPIENTS).filter(([type]) => type !== "health.check");

  test("are those of the printed protocol", () => {
    expect(told.map(([type]) => type).toSorted()).toEqual(Object.keys(PLAYS).toSorted());
  });

  test("agree with its codes of recipients, and each leaves somebody out", () => {
    for (const [type, [code]] of told) {
      const { to } = PLAYS[type as Wire];
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
