/** The connection on the virtual clock: timers, half-open links, tokens, fallback and return, late events, close (specification/realtime.md §2–6, §11–13). */
import { describe, expect, test } from "vitest";
import { PortFailure } from "../../../src/core/base/ports.ts";
import { fakeMe, helloFrame } from "../../support/fake-provider.ts";
import { errorReply, jsonReply } from "../../support/fake-ports.ts";
import { signToken } from "../../../src/wire/token.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";

const HELLO = helloFrame("mira");
const connect = async (
  at: VirtualCore,
  token: Parameters<VirtualCore["core"]["connectUser"]>[1] = miraToken(),
) => {
  const done = at.core.connectUser({ id: "mira", name: "Mira" }, token);
  done.catch(() => undefined);
  await at.clock.settle();
  return done;
};
async function opened(
  options: Parameters<typeof virtualCore>[0] = {},
  ports: Parameters<typeof virtualCore>[1] = {},
  on: VirtualCore["on"] = {},
) {
  const at = virtualCore(options, ports, on);
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(HELLO);
  await done;
  await at.clock.settle();
  return at;
}
const link = (at: VirtualCore) => at.core.state().link;

describe("connecting", () => {
  test("the URL has the handshake, the key, the raw token and the auth type (specification/realtime.md §1)", async () => {
    const at = virtualCore();
    void connect(at);
    await at.clock.settle();
    const url = new URL(at.sockets.last.url);
    expect(url.origin + url.pathname).toBe("ws://p:1/connect");
    expect(JSON.parse(url.searchParams.get("json")!)).toEqual({
      user_id: "mira",
      user_details: { id: "mira", name: "Mira" },
      server_determines_connection_id: true,
    });
    expect(url.searchParams.get("authorization")).toBe(miraToken());
    expect(url.searchParams.get("stream-auth-type")).toBe("jwt");
    expect(url.searchParams.get("api_key")).toBe("k");
  });
  test("the first frame opens the connection: the current user is set before the state is online", async () => {
    const at = virtualCore();
    let meFirst = false;
    at.core.on("connection.changed", () => (meFirst = at.core.state().me?.id === "mira"));
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    at.sockets.last.frame(HELLO);
    expect(await done).toMatchObject({ id: "mira" });
    expect(meFirst).toBe(true);
    expect(link(at)).toMatchObject({ phase: "open", transport: "websocket", failures: 0 });
  });
  test.each([
    ["websocket", 15_000],
    ["auto", 6000],
  ] as const)("mode %s gives up on a silent socket after %i ms", async (transport, ms) => {
    const at = virtualCore({ transport });
    await Promise.race([connect(at), at.clock.settle()]);
    await at.clock.advance(ms - 1);
    expect(at.sockets.last.closed).toBeUndefined();
    await at.clock.advance(1);
    expect(at.sockets.last.closed).toBe("terminated");
  });
  test("a refusal rejects connectUser with the API error, and reconnect tries again", async () => {
    const at = virtualCore();
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    at.sockets.last.frame({ error: { code: 43, message: "token signature is invalid", StatusCode: 401 } });
    await expect(done).rejects.toMatchObject({
      code: 43,
      status: 401,
      message: "token signature is invalid",
    });
    expect(link(at)).toMatchObject({
      phase: "stopped",
      cause: "refused",
      code: 43,
      reason: "token signature is invalid",
    });
    expect(at.core.userId).toBe("mira");
    await at.clock.advance(600_000);
    expect(at.sockets.all.length).toBe(1);
    at.core.reconnect();
    await at.clock.settle();
    at.sockets.last.frame(HELLO);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(2);
    expect(link(at)).toMatchObject({ phase: "open" });
    expect(link(at).cause).toBeUndefined();
  });
  test("after a refusal connectUser can be called again, for another user too", async () => {
    const at = virtualCore();
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    at.sockets.last.frame({ error: { code: 5, message: "user mira was deleted", StatusCode: 401 } });
    await expect(done).rejects.toMatchObject({ code: 5 });
    const other = at.core.connectUser({ id: "otto" }, signToken({ user_id: "otto" }, "s"));
    await at.clock.settle();
    at.sockets.last.frame(helloFrame("otto"));
    expect(await other).toMatchObject({ id: "otto" });
  });
  test("a provider that closes every connection before its first frame fails connectUser at the third, and is retried every minute", async () => {
    const at = virtualCore();
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    let failed: Error | undefined;
    done.catch((error: Error) => (failed = error));
    for (let n = 1; n <= 3; n++) {
      await at.clock.settle();
      expect(failed).toBeUndefined();
      at.sockets.last.handlers.close(1000, "");
      await at.clock.advance(n < 3 ? 10_000 : 0);
    }
    expect(failed).toMatchObject({
      code: "ERR_NETWORK",
      message: "the provider keeps closing the connection: the provider ended the connection",
    });
    expect(link(at)).toMatchObject({ phase: "waiting", cause: "ended", retryAt: at.clock.now() + 60_000 });
    await at.clock.advance(59_999);
    expect(at.sockets.all.length).toBe(3);
    await at.clock.advance(1);
    expect(at.sockets.all.length).toBe(4);
    at.sockets.last.handlers.close(4999, "");
    await at.clock.settle();
    at.core.reconnect();
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(5);
    at.sockets.last.frame(HELLO);
    expect(link(at)).toMatchObject({ phase: "open", failures: 0 });
  });
  test("an upgrade refused with an error body is an API error, one with 404 is a network failure", async () => {
    const at = virtualCore();
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    at.sockets.last.handlers.refused?.(404, '{"code":16,"message":"no"}');
    at.sockets.last.handlers.close(1006, "");
    expect(link(at)).toMatchObject({ phase: "waiting", failures: 1 });
    await at.clock.advance(2500);
    at.sockets.last.handlers.refused?.(401, '{"code":2,"message":"unknown key","StatusCode":401}');
    at.sockets.last.handlers.close(1006, "");
    await expect(done).rejects.toMatchObject({ code: 2 });
  });
  test("network failures leave connectUser pending and are retried with increasing delays", async () => {
    const at = virtualCore();
    let settled = false;
    void at.core.connectUser({ id: "mira" }, miraToken()).finally(() => (settled = true));
    await at.clock.settle();
    const bounds = [1375, 3250, 5250, 7250];
    for (const [n, ms] of bounds.entries()) {
      at.sockets.last.handlers.close(1006, "");
      expect(link(at)).toMatchObject({ phase: "waiting", failures: n + 1 });
      expect(link(at).retryAt).toBe(at.clock.now() + ms);
      await at.clock.advance(ms - 1);
      expect(at.sockets.all.length).toBe(n + 1);
      await at.clock.advance(1);
      expect(at.sockets.all.length).toBe(n + 2);
    }
    expect(settled).toBe(false);
    at.sockets.last.frame(HELLO);
    await at.clock.settle();
    expect(settled).toBe(true);
    expect(link(at).failures).toBe(0);
  });
});

