/** Dry runs of the client: to whom they may be sent, and what travels along (specification/command-line.md §5). */
import { describe, expect, test } from "vitest";
import { answersDryRuns, DryRuns } from "../../../src/core/http/dry-run.ts";
import { createApiCaller } from "../../../src/core/http/caller.ts";
import { createTokens } from "../../../src/core/http/token.ts";
import type { CallArgs } from "../../../src/core/core.ts";
import type { PendingCall } from "../../../src/core/http/request.ts";
import { endpoints, type EndpointName } from "../../../src/wire/endpoints/index.ts";
import type { DryRun } from "../../../src/wire/dry-run.ts";
import { fakeLog, fakeRequests, jsonReply } from "../../support/fake-ports.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";

test.each([
  ["http://127.0.0.1:4000", "local_0123456789abcdef", true],
  ["http://localhost:4000", "local_0123456789abcdef", true],
  ["http://[::1]:4000/", "local_0123456789abcdef", true],
  ["https://127.9.9.9", "local_0123456789abcdef", true],
  ["http://127.0.0.1:4000", "k3y", false],
  ["http://127.0.0.1:4000", "a_local_0123456789abcdef", false],
  ["https://chat.example", "local_0123456789abcdef", false],
  ["http://127.0.0.1.example", "local_0123456789abcdef", false],
  ["http://localhost.example", "local_0123456789abcdef", false],
  ["http://user@chat.example:80/127.0.0.1", "local_0123456789abcdef", false],
  ["http://127.0.0.1@chat.example", "local_0123456789abcdef", false],
  ["", "local_0123456789abcdef", false],
])("a provider at %s with the key %s may be sent a dry run: %s", (url, key, answers) => {
  expect(answersDryRuns(url, key)).toBe(answers);
});

function callerOf(baseUrl: string, apiKey: string) {
  const clock = new VirtualClock();
  const random = fixedRandom();
  const { port, calls } = fakeRequests(clock, { "POST /polls": () => jsonReply({ duration: "1ms" }, 201) });
  const tokens = createTokens({ clock, random, secret: "s".repeat(32), now: () => clock.now() });
  const caller = createApiCaller({
    unchecked: true,
    baseUrl: () => baseUrl,
    apiKey,
    clientName: "parley-1",
    request: port,
    clock,
    random,
    log: fakeLog(),
    tokens,
    connectionId: () => undefined,
    beforeWrite: () => Promise.reject(new Error("asked")),
  });
  return { caller, calls };
}
const poll = { body: { name: "Lunch?" }, dry: true } as CallArgs<"createPoll">;

test("a dry run of a hosted provider is refused before anything is sent", async () => {
  for (const [url, key] of [
    ["https://chat.example", "local_0123456789abcdef"],
    ["http://127.0.0.1:1", "k3y"],
  ] as const) {
    const { caller, calls } = callerOf(url, key);
    await expect(caller.call("createPoll", poll)).rejects.toThrow("does not answer dry runs");
    expect(calls).toEqual([]);
  }
});

test("a dry run says so in two headers, one of which a server that does not know it must refuse", async () => {
  const { caller, calls } = callerOf("http://127.0.0.1:1", "local_0123456789abcdef");
  await caller.call("createPoll", poll);
  expect(calls).toHaveLength(1);
  expect(calls[0]!.request).toMatchObject({ headers: { "x-dry-run": "after", expect: "dry-run" } });
});

describe("the calls that travel along", () => {
  const pending = (name: EndpointName, args: object): PendingCall =>
    ({ name, row: endpoints[name], args, requestId: "r", upload: undefined }) as PendingCall;
  const request = (body: object) => ({
    method: "POST",
    url: "http://127.0.0.1:1/x?api_key=k",
    headers: {},
    body: JSON.stringify(body),
    timeout: 0,
    maxBytes: 1,
  });
  const tried = (
    runs: DryRuns,
    name: EndpointName,
    args: { body: object; path?: object },
    reply = {},
  ): void => runs.answered(pending(name, args), request(args.body), reply);
  const bodies = (runs: DryRuns, name: EndpointName, args: { body: object; path?: object }): unknown[] => {
    const asked = JSON.parse(runs.asking(pending(name, args), request(args.body)).body as string) as DryRun;
    return asked.before.map(({ body }) => JSON.parse(body!) as unknown);
  };

  test("are those that name the same things, with what these need, in their order", () => {
    const runs = new DryRuns();
    tried(runs, "createPoll", { body: { id: "lunch" } });
    for (let n = 0; n < 30; n++) tried(runs, "createRole", { body: { name: `role-${n}` } });
    tried(runs, "createSegment", { body: { id: "testers", with: "lunch" } });
    expect(bodies(runs, "createCampaign", { body: { segment: "testers" } })).toEqual([
      { id: "lunch" },
      { id: "testers", with: "lunch" },
    ]);
  });

  test("include the one whose answer named the thing, such as a channel that it would open", () => {
    const runs = new DryRuns();
    tried(
      runs,
      "queryDistinctChannel",
      { body: { m: 1 } },
      { channel: { id: "!members-x", cid: "messaging:!members-x" } },
    );
    tried(runs, "createRole", { body: { r: 1 } });
    expect(
      bodies(runs, "sendMessage", { path: { type: "messaging", id: "!members-x" }, body: { t: 1 } }),
    ).toEqual([{ m: 1 }]);
  });

  test("are never more than 20, nor more than half of a body's limit", () => {
    const runs = new DryRuns();
    for (let n = 0; n < 1000; n++)
      tried(runs, "createRole", { body: { [`key-${n}`]: "all", [`by-${n % 60}`]: 1 } });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`by-${n}`, 1]));
    expect(bodies(runs, "createRole", { body: many })).toHaveLength(20);
    const big = new DryRuns();
    for (let n = 0; n < 20; n++) tried(big, "createRole", { body: { same: "x".repeat(100_000) } });
    expect(bodies(big, "createRole", { body: { same: 1 } })).toHaveLength(5);
  });

  test("of many that name one thing are the first, which made it", () => {
    const runs = new DryRuns();
    for (let n = 0; n < 100; n++) tried(runs, "sendMessage", { body: { cid: "ops", n } });
    expect(bodies(runs, "sendMessage", { body: { cid: "ops", n: 100 } })).toEqual([{ cid: "ops", n: 0 }]);
  });
});
