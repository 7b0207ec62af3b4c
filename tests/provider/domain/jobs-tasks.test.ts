/** Tasks: steps, results, and the rollback of a failed step (specification/admin.md §8). */
import { expect, test } from "vitest";
import { attemptPart } from "../../../src/provider/domain/query/attempt.ts";
import { insertTask, tasks, taskView } from "../../../src/provider/domain/jobs/storage/tasks.ts";
import { taskWork } from "../../../src/provider/domain/jobs/rules/work.ts";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import type { DueContext } from "../../../src/provider/base/ports.ts";
import { room, type TestDomain } from "./support.ts";

let uuids = 0;
const faults: unknown[] = [];
const dueContext = (bench: TestDomain): DueContext => ({
  db: bench.db,
  emit: bench.emit,
  now: () => bench.tick(),
  uuid: () => `task-${++uuids}`,
  reportError: (error) => void faults.push(error),
});

/** One run of the scheduler; false when nothing is due. */
function runDue(bench: TestDomain): boolean {
  if ((taskWork.next(bench.db) ?? Infinity) > bench.now) return false;
  bench.db.raw.exec("BEGIN");
  taskWork.run(dueContext(bench));
  bench.db.raw.exec("COMMIT");
  return true;
}

const viewOf = (bench: TestDomain, id: string) => taskView(tasks.need(bench.db, { id }));

test("a task is waiting, then completed with its result; one stored as done is completed at once", () => {
  const bench = room();
  const { task_id: id } = bench.call({ server: true }, "deleteChannels", {
    body: { cids: ["messaging:room"], hard_delete: true },
  }) as { task_id: string };
  expect(viewOf(bench, id)).toMatchObject({ status: "waiting" });
  while (runDue(bench));
  expect(viewOf(bench, id)).toMatchObject({
    status: "completed",
    result: { "messaging:room": { status: "ok" } },
  });
  const done = insertTask(bench.db, "done", dueContext(bench).now(), "channels.delete", {}, { a: 1 });
  expect(viewOf(bench, done)).toMatchObject({ status: "completed", result: { a: 1 } });
  expect(runDue(bench)).toBe(false);
});

test("an export without a disk fails, the task says so, and servers get an error event", () => {
  const bench = room();
  const { task_id: id } = bench.call({ server: true }, "exportChannels", {
    body: { channels: [{ cid: "messaging:room" }] },
  }) as { task_id: string };
  while (runDue(bench));
  expect(viewOf(bench, id)).toMatchObject({
    status: "failed",
    error: { type: "code 19", description: "this provider keeps no files" },
  });
  expect(bench.events).toMatchObject([
    {
      to: "S",
      event: {
        type: "export.channels.error",
        task_id: id,
        error: "this provider keeps no files",
        started_at: expect.stringMatching(/^\d{4}-/) as unknown,
        finished_at: expect.stringMatching(/^\d{4}-/) as unknown,
      },
    },
  ]);
});

test("a task of an unknown kind fails as an internal error, and the operator gets the reason", () => {
  const bench = room();
  const id = insertTask(bench.db, "unknown", dueContext(bench).now(), "nobody.knows", {});
  faults.length = 0;
  while (runDue(bench));
  expect(viewOf(bench, id)).toMatchObject({
    status: "failed",
    error: { type: "internal", description: "internal system error" },
  });
  expect(String(faults[0])).toContain("nobody.knows");
});

test("two tasks take turns, so neither waits for the end of the other", () => {
  const bench = room();
  for (const id of ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "c0", "c1"])
    bench.channel(id, "ada", ["ada"], "team");
  const start = (data: object): string =>
    (
      bench.call({ server: true }, "batchChannels", {
        body: { operation: "updateData", filter: { types: { $eq: "team" } }, data },
      }) as { task_id: string }
    ).task_id;
  const [one, two] = [start({ a: 1 }), start({ b: 1 })];
  runDue(bench);
  runDue(bench);
  expect([viewOf(bench, one).status, viewOf(bench, two).status]).toEqual(["running", "running"]);
  while (runDue(bench));
  expect(viewOf(bench, two).result).toMatchObject({ success_channels_count: 12 });
});

test("a batch with named channels and a type changes only the named ones of that type", () => {
  const b = room();
  b.channel("one", "ada", ["ada"], "team");
  b.channel("two", "ada", ["ada"], "team");
  const filter = { cids: { $in: ["team:one", "messaging:room"] }, types: { $eq: "team" } };
  const { task_id: id } = b.call({ server: true }, "batchChannels", {
    body: { operation: "updateData", filter, data: { marked: true } },
  }) as { task_id: string };
  while (runDue(b));
  expect(viewOf(b, id).result).toMatchObject({ success_channels_count: 1, failed_channels: [] });
  const marked = (type: string, name: string): unknown =>
    (b.call("ada", "getChannel", { path: { type, id: name } }).channel as { marked?: unknown }).marked;
  expect([marked("team", "one"), marked("team", "two"), marked("messaging", "room")]).toEqual([
    true,
    undefined,
    undefined,
  ]);
});

test("a part that throws loses its writes and events, and the parts around it stay", () => {
  const bench = room();
  const put = (id: string): void =>
    void bench.db.run("INSERT INTO job_seen (job_id, kind, key) VALUES ('j', 'user', ?)", id);
  bench.db.raw.exec("BEGIN");
  const good = attemptPart(bench, (emit) => {
    put("good");
    emit.server({ type: "good" });
    return 7;
  });
  const bad = attemptPart(bench, (emit) => {
    put("bad");
    emit.server({ type: "bad" });
    throw new ApiProblem(4, "no");
  });
  bench.db.raw.exec("COMMIT");
  expect(good).toEqual({ value: 7 });
  expect(bad).toMatchObject({ thrown: { code: 4 } });
  expect(bench.db.all("SELECT key FROM job_seen").map((row) => row.key)).toEqual(["good"]);
  expect(bench.events.map(({ event }) => event.type)).toEqual(["good"]);
});