describe("local errors (specification/auth.md §4)", () => {
  test("a user without an id: The id field on the user is missing", async () => {
    const at = virtualCore();
    await expect(at.core.connectUser({ id: "" }, miraToken())).rejects.toThrow(
      "The id field on the user is missing",
    );
  });
  test("a second connectUser for another user is refused; for the same user it returns the same promise", async () => {
    const at = virtualCore();
    const first = at.core.connectUser({ id: "mira" }, miraToken());
    expect(at.core.connectUser({ id: "mira" }, miraToken())).toBe(first);
    await expect(at.core.connectUser({ id: "otto" }, "x")).rejects.toThrow(
      "connectUser called twice without disconnect",
    );
    await at.clock.settle();
    at.sockets.last.frame(HELLO);
    await first;
    expect(at.sockets.all.length).toBe(1);
  });
  test("signing out before the connection is prepared opens no socket for the former user", async () => {
    const ready = Promise.withResolvers<void>();
    const at = virtualCore({ prepare: () => ready.promise });
    const mira = at.core.connectUser({ id: "mira" }, miraToken());
    const refused = expect(mira).rejects.toThrow("cancelled");
    await at.core.disconnectUser();
    void at.core.connectUser({ id: "otto" }, signToken({ user_id: "otto" }, "s"));
    ready.resolve();
    await at.clock.settle();
    await refused;
    expect(at.sockets.all.length).toBe(1);
  });
  test("without an address: Websocket base url not set", async () => {
    const at = virtualCore({ wsUrl: "" });
    await expect(at.core.connectUser({ id: "mira" }, miraToken())).rejects.toThrow(
      "Websocket base url not set",
    );
  });
  test("a token of another user: User token does not belong to user", async () => {
    const at = virtualCore();
    await expect(at.core.connectUser({ id: "otto" }, miraToken())).rejects.toThrow(
      "User token does not belong to user otto",
    );
  });
  test("a call during connecting waits for the connection (specification/auth.md §4)", async () => {
    const at = virtualCore({}, {}, { "GET /unread": () => jsonReply({ duration: "" }) });
    void connect(at);
    await at.clock.settle();
    const call = at.core.call("getUnread");
    await at.clock.settle();
    expect(at.count("GET /unread")).toBe(0);
    at.sockets.last.frame(HELLO);
    await call;
    expect(at.calls.at(-1)!.url.searchParams.get("connection_id")).toBe("c1");
  });
});

