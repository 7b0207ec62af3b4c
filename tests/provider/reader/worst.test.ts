/** Every route with its most expensive bodies on a big database: no internal error, and no call blocks the others for long. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints, type EndpointName } from "../../../src/wire/endpoints/index.ts";
import { signToken } from "../../../src/wire/token.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { BIG_ROOM, makeBigRoom } from "../../support/big-room.ts";
import { removeFolder } from "../../support/remove-folder.ts";

type Json = Record<string, unknown>;

/** PARLEY_WORST sets the number for a long run on an idle machine, which has the stricter time limit. */
const MESSAGES = Number(process.env.PARLEY_WORST ?? 20_000);
const LONG_RUN = process.env.PARLEY_WORST !== undefined;
const ALLOWED_MS = LONG_RUN ? 100 : 1000;
const callers = ["server", "ada"] as const;

let folder: string;
let provider: Provider;
const slowOperations: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-worst-"));
  makeBigRoom(folder, MESSAGES);
  const slow = (sentence: string): void => {
    const ms = Number(/blocked every other call for (\d+) ms/.exec(sentence)?.[1] ?? 0);
    if (ms > ALLOWED_MS) slowOperations.push(sentence);
  };
  provider = createProvider({ data: folder, stay: true, onSlowCommit: slow });
  await provider.listen();
}, 600_000);
afterAll(async () => {
  await provider.close();
  removeFolder(folder);
});

/** Calls as ada, or as a server with ada as the acting user. */
async function request(
  who: "ada" | "server",
  method: string,
  route: string,
  body?: Json,
): Promise<{ status: number; json: Json }> {
  const query = new URLSearchParams({ api_key: provider.apiKey, user_id: "ada" });
  const text = JSON.stringify(body ?? {});
  if (method === "GET" || method === "DELETE") {
    // Longer payloads do not fit into the head of a request.
    if (text.length < 12_000) query.set("payload", text);
  }
  const answer = await fetch(`${provider.url}${route}?${query}`, {
    method,
    headers: {
      authorization: signToken(who === "server" ? { server: true } : { user_id: "ada" }, provider.secret),
      "stream-auth-type": "jwt",
      "content-type": "application/json",
    },
    ...(method === "GET" || method === "DELETE" ? {} : { body: text }),
  });
  return { status: answer.status, json: (await answer.json()) as Json };
}

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const keys = (count: number): Json => Object.fromEntries(times(count, (n) => [`key${n}.deep`, n]));
const words = (count: number): Json[] =>
  times(count, (n) => ({ text: { $q: String.fromCharCode(97 + (n % 26)) } }));
const deep = (levels: number): unknown =>
  times(levels, () => 0).reduce<unknown>((inner) => ({ $and: [inner] }), { a: 1 });
const marks = `a${"!".repeat(400_000)}a`;

/** Bodies that no route is meant for, with keys that many routes read. */
const NASTY: Json[] = [
  { set: keys(19_000), unset: times(1000, (n) => `u${n}`), users: [{ id: "ada", set: keys(15_000) }] },
  {
    filter_conditions: { $or: words(5000) },
    filter: { $or: words(5000) },
    sort: times(5000, () => ({ field: "a.b.c" })),
  },
  { filter_conditions: deep(50), filter: deep(50), message_filter_conditions: deep(50), query: marks },
  {
    message: { text: marks, custom: keys(10_000), mentioned_users: times(10_000, (n) => `u${n}`) },
    text: marks,
    words: times(15_000, (n) => `w${n}`),
    name: marks,
  },
  {
    data: { members: times(15_000, (n) => `m${n}`), name: marks },
    user_ids: times(10_000, (n) => `u${n}`),
    channel_cids: times(10_000, (n) => `messaging:c${n}`),
    add_members: times(10_000, (n) => `u${n}`),
  },
  {
    options: times(10_000, (n) => ({ text: `o${n}` })),
    question: marks,
    attachments: times(10_000, () => ({ type: "image" })),
    reaction: { type: marks, custom: keys(5000) },
  },
];

