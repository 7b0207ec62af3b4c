/** A refused call or a failed commit also undoes changes in memory: watches, presence, connections. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiProblem, type RouteCall } from "../../../src/provider/base/handler.ts";
import { Harness, tiny, tinyHandlers } from "../tiny.ts";

let h: Harness;
let failing = false;
let refusing = false;

beforeEach(async () => {
  failing = false;
  refusing = false;
  h = await Harness.start(
    { warn: () => {} },
    {
      ...tiny,
      handlers: {
        ...tinyHandlers,
        stopWatching: ({ emit, path, connectionId }: RouteCall) => {
          emit.unwatch(connectionId!, `${path.type}:${path.id}`);
          if (refusing) throw new ApiProblem(4, "no");
          return {};
        },
      } as typeof tinyHandlers,
      migrations: [
        ...tiny.migrations,
        `CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
         CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED) STRICT;`,
      ],
      // The missing parent row is only detected at COMMIT.
      beforeCommit: (db) => {
        if (failing) db.run("INSERT INTO child VALUES (1)");
      },
    },
  );
});
afterEach(() => h.stop());

/** The ids of the messages that reached the socket. */
async function receivedIds(socket: Awaited<ReturnType<Harness["connect"]>>): Promise<string[]> {
  // A last message in a separate channel marks the end.
  await h.watch("ann", socket.id, "team/end");
  await h.send("bob", "end", "end", "team/end");
  await socket.until(({ frames }) => frames.some((frame) => frame.message?.id === "end"));
  return socket.frames.filter(({ type }) => type === "message.new").map(({ message }) => message.id);
}

test("a watch whose commit failed gets no events, and the next watch is a first one", async () => {
  const ann = await h.connect("ann");
  failing = true;
  expect((await h.watch("ann", ann.id)).status).toBe(500);
  failing = false;
  await h.send("bob", "before the watch");
  expect((await h.watch("ann", ann.id)).json.watching).toEqual({ userIds: ["ann"], count: 1 });
  await h.send("bob", "received");
  expect(await receivedIds(ann)).toEqual(["received", "end"]);
});

test("when the commit of a stop-watching fails, the watch continues", async () => {
  const ann = await h.connect("ann");
  await h.watch("ann", ann.id);
  failing = true;
  const stopped = await h.call(
    "ann",
    "POST",
    "/channels/team/tea/stop-watching",
    {},
    { connection_id: ann.id },
  );
  expect(stopped.status).toBe(500);
  failing = false;
  await h.send("bob", "received");
  expect(await receivedIds(ann)).toEqual(["received", "end"]);
});

test("when a call that ended a watch is refused afterwards, the watch continues", async () => {
  const ann = await h.connect("ann");
  await h.watch("ann", ann.id);
  refusing = true;
  const stopped = await h.call(
    "ann",
    "POST",
    "/channels/team/tea/stop-watching",
    {},
    { connection_id: ann.id },
  );
  expect(stopped.status).toBe(400);
  await h.send("bob", "received");
  expect(await receivedIds(ann)).toEqual(["received", "end"]);
});

test("no event of a call whose commit failed is sent", async () => {
  const ann = await h.connect("ann");
  await h.watch("ann", ann.id);
  failing = true;
  expect((await h.send("bob", "lost")).status).toBe(500);
  failing = false;
  expect(await receivedIds(ann)).toEqual(["end"]);
});