describe("heartbeat (specification/realtime.md §3)", () => {
  test("a ping is sent every 25 s, as a list with one object", async () => {
    const at = await opened();
    await at.clock.advance(24_999);
    expect(at.sockets.last.sent).toEqual([]);
    await at.clock.advance(1);
    expect(JSON.parse(at.sockets.last.sent[0]!)).toEqual([
      { type: "health.check", client_id: expect.stringMatching(/^mira--/) },
    ]);
    at.sockets.last.frame({ type: "health.check", connection_id: "c1", created_at: "2026-03-04T05:06:32Z" });
    await at.clock.advance(25_000);
    expect(at.sockets.last.sent.length).toBe(2);
    expect(link(at).phase).toBe("open");
  });
  test("a half-open connection is detected within 36 s of silence", async () => {
    const at = await opened();
    await at.clock.advance(34_999);
    expect(link(at).phase).toBe("open");
    await at.clock.advance(1001);
    expect(link(at)).toMatchObject({ phase: "waiting", reason: "nothing was heard from the provider" });
    expect(at.sockets.last.closed).toBe("terminated");
    expect(at.story).toEqual(["online", "offline"]);
  });
  test("any frame counts as a sign of life, even invalid JSON, which is skipped", async () => {
    const at = await opened();
    for (let n = 0; n < 10; n++) {
      await at.clock.advance(20_000);
      at.sockets.last.frame(n % 2 ? "not json" : "[1]");
    }
    expect(link(at).phase).toBe("open");
    expect(at.log.some((line) => line.includes("not JSON was skipped"))).toBe(true);
  });
  test("a call without an answer sends a ping at once, and the connection is dead 5 s later", async () => {
    const at = await opened({}, {}, { "GET /unread": () => "never" });
    const began = at.clock.monotonic();
    at.core.call("getUnread").catch(() => undefined);
    let noticed = -1;
    at.core.on("connection.changed", () => (noticed = at.clock.monotonic() - began));
    await at.clock.advance(9000);
    expect(at.sockets.last.sent.length).toBe(1);
    expect(noticed).toBe(8000);
  });
  test("an answer to that ping keeps the connection and gives the latency", async () => {
    const at = await opened({}, {}, { "GET /unread": () => new PortFailure("network", "x") });
    await at.core.call("getUnread").catch(() => undefined);
    await at.clock.advance(40);
    at.sockets.last.frame({ type: "health.check", connection_id: "c1", created_at: "2026-03-04T05:06:08Z" });
    expect(link(at).latency).toBe(40);
    await at.clock.advance(10_000);
    expect(link(at).phase).toBe("open");
  });
  test("each ping gives its own latency, and a lost connection has none", async () => {
    const at = await opened();
    const answer = async (ms: number): Promise<number | undefined> => {
      await at.clock.advance(ms);
      at.sockets.last.frame({
        type: "health.check",
        connection_id: "c1",
        created_at: "2026-03-04T05:06:08Z",
      });
      return link(at).latency;
    };
    await at.clock.advance(25_000);
    expect(await answer(40)).toBe(40);
    await at.clock.advance(24_960);
    expect(await answer(5)).toBe(5);
    at.sockets.last.handlers.close(1006, "");
    expect(link(at).phase).toBe("waiting");
    expect(link(at).latency).toBeUndefined();
  });
  test("after a sleep of the machine a ping is sent within 5 s", async () => {
    const at = await opened();
    await at.clock.advance(6000);
    at.clock.sleep(3_600_000);
    await at.clock.advance(5000);
    expect(at.sockets.last.sent.length).toBe(1);
    await at.clock.advance(5000);
    expect(link(at).phase).toBe("waiting");
  });
  test("setting the wall clock back does not affect an open connection", async () => {
    const at = await opened();
    at.clock.sleep(-7_200_000);
    await at.clock.advance(20_000);
    expect(link(at).phase).toBe("open");
    expect(at.sockets.last.sent).toEqual([]);
  });
  test("the provider's time is taken from health checks (specification/wire.md §7)", async () => {
    const at = await opened();
    at.sockets.last.frame({ type: "health.check", connection_id: "c1", created_at: "2026-03-04T06:06:07Z" });
    expect(at.core.providerNow()).toBe(Date.parse("2026-03-04T06:06:07Z"));
  });
  test("frames of one tick are one batch of events", async () => {
    const at = await opened();
    let notified = 0;
    at.core.subscribe(() => notified++);
    for (let n = 0; n < 500; n++)
      at.sockets.last.frame({ type: "custom.tick", created_at: "2026-03-04T05:06:08Z", n });
    expect(at.events.filter((e) => e.type === "custom.tick").length).toBe(0);
    await at.clock.advance(0);
    expect(at.events.filter((e) => e.type === "custom.tick").map((e) => e.n)).toEqual(
      Array.from({ length: 500 }, (_, n) => n),
    );
    expect(notified).toBeLessThanOrEqual(1);
  });
  test("a frame over 2 MiB closes with 1009 and reconnects (specification/security.md §1)", async () => {
    const at = await opened();
    at.sockets.last.frame(`"${"x".repeat(2 * 1024 * 1024)}"`);
    expect(at.sockets.last.closed).toBe(1009);
    expect(link(at).phase).toBe("waiting");
  });
});