const PATHS: Record<string, string> = {
  type: "messaging",
  channel: "big",
  message_id: "m5",
  parent_id: "m5",
  user_id: "ada",
  name: "messaging",
};
/** The path of a route filled in: `{id}` is the channel's in channel routes, a message's elsewhere. */
const routeOf = (name: EndpointName): string =>
  endpoints[name].path.replace(/\{(\w+)\}/g, (_, key: string) =>
    key === "id" && endpoints[name].path.startsWith("/channels") ? "big" : (PATHS[key] ?? "m5"),
  );

const EXCLUDED = new Set<string>(["connect", "longPoll"]);
const names = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => !EXCLUDED.has(name) && !endpoints[name].multipart,
);

test(
  "every route answers or refuses oversized bodies without an internal error",
  { timeout: 900_000 },
  async () => {
    const faults: unknown[] = [];
    // Deleting calls come after the others.
    const order = names.toSorted(
      (a, b) => Number(endpoints[a].method === "DELETE") - Number(endpoints[b].method === "DELETE"),
    );
    for (const [at, name] of order
      .filter((one) => endpoints[one].method !== "DELETE" && !/truncate|delete/i.test(one))
      .entries())
      for (const [n, body] of NASTY.entries())
        for (const who of callers) {
          // A short run calls each route once, with one of the bodies in turn.
          if (
            !LONG_RUN &&
            (n !== at % NASTY.length || who !== (endpoints[name].serverOnly ? "server" : "ada"))
          )
            continue;
          const { status, json } = await request(who, endpoints[name].method, routeOf(name), body);
          if (status >= 500 && status !== 501) faults.push([name, n, who, status, json.message]);
        }
    expect(faults).toEqual([]);
    expect(slowOperations).toEqual([]);
  },
);

const MINE = { members: { $in: ["ada"] } };
const WORST: [string, string, Json][] = [
  ["POST", "/channels", { filter_conditions: MINE, limit: 30, message_limit: 300, member_limit: 100 }],
  [
    "POST",
    "/channels",
    {
      filter_conditions: { "member.user.name": { $autocomplete: "zz" }, topic: "x" },
      sort: [{ field: "topic" }],
    },
  ],
  ["GET", "/search", { filter_conditions: MINE, message_filter_conditions: { $or: words(50) }, limit: 100 }],
  [
    "GET",
    "/search",
    { filter_conditions: MINE, message_filter_conditions: { color: "red", size: 3 }, limit: 100 },
  ],
  [
    "GET",
    "/search",
    {
      filter_conditions: MINE,
      query: "many",
      sort: [{ field: "relevance", direction: -1 }, { field: "topic" }],
      limit: 100,
    },
  ],
  [
    "POST",
    "/threads",
    { limit: 30, reply_limit: 100, participant_limit: 100, sort: [{ field: "reply_count" }] },
  ],
  [
    "GET",
    "/users",
    { filter_conditions: { name: { $autocomplete: "a" }, x: 1 }, sort: [{ field: "y" }], limit: 100 },
  ],
  ["POST", "/channels/messaging/big/query", { state: true, messages: { limit: 300, offset: 1000 } }],
  ["POST", "/channels/messaging/big/read", {}],
  ["POST", "/channels/read", {}],
  ["POST", "/polls/query", { sort: [{ field: "name" }] }],
  ["POST", "/reminders/query", {}],
];

test(
  "the most expensive allowed requests block other requests no longer than the limit",
  { timeout: 900_000 },
  async () => {
    const unexpected: unknown[] = [];
    for (const [method, route, body] of WORST) {
      const { status, json } = await request("ada", method, route, body);
      // 408 and 400: refused with a reason, because the call would be too expensive
      if (![200, 201, 400, 408].includes(status)) unexpected.push([method, route, status, json.message]);
    }
    expect(unexpected).toEqual([]);
    expect(slowOperations).toEqual([]);
  },
);

test(
  "a truncation and a deletion of a big channel block other requests no longer than the limit",
  { timeout: 900_000 },
  async () => {
    const truncated = await request("server", "POST", `/channels/messaging/big/truncate`);
    expect([truncated.status, (truncated.json.channel as Json).cid]).toEqual([201, BIG_ROOM]);
    expect((await request("server", "DELETE", "/channels/messaging/big")).status).toBe(200);
    expect(slowOperations).toEqual([]);
  },
);
