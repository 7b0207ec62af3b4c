/** A dry run of every write of the contract is answered as the real one, and leaves no trace (specification/embedded-provider.md §6). */
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { removeFolder } from "../support/remove-folder.ts";
import { cases } from "./cases.ts";
import { fill, type Case } from "./case.ts";
import { hosted, settle, World, type Answer, type Json, type TestSocket } from "./world.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-dry-"));
let world: World;
const lines: Record<string, TestSocket> = {};
/** A second connection: its data version changes with every commit of the provider. */
let database: DatabaseSync;
beforeAll(async () => {
  world = await World.start(folder);
  database = new DatabaseSync(path.join(folder, "provider.db"), { readOnly: true });
});
afterAll(async () => {
  database.close();
  await world.stop();
  removeFolder(folder);
});

async function connectAll(): Promise<void> {
  for (const who of ["ada", "bob", "cyd", "mod"] as const) {
    await lines[who]?.end();
    lines[who] = await world.connect(who);
  }
}

const WRITES = new Set(
  Object.values<EndpointRow>(endpoints)
    .filter(({ safe }) => !safe)
    .map(({ method, path: at }) => `${method} ${at}`),
);

/** What a caller sees of an answer: a refusal whole, of a success what it consists of. */
function seen({ status, json }: Answer): unknown {
  if (status < 300)
    return {
      status,
      keys: Object.keys(json as object)
        .filter((key) => key !== "task")
        .toSorted(),
    };
  const { duration: _, ...refusal } = json as Json;
  return { status, ...refusal };
}

/** What the provider has committed, stored as files and told its connections until now; the work of earlier calls goes on meanwhile. */
async function traces(): Promise<string> {
  await settle(lines);
  return JSON.stringify({
    commits: database.prepare("PRAGMA data_version").get(),
    files: readdirSync(folder, { recursive: true }).length,
    events: Object.values(lines).map((line) => line.events().length),
  });
}

/** A dry run and whether it left a trace: one that leaves none once leaves none. */
async function untraced(run: () => Promise<Answer>): Promise<{ dry: Answer; trace: boolean }> {
  for (let left = 20; ; left--) {
    const before = await traces();
    const dry = await run();
    const trace = (await traces()) !== before;
    if (!trace || left === 0) return { dry, trace };
  }
}

/** Sends a row first dry, then really, in a room that three people watch. */
async function both(row: Case): Promise<{ dry: Answer; real: Answer; trace: boolean }> {
  const room = await world.room();
  for (const [who, line] of Object.entries(lines))
    await world.call(who as "ada", "POST", `${room.route}/query`, {
      query: { connection_id: line.id },
      body: { watch: true, presence: true },
    });
  room.extra = (await row.prepare?.(room)) ?? {};
  const { method, path: at } = fill(row.route, room, row.path?.(room));
  const asked = row.input?.(room) ?? {};
  const headers = { ...asked.headers, "X-Dry-Run": "1" };
  const { dry, trace } = await untraced(() => world.call(row.as, method, at, { ...asked, headers }));
  return { dry, real: await world.call(row.as, method, at, asked), trace };
}

test.skipIf(hosted)(
  "every write is answered dry as it is really, without a commit, a file or an event",
  async () => {
    const rows = cases.filter(({ route }) => WRITES.has(route));
    const differences: unknown[] = [];
    for (const [n, row] of rows.entries()) {
      // A connection that asks for more pongs is closed.
      if (n % 40 === 0) await connectAll();
      const { dry, real, trace } = await both(row);
      const same = JSON.stringify(seen(dry)) === JSON.stringify(seen(real));
      if (!same || trace)
        differences.push({
          row: `${row.route} ${row.as}: ${row.name}`,
          dry: seen(dry),
          real: seen(real),
          trace,
        });
    }
    expect(rows.length).toBeGreaterThanOrEqual(150);
    expect(differences).toEqual([]);
  },
  600_000,
);