describe("tokens while connected (specification/auth.md §8)", () => {
  test("code 40 on an open connection renews the token and reconnects at once without counting a failure", async () => {
    const at = virtualCore();
    let tokensIssued = 0;
    const done = at.core.connectUser({ id: "mira" }, () => miraToken(++tokensIssued));
    await at.clock.settle();
    at.sockets.last.frame(HELLO);
    await done;
    at.sockets.last.frame({ error: { code: 40, message: "revoked", StatusCode: 401 } });
    await at.clock.settle();
    expect(tokensIssued).toBe(2);
    expect(at.sockets.all.length).toBe(2);
    expect(new URL(at.sockets.last.url).searchParams.get("authorization")).toBe(miraToken(2));
    expect(link(at)).toMatchObject({ phase: "connecting", failures: 0 });
  });
  test("from the second on renewals wait for the back-off, and after 5 the connection stops (specification/auth.md §8)", async () => {
    const at = virtualCore();
    let tokensIssued = 0;
    const done = at.core.connectUser({ id: "mira" }, () => miraToken(++tokensIssued));
    done.catch(() => undefined);
    for (let n = 0; n < 6; n++) {
      await at.clock.settle();
      at.sockets.last.frame({ error: { code: 40, message: "expired", StatusCode: 401 } });
      await at.clock.advance(10_000);
    }
    await expect(done).rejects.toThrow("sign in again");
    expect(tokensIssued).toBe(6);
    expect(link(at).phase).toBe("stopped");
  });
  test("calls and the connection share one renewal", async () => {
    let validToken = 1;
    const at = virtualCore(
      {},
      {},
      {
        "GET /unread": (call) =>
          call.request.headers.Authorization === miraToken(validToken)
            ? jsonReply({ duration: "" })
            : errorReply(401, 40),
      },
    );
    let tokensIssued = 0;
    const done = at.core.connectUser({ id: "mira" }, () => miraToken(++tokensIssued));
    await at.clock.settle();
    at.sockets.last.frame(HELLO);
    await done;
    validToken = 2;
    const calls = [at.core.call("getUnread"), at.core.call("getUnread")];
    at.sockets.last.frame({ error: { code: 40, message: "expired", StatusCode: 401 } });
    await at.clock.settle();
    await Promise.all(calls);
    expect(tokensIssued).toBe(2);
  });
});

