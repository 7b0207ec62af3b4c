/** The client's own lists behind answers with one odd value: what was not touched is listed, the next page is asked for at the right place, and nothing throws. */
import { expect, test } from "vitest";
import type { Core } from "../../src/core/core.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { jsonReply } from "../support/fake-ports.ts";
import { helloFrame } from "../support/fake-provider.ts";
import { dice } from "../support/seeded.ts";
import { miraToken, virtualCore } from "../support/virtual-core.ts";
import { sample } from "../support/wrong-values.ts";
import { changeOne } from "./change.ts";
import { LIST_CORPUS, seedsOf, tryAll } from "./corpus.ts";

type Json = Record<string, unknown>;

/** A list of the client: its call, how it is loaded, and what names an item of the answer and of the list. */
interface Listed {
  endpoint: EndpointName;
  /** Where the answer has the items. */
  list: string;
  load(core: Core): Promise<readonly unknown[]>;
  idOf(item: Json): unknown;
  named(id: string): Json;
}

const LISTS: readonly Listed[] = [
  {
    endpoint: "queryThreads",
    list: "threads",
    load: (core) => core.threads.load().then(() => core.threads.state().threads),
    idOf: (thread) => thread.parent_message_id,
    named: (id) => ({ parent_message_id: id, channel_cid: "messaging:tea" }),
  },
  {
    endpoint: "queryReminders",
    list: "reminders",
    load: (core) => core.reminders.load().then(() => core.reminders.state().items),
    idOf: (reminder) => reminder.message_id,
    named: (id) => ({ message_id: id, channel_cid: "messaging:tea" }),
  },
  {
    endpoint: "queryMembers",
    list: "members",
    load: async (core) => {
      const members = core.members("messaging:tea");
      await members.load();
      return members.state().items;
    },
    idOf: (member) => member.user_id,
    named: (id) => ({ user_id: id }),
  },
  {
    endpoint: "search",
    list: "results",
    load: (core) =>
      core
        .search({ filter_conditions: { members: { $in: ["mira"] } } })
        .page("tea", {})
        .then(({ items }) => items),
    idOf: (hit) => hit.id,
    named: (id) => ({ message: { ...(sampleOf("search", "results").message as Json), id } }),
  },
];

function sampleOf(endpoint: EndpointName, list: string): Json {
  const field = (endpoints[endpoint] as EndpointRow).answer!()[list]!;
  return JSON.parse(JSON.stringify(sample(field.item!, 1, true))) as Json;
}

const IDS = ["one", "two", "three"];

async function run(seed: number): Promise<void> {
  const random = dice(seed);
  const listed = random.pick(LISTS);
  const { endpoint, list } = listed;
  const items = IDS.map((id) => ({ ...sampleOf(endpoint, list), ...listed.named(id) }));
  const answer: Json = JSON.parse(JSON.stringify({ [list]: items, duration: "1ms" })) as Json;
  const { path, how } = changeOne(answer, random);
  const what = `seed ${seed}: ${endpoint}, ${how} at ${path}`;
  const { method, path: route } = endpoints[endpoint] as EndpointRow;
  const at = virtualCore(
    {},
    { unchecked: undefined as never },
    {
      [`${method} ${route}`]: () => jsonReply(answer),
    },
  );
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await done;
  const loaded = listed.load(at.core).then(
    (found) => found as readonly Json[],
    (error: Error) => error,
  );
  await at.clock.advance(60_000);
  const found = await loaded;
  // Only an answer that has nothing of what it is about may fail.
  if (found instanceof Error) return expect([what, found.name, path]).toEqual([what, "TransportError", list]);
  const touched = path === list ? undefined : Number(path.split(".")[1]);
  const rest = path === list ? [] : IDS.filter((_, n) => n !== touched);
  expect([what, found.map(listed.idOf)]).toEqual([what, expect.arrayContaining(rest)]);
  const isTold =
    found.length >= IDS.length || how === "absent" || path === list || at.core.oddities().length > 0;
  expect([what, isTold]).toEqual([what, true]);
}

const { seeds, words } = seedsOf(LIST_CORPUS);

test(`${words}: a list keeps what was not touched, and says what it lost`, async () => {
  await tryAll(seeds, run);
}, 3_600_000);
