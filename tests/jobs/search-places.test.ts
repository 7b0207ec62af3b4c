/** The provider, the cache of the client and an archive find the same messages for the same words, in every script. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCacheDb } from "../../src/core/store/cache-db.ts";
import { IN_MEMORY } from "../../src/core/store/file.ts";
import { newDatabase } from "../../src/jobs/archive/open.ts";
import { ArchiveReader } from "../../src/jobs/archive/read.ts";
import { fillWords, TERMS_VERSION } from "../../src/jobs/archive/schema.ts";
import { searchArchive } from "../../src/jobs/archive/search.ts";
import { beginRun } from "../../src/jobs/archive/meta.ts";
import { ArchiveWriter } from "../../src/jobs/archive/writer.ts";
import { localSearch, readSearch } from "../../src/model/search-query.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import type { ChannelState } from "../../src/wire/entities/channel.ts";
import { ROOM, room, type TestDomain } from "../provider/domain/support.ts";
import { message } from "../support/fake-core.ts";
import { partOf, SCRIPTS, textOf, written } from "../support/scripts.ts";
import { dice, type Dice } from "../support/seeded.ts";

const MESSAGES = 60;
const RUN = { kind: "export", version: "0", started_at: "2026-01-01T00:00:00Z" } as const;
const OPTIONS = { channels: [], threads: true, attachments: "link" as const };

let provider: TestDomain;
let cache: ReturnType<typeof openCacheDb>;
let archive: ReturnType<typeof newDatabase>;

beforeEach(() => {
  provider = room();
  cache = openCacheDb(
    IN_MEMORY,
    () => 0,
    () => "ada",
  );
  archive = newDatabase(IN_MEMORY);
});
afterEach(() => {
  cache.close();
  archive.close();
});

/** Writes messages at the provider and copies them to the other places. */
function fill(random: Dice): void {
  for (let n = 0; n < MESSAGES; n++)
    provider.send("ada", "room", { id: `m${n}`, text: textOf(random.pick(Object.keys(SCRIPTS)), random) });
  const state = provider.call("ada", "queryChannel", {
    path: ROOM,
    body: { state: true, messages: { limit: MESSAGES } },
  }) as unknown as ChannelState;
  expect(state.messages).toHaveLength(MESSAGES);
  cache.saveChannels([state]);
  const run = beginRun(archive.db, { ...RUN, options: OPTIONS });
  const writer = new ArchiveWriter(archive, { n: run.n, now: () => RUN.started_at }, false);
  const page = state.messages.map((message) => ({ message, reactions: [] }));
  writer.messages(page, { cid: state.channel.cid, part: "messages" });
  writer.flush();
  fillWords(archive.db);
}

const idsOf = (messages: Iterable<Pick<Message, "id">>): string[] =>
  [...messages].map(({ id }) => id).toSorted();

function atProvider(query: string): string[] {
  const { results } = provider.call("bob", "search", {
    body: { filter_conditions: { cid: "messaging:room" }, query, limit: 100 },
  });
  return idsOf((results as { message: Message }[]).map(({ message }) => message));
}

const inCache = (query: string): string[] =>
  idsOf(
    cache.search(
      localSearch(readSearch(query, { now: 0 }), { users: [], cids: [] }),
      Number.MAX_SAFE_INTEGER,
      true,
    ),
  );

const inArchive = (query: string): string[] =>
  idsOf(searchArchive(new ArchiveReader(archive.db), { words: query, cids: [] }));

test.each([1, 2, 3])("any words find the same messages everywhere (seed %i)", (seed) => {
  const random = dice(seed * 6607);
  fill(random);
  let hits = 0;
  for (let n = 0; n < 80; n++) {
    const script = random.pick(Object.keys(SCRIPTS));
    const part = (): string => written(partOf(random.pick(SCRIPTS[script]!.words), script, random), random);
    const query = random.chance(0.3) ? `${part()} ${part()}` : part();
    const found = atProvider(query);
    hits += found.length;
    expect([query, inCache(query)]).toEqual([query, found]);
    expect([query, inArchive(query)]).toEqual([query, found]);
    // An archive of before has no such index and is read through.
    archive.db.exec("PRAGMA user_version = 2");
    expect([query, inArchive(query)]).toEqual([query, found]);
    archive.db.exec(`PRAGMA user_version = ${TERMS_VERSION}`);
  }
  expect(hits).toBeGreaterThan(50);
});

test.each<[Partial<Parameters<typeof searchArchive>[1]>, string[]]>([
  [{}, ["c", "b", "a"]],
  [{ since: "2026-01-01T00:00:02Z" }, ["c", "b"]],
  [{ since: "2026-01-01T00:00:02.001Z" }, ["c"]],
  [{ until: "2026-01-01T00:00:02Z" }, ["b", "a"]],
  [{ until: "2026-01-01T00:00:01.999Z" }, ["a"]],
  [{ since: "2026-01-01T00:00:02Z", until: "2026-01-01T00:00:02Z" }, ["b"]],
  [{ user: "bob" }, ["b"]],
  [{ cids: ["messaging:tea", "messaging:none"] }, ["c"]],
  [{ cids: ["messaging:ops", "messaging:tea"], user: "ana" }, ["c", "a"]],
])("an archive is searched from one time to another, both included, newest first: %j", (where, ids) => {
  const writer = new ArchiveWriter(archive, { n: 1, now: () => RUN.started_at }, false);
  for (const [id, user, cid] of [
    ["a", "ana", "messaging:ops"],
    ["b", "bob", "messaging:ops"],
    ["c", "ana", "messaging:tea"],
  ] as const) {
    const created_at = `2026-01-01T00:00:0${" abc".indexOf(id)}Z`;
    const said = message(id, user, "Oolong tea", { cid, created_at }) as Message;
    writer.messages([{ message: said, reactions: [] }], { cid, part: "messages" });
  }
  writer.flush();
  fillWords(archive.db);
  const found = searchArchive(new ArchiveReader(archive.db), { words: "tea", cids: [], ...where });
  expect([...found].map(({ id }) => id)).toEqual(ids);
});