describe("the long-poll fallback (specification/realtime.md §11)", () => {
  const poller = (): VirtualCore["on"] & { polls: (answer: unknown) => void } => {
    let answer: ((reply: ReturnType<typeof jsonReply>) => void) | undefined;
    return {
      "GET /hi": () => jsonReply({ duration: "" }),
      "GET /longpoll": (call) => {
        const query = call.url.searchParams;
        if (query.has("close")) return jsonReply({ duration: "" });
        if (query.has("json"))
          return jsonReply({ event: { ...helloFrame("mira", "l1") }, events: [], duration: "" });
        return new Promise((resolve, reject) => {
          answer = resolve;
          call.request.signal?.addEventListener("abort", () => reject(new PortFailure("abort", "x")));
        });
      },
      polls: ((body: unknown) => answer?.(jsonReply(body))) as never,
    };
  };
  async function openedByPolling(ports: Parameters<typeof virtualCore>[1] = {}) {
    const on = poller();
    const at = virtualCore({ transport: "auto" }, ports, on);
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.advance(6000);
    await done;
    return Object.assign(at, { polls: on.polls });
  }

  test("a WebSocket that does not open within 6 s is replaced by long polling, and the state says so", async () => {
    const at = await openedByPolling();
    expect(link(at)).toMatchObject({ phase: "open", transport: "longpoll", failures: 0 });
    expect(at.story).toEqual(["online", "longpoll"]);
    await at.core.call("getUnread").catch(() => undefined);
    expect(at.calls.at(-1)!.url.searchParams.get("connection_id")).toBe("l1");
  });
  test("events of a poll are one batch, and the next poll follows within 20 ms", async () => {
    const at = await openedByPolling();
    const before = at.count("GET /longpoll");
    at.polls({
      events: [{ type: "custom.a", created_at: "2026-03-04T05:06:08Z" }, { no: "type" }],
      duration: "",
    });
    await at.clock.advance(20);
    expect(at.story).toContain("custom.a");
    expect(at.count("GET /longpoll")).toBe(before + 1);
  });
  test("empty answers that arrive at once are polled at most every 250 ms", async () => {
    const at = await openedByPolling();
    const before = at.count("GET /longpoll");
    for (let n = 0; n < 20; n++) {
      at.polls({ events: [], duration: "" });
      await at.clock.advance(50);
    }
    expect(at.count("GET /longpoll") - before).toBeLessThanOrEqual(4);
  });
  test("if /hi does not answer either, the WebSocket is retried after the usual delay", async () => {
    const at = virtualCore({ transport: "auto" }, {}, { "GET /hi": () => "never" });
    void connect(at);
    await at.clock.advance(6000 + 3000);
    expect(link(at)).toMatchObject({ phase: "waiting", failures: 1 });
    await at.clock.advance(1375);
    expect(at.sockets.all.length).toBe(2);
  });
  test("asked to reconnect while it polls, the client tries a WebSocket beside the poll at once, one at a time", async () => {
    const at = await openedByPolling();
    const sockets = at.sockets.all.length;
    at.core.reconnect();
    at.core.reconnect();
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(sockets + 1);
    expect(link(at)).toMatchObject({ phase: "open", transport: "longpoll" });
    at.sockets.last.frame(helloFrame("mira", "w2"));
    await at.clock.settle();
    expect(link(at)).toMatchObject({ phase: "open", transport: "websocket" });
  });
  test("after a minute a WebSocket is tried beside the poll, and its first frame replaces the poll", async () => {
    const at = await openedByPolling();
    const sockets = at.sockets.all.length;
    await at.clock.advance(59_000);
    expect(at.sockets.all.length).toBe(sockets);
    await at.clock.advance(1000);
    expect(at.sockets.all.length).toBe(sockets + 1);
    expect(link(at).transport).toBe("longpoll");
    at.sockets.last.frame(helloFrame("mira", "w2"));
    await at.clock.settle();
    expect(link(at)).toMatchObject({ phase: "open", transport: "websocket" });
    expect(at.story.filter((s) => s === "websocket" || s === "longpoll" || s === "offline")).toEqual([
      "longpoll",
      "websocket",
    ]);
    const closing = at.calls.find((call) => call.url.searchParams.get("close") === "true");
    expect(closing?.url.searchParams.get("connection_id")).toBe("l1");
    await at.core.call("getUnread").catch(() => undefined);
    expect(at.calls.at(-1)!.url.searchParams.get("connection_id")).toBe("w2");
  });
  test("a failed return to the WebSocket leaves the poll open and is retried a minute later", async () => {
    const at = await openedByPolling();
    await at.clock.advance(60_000);
    const sockets = at.sockets.all.length;
    at.sockets.last.handlers.close(1006, "");
    await at.clock.advance(59_000);
    expect(link(at).transport).toBe("longpoll");
    expect(at.sockets.all.length).toBe(sockets);
    await at.clock.advance(1000);
    expect(at.sockets.all.length).toBe(sockets + 1);
  });
  test("reopening a broken poll does not delay the return to the WebSocket", async () => {
    const at = await openedByPolling();
    await at.clock.advance(20_000);
    at.on["GET /longpoll"] = () => errorReply(500, -1, "broken");
    at.polls({ events: [], duration: "" });
    await at.clock.advance(2000);
    Object.assign(at.on, poller());
    const sockets = at.sockets.all.length;
    await at.clock.advance(30_000);
    expect([link(at).transport, at.sockets.all.length]).toEqual(["longpoll", sockets]);
    await at.clock.advance(8001);
    expect(at.sockets.all.length).toBe(sockets + 1);
  });
  test("when the network returns a WebSocket is tried too", async () => {
    let online = true;
    const at = await openedByPolling({ online: () => online });
    const sockets = at.sockets.all.length;
    online = false;
    await at.clock.advance(5000);
    online = true;
    await at.clock.advance(5000);
    expect(at.sockets.all.length).toBe(sockets + 1);
  });
});

