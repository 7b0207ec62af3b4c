/** How many calls an archive makes: a service gives one user sixty a minute (specification/errors.md §5). */
import { afterEach, expect, test } from "vitest";
import { ArchiveWorld, CIDS } from "../models/archive-world.ts";

let world: ArchiveWorld | undefined;
afterEach(() => world?.end());

/** The operations of an archive's creation, with how often each was called. */
async function callsOf(name: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await world!.run(
    "archive create",
    { folder: world!.archive(name) },
    {
      answer({ method, url }, text) {
        const what = `${method} ${new URL(url).pathname.replace(/^\/channels\/.*\/query$/, "/channels/…/query")}`;
        counts[what] = (counts[what] ?? 0) + 1;
        return text;
      },
    },
  );
  return counts;
}

test("members that come with their channel are not asked for again, those that do not all come are", async () => {
  world = new ArchiveWorld(1);
  await world.begin();
  const few = await callsOf("few");
  expect(few["GET /members"]).toBeUndefined();
  expect(few["POST /channels/…/query"]).toBe(CIDS.length);
  const ids = Array.from({ length: 120 }, (_, n) => `guest${n}`);
  const users = Object.fromEntries(ids.map((id) => [id, { id }]));
  await world.server.call("upsertUsers", {
    body: { users: Object.fromEntries(Object.entries(users).slice(0, 60)) },
  });
  await world.server.call("upsertUsers", {
    body: { users: Object.fromEntries(Object.entries(users).slice(60)) },
  });
  for (const part of [ids.slice(0, 60), ids.slice(60)])
    await world.server.call("updateChannel", {
      path: { type: "messaging", id: "one" },
      body: { add_members: part },
    });
  expect((await callsOf("many"))["GET /members"]).toBe(2);
  const { members } = await world.held("many");
  expect(members.get("messaging:one")?.split(" ")).toHaveLength(123);
  expect(members.get("messaging:two")).toBe("ana bo cy");
});
