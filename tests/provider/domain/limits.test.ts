/** Limits that span several requests: push providers per app, and users whose presence a watcher receives. */
import { expect, test } from "vitest";
import { World } from "../../contract/world.ts";

test("an app has at most 25 push providers, and changing one of them is not a new one", async () => {
  const world = await World.start();
  const put = (name: string) =>
    world.call("server", "POST", "/push_providers", { body: { push_provider: { type: "firebase", name } } });
  for (let n = 0; n < 25; n++) expect((await put(`p${n}`)).status).toBe(201);
  const refused = await put("p25");
  expect([refused.status, refused.json.code]).toEqual([400, 4]);
  expect(refused.json.exception_fields).toHaveProperty("push_provider");
  expect((await put("p3")).status).toBe(201);
  await world.stop();
});

test("a watcher gets presence events of ten other members only (specification/constants.md §2)", async () => {
  const world = await World.start();
  const ids = Array.from({ length: 14 }, (_, n) => `m${String(n).padStart(2, "0")}`);
  await world.ok("server", "POST", "/users", {
    body: { users: Object.fromEntries(ids.map((id) => [id, { id }])) },
  });
  await world.ok("ada", "POST", "/channels/messaging/crowd/query", {
    body: { data: { members: ["ada", ...ids] } },
  });
  const connection = await world.connect("ada");
  await world.ok("ada", "POST", "/channels/messaging/crowd/query", {
    query: { connection_id: connection.id },
    body: { watch: true, presence: true },
  });
  for (const id of ids)
    await world.ok("server", "PATCH", "/users", { body: { users: [{ id, set: { status: "here" } }] } });
  const last = await connection.until(() =>
    connection.frames.find((f) => f.type === "user.presence.changed" && f.user.id === "m09"),
  );
  expect(last.user.status).toBe("here");
  await world.ok("ada", "POST", "/channels/messaging/crowd/event", { body: { event: { type: "end" } } });
  await connection.until(() => connection.frames.find((f) => f.type === "end"));
  const present = new Set(
    connection.frames.filter((f) => f.type === "user.presence.changed").map((f) => f.user.id),
  );
  expect([...present].toSorted()).toEqual(ids.slice(0, 10));
  await world.stop();
});