describe("offline (specification/realtime.md §6)", () => {
  test("without a network interface no connection is tried; when one returns it is tried 10 ms later", async () => {
    let online = false;
    const at = virtualCore({}, { online: () => online });
    void connect(at);
    await at.clock.advance(60_000);
    expect(link(at)).toMatchObject({ phase: "offline", reason: "this machine has no network" });
    expect(at.sockets.all.length).toBe(0);
    online = true;
    await at.clock.advance(1010);
    expect(at.sockets.all.length).toBe(1);
  });
  test("a provider on loopback is never offline", async () => {
    const at = virtualCore({ isLoopback: true }, { online: () => false });
    void connect(at);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(1);
  });
});

describe("late results (specification/realtime.md §5, §13)", () => {
  test("frames and closes of a replaced socket change nothing", async () => {
    const at = await opened();
    const replaced = at.sockets.last;
    replaced.handlers.close(1001, "");
    await at.clock.advance(2500);
    at.sockets.last.frame(helloFrame("mira", "c2"));
    await at.clock.settle();
    const before = at.events.length;
    replaced.frame({ type: "custom.ghost", created_at: "2026-03-04T05:06:08Z" });
    replaced.frame(helloFrame("mira", "c1"));
    replaced.handlers.close(1000, "");
    await at.clock.advance(10);
    expect(at.events.length).toBe(before);
    expect(link(at).phase).toBe("open");
    await at.core.call("getUnread").catch(() => undefined);
    expect(at.calls.at(-1)!.url.searchParams.get("connection_id")).toBe("c2");
  });
  test("disconnectUser during connecting drops the socket, ignores its late first frame and rejects once", async () => {
    const at = virtualCore();
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    await at.core.disconnectUser();
    await expect(done).rejects.toMatchObject({ code: "ERR_CANCELED" });
    at.sockets.last.frame(HELLO);
    await at.clock.advance(60_000);
    expect(link(at).phase).toBe("idle");
    expect(at.core.state().me).toBeUndefined();
    expect(at.sockets.all.length).toBe(1);
  });
  test("disconnectUser on an open connection closes with 1000 and takes at most 1 s", async () => {
    const at = await opened();
    const done = at.core.disconnectUser();
    await at.clock.advance(1000);
    await done;
    expect(at.sockets.last.closed).toBe(1000);
    expect(link(at).phase).toBe("idle");
    await at.core.close();
    expect(at.clock.timers).toEqual([]);
  });
  test("without a connection calls are sent without connection_id", async () => {
    const at = await opened();
    at.sockets.last.handlers.close(1006, "");
    await at.core.call("getUnread").catch(() => undefined);
    expect(at.calls.at(-1)!.url.searchParams.has("connection_id")).toBe(false);
  });
  test("`me` of the first frame is the current user", async () => {
    const at = await opened();
    expect(at.core.state().me).toMatchObject(fakeMe("mira"));
  });
});
