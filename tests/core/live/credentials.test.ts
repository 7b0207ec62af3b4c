/** Credentials that end or are refused while connected: renewed before their end, waited for when only a new sign-in helps (specification/auth.md §8, §9). */
import { describe, expect, test, vi, type Mock } from "vitest";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { TokenSource } from "../../../src/core/core.ts";
import { PortFailure } from "../../../src/core/base/ports.ts";
import { watchSignIn } from "../../../src/core/live/token-watch.ts";
import { signToken } from "../../../src/wire/token.ts";
import { helloFrame } from "../../support/fake-provider.ts";
import { errorReply, jsonReply } from "../../support/fake-ports.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";

const link = (at: VirtualCore) => at.core.state().link;
const tokenUntil = (at: number): string => signToken({ user_id: "mira", exp: Math.floor(at / 1000) }, "s");
const tokenOf = (at: VirtualCore): string | null =>
  new URL(at.sockets.last.url).searchParams.get("authorization");

/** Its first frame has the time of the virtual clock plus `ahead` milliseconds. */
function hello(at: VirtualCore, connection: string, ahead = 0): void {
  const created_at = new Date(at.clock.now() + ahead).toISOString();
  at.sockets.last.frame({ ...helloFrame("mira", connection), created_at });
}
/** The provider sends health checks, so that the connection survives a quiet hour. */
async function passTime(at: VirtualCore, ms: number, ahead = 0): Promise<void> {
  for (let signedOut = ms; signedOut > 0; signedOut -= 10_000) {
    await at.clock.advance(Math.min(signedOut, 10_000));
    const created_at = new Date(at.clock.now() + ahead).toISOString();
    at.sockets.last.frame({ type: "health.check", connection_id: "c", created_at });
  }
}
async function opened(
  token: (at: VirtualCore) => TokenSource,
  options: Partial<CoreOptions> = {},
  ahead = 0,
): Promise<VirtualCore> {
  const at = virtualCore(options);
  const done = at.core.connectUser({ id: "mira" }, token(at));
  await at.clock.settle();
  hello(at, "c1", ahead);
  await done;
  return at;
}

describe("the watch for a sign-in", () => {
  /** A watch whose source has just been asked. */
  async function asked(): Promise<{
    clock: VirtualClock;
    found: Mock;
    answer: PromiseWithResolvers<boolean>;
    stopWaiting: () => void;
  }> {
    const clock = new VirtualClock();
    const found = vi.fn();
    const answer = Promise.withResolvers<boolean>();
    let isWaiting = true;
    watchSignIn({ clock, isWaiting: () => isWaiting, fetchNewer: () => answer.promise, found }).begin();
    await clock.advance(2000);
    return { clock, found, answer, stopWaiting: () => (isWaiting = false) };
  }

  test("is over with a newer token, and goes on without one or with a failing source", async () => {
    for (const [give, timers] of [
      [(answer: PromiseWithResolvers<boolean>) => answer.resolve(true), []],
      [(answer: PromiseWithResolvers<boolean>) => answer.resolve(false), [2000]],
      [(answer: PromiseWithResolvers<boolean>) => answer.reject(new Error("no token")), [2000]],
    ] as const) {
      const { clock, found, answer } = await asked();
      give(answer);
      await clock.settle();
      expect([found.mock.calls.length, clock.timers]).toEqual([timers.length === 0 ? 1 : 0, timers]);
    }
  });
  test.each([true, false])("is over once nobody waits, whatever is answered then: %s", async (other) => {
    const { clock, found, answer, stopWaiting } = await asked();
    stopWaiting();
    answer.resolve(other);
    await clock.settle();
    expect([found.mock.calls.length, clock.timers]).toEqual([0, []]);
  });
});

describe("a token that expires", () => {
  test("is renewed a minute before its expiry on a second connection, without going offline", async () => {
    const at = await opened(() => (now) => tokenUntil(now + 3_600_000));
    const first = tokenOf(at);
    await passTime(at, 3_530_000);
    expect(at.sockets.all.length).toBe(1);
    await at.clock.advance(12_000);
    expect(at.sockets.all.length).toBe(2);
    expect(tokenOf(at)).not.toBe(first);
    expect(link(at).phase).toBe("open");
    expect(at.sockets.all[0]!.closed).toBeUndefined();
    hello(at, "c2");
    await at.clock.settle();
    expect(at.sockets.all[0]!.closed).toBe(1000);
    expect(at.story.filter((name) => name === "offline")).toEqual([]);
    await at.core.call("getUnread").catch(() => undefined);
    expect(at.calls.at(-1)!.url.searchParams.get("connection_id")).toBe("c2");
  });
  test("is renewed by the provider's clock, also after that clock was moved", async () => {
    const ahead = 1_800_000;
    const at = await opened(() => (now) => tokenUntil(now + 3_600_000), {}, ahead);
    // The first token was signed before the provider's clock was known: valid for an hour here, half an hour there.
    await passTime(at, 1_720_000, ahead);
    expect(at.sockets.all.length).toBe(1);
    await passTime(at, 40_000, ahead);
    expect(at.sockets.all.length).toBe(2);
    hello(at, "c2", ahead);
    await at.clock.settle();
    // The new token is valid for an hour at the provider, whose clock is then moved to half a minute before its expiry.
    hello(at, "c2", ahead + 3_570_000);
    await at.clock.advance(0);
    expect(at.sockets.all.length).toBe(3);
  });
  test("a token without an expiry is not renewed", async () => {
    const at = await opened(() => () => miraToken());
    await passTime(at, (7 * 86_400_000) / 100);
    expect(at.sockets.all.length).toBe(1);
  });
  test("a token source that repeats its token is called again at growing intervals, and the connection stays", async () => {
    let sourceCalls = 0;
    const sameToken = (at: VirtualCore): TokenSource => {
      const token = tokenUntil(at.clock.now() + 600_000);
      return () => {
        sourceCalls++;
        return token;
      };
    };
    const at = await opened(sameToken);
    await passTime(at, 600_000);
    expect(sourceCalls).toBeGreaterThan(3);
    expect(sourceCalls).toBeLessThan(12);
    expect(at.sockets.all.length).toBe(1);
    expect(link(at).phase).toBe("open");
  });
  test("a renewed token that arrives after sign-out and a new sign-in opens no connection", async () => {
    const answers: ((token: string) => void)[] = [];
    const slow = (at: VirtualCore): TokenSource => {
      let first: string | undefined = tokenUntil(at.clock.now() + 3_600_000);
      return () => {
        const token = first;
        first = undefined;
        return token ?? new Promise((resolve) => answers.push(resolve));
      };
    };
    const at = await opened(slow);
    await passTime(at, 3_545_000);
    expect(answers.length).toBe(1);
    const signedOut = at.core.disconnectUser();
    await at.clock.advance(1000);
    await signedOut;
    const signedIn = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    hello(at, "c2");
    await signedIn;
    answers[0]!(tokenUntil(at.clock.now() + 3_600_000));
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(2);
  });
  test("a long poll presents the newer token by a second poll and loses no event", async () => {
    const pendingPolls: { token: unknown; answer(body: unknown): void }[] = [];
    const at = virtualCore(
      { transport: "longpoll" },
      {},
      {
        "GET /longpoll": (call) => {
          if (call.url.searchParams.has("json"))
            return jsonReply({
              event: { ...helloFrame("mira", "l1"), created_at: new Date(at.clock.now()).toISOString() },
              events: [],
              duration: "",
            });
          return new Promise((resolve, reject) => {
            const answer = (body: unknown): void => resolve(jsonReply(body));
            // One poll at a time: a second one makes the provider answer the first.
            pendingPolls
              .at(-1)
              ?.answer({ events: [{ type: "custom.first", created_at: "2026-03-04T05:06:08Z" }] });
            pendingPolls.push({ token: call.request.headers.Authorization, answer });
            call.request.signal?.addEventListener("abort", () => reject(new PortFailure("abort", "x")));
          });
        },
      },
    );
    const done = at.core.connectUser({ id: "mira" }, (now) => tokenUntil(now + 40_000));
    await at.clock.settle();
    await done;
    const [first] = pendingPolls;
    await at.clock.advance(32_100);
    expect(pendingPolls.length).toBe(2);
    expect(pendingPolls[1]!.token).not.toBe(first!.token);
    expect(at.story).toContain("custom.first");
    pendingPolls[1]!.answer({ events: [{ type: "custom.second", created_at: "2026-03-04T05:06:09Z" }] });
    await at.clock.settle();
    expect(at.story.filter((name) => name.startsWith("custom"))).toEqual(["custom.first", "custom.second"]);
    expect(pendingPolls.length).toBe(3);
    // The newer token is renewed before its own expiry, not before that of the former one.
    const tokens = (): number => new Set(pendingPolls.map(({ token }) => token)).size;
    await at.clock.advance(30_000);
    expect(tokens()).toBe(2);
    await at.clock.advance(4000);
    expect(tokens()).toBe(3);
    expect(link(at).phase).toBe("open");
  });
});

test.each([
  ["ahead of", 30],
  ["behind", -30],
])(
  "before a new token is requested the provider's time is requested, %s this machine's",
  async (_, hours) => {
    const ahead = hours * 3_600_000;
    const clockOffsets: number[] = [];
    const at = virtualCore();
    at.on["GET /hi"] = () =>
      jsonReply({ duration: "" }, 200, { date: new Date(at.clock.now() + ahead).toUTCString() });
    const done = at.core.connectUser({ id: "mira" }, (now) => {
      clockOffsets.push(now - at.clock.now());
      return tokenUntil(now + 86_400_000);
    });
    await at.clock.settle();
    at.sockets.last.frame({ error: { code: 40, message: "token is expired", StatusCode: 401 } });
    await at.clock.settle();
    expect(clockOffsets).toEqual([0, ahead]);
    hello(at, "c1", ahead);
    await done;
  },
);

describe("refused credentials", () => {
  const refuse = (at: VirtualCore, code: number): void =>
    at.sockets.last.frame({ error: { code, message: "no", StatusCode: code === 99 ? 403 : 401 } });

  test.each([2, 5, 17, 41, 42, 43, 99])(
    "code %i on an open connection stops it by name, and nothing reconnects",
    async (code) => {
      const at = await opened(() => miraToken());
      refuse(at, code);
      await at.clock.advance(600_000);
      expect(link(at)).toMatchObject({ phase: "stopped", cause: "refused", code, reason: "no" });
      expect(at.sockets.all.length).toBe(1);
    },
  );
  test("are recognized in the reason of a close", async () => {
    for (const reason of ['{"code":43,"message":"no"}', '{"error":{"code":40,"message":"no"}}']) {
      const at = await opened(() => miraToken());
      at.sockets.last.handlers.close(4001, reason);
      await at.clock.settle();
      expect(link(at)).toMatchObject({ phase: "stopped", cause: "refused", reason: "no" });
    }
  });
  test.each(["", "bye", '{"code":16}', '{"error":null}', "null", "43"])(
    "are not assumed from a close reason such as '%s'",
    async (reason) => {
      const at = await opened(() => miraToken());
      at.sockets.last.handlers.close(4001, reason);
      await at.clock.settle();
      expect(link(at)).toMatchObject({ phase: "waiting", failures: 1 });
    },
  );
  test("a changed stored token is noticed within seconds, and waiting messages are sent", async () => {
    let stored = miraToken(1);
    const sent: string[] = [];
    const at = virtualCore(
      { tokenIsStored: true },
      {},
      {
        "POST /channels/messaging/tea/message": (call) => {
          sent.push(String(call.request.headers.Authorization));
          const message = { ...(call.body.message as object), cid: "messaging:tea", user: { id: "mira" } };
          return jsonReply({ message, duration: "" }, 201);
        },
      },
    );
    const done = at.core.connectUser({ id: "mira" }, () => stored);
    await at.clock.settle();
    hello(at, "c1");
    await done;
    refuse(at, 40);
    await at.clock.settle();
    expect(link(at)).toMatchObject({ phase: "stopped", cause: "refused", code: 40, reason: "no" });
    const { outcome } = at.core.send({ cid: "messaging:tea" }, { text: "kept" });
    await at.clock.advance(60_000);
    expect(sent).toEqual([]);
    expect(at.sockets.all.length).toBe(1);
    stored = miraToken(2);
    await at.clock.advance(2000);
    expect(at.sockets.all.length).toBe(2);
    expect(tokenOf(at)).toBe(stored);
    hello(at, "c2");
    await at.clock.settle();
    expect(await outcome).toMatchObject({ state: "received" });
    expect(sent).toEqual([stored]);
    const closed = at.core.close();
    await at.clock.advance(1000);
    await closed;
    expect(at.clock.timers).toEqual([]);
  });
  test("a message sent while signed out waits for a sign-in", async () => {
    const at = await opened(() => miraToken());
    at.core.state();
    refuse(at, 43);
    await at.clock.settle();
    const { outcome } = at.core.send({ cid: "messaging:tea" }, { text: "kept" });
    let settled = false;
    void outcome.then(() => (settled = true));
    await at.clock.advance(120_000);
    expect(settled).toBe(false);
    expect(at.core.state().outbox).toBe(1);
    expect(at.count("POST /channels/messaging/tea/message")).toBe(0);
  });
  test.each([
    [401, 2],
    [401, 5],
    [401, 40],
    [401, 43],
    [403, 99],
  ])("a message refused with status %i code %i is stored and waits for a sign-in", async (status, code) => {
    const at = await opened(() => miraToken());
    at.on["POST /channels/messaging/tea/message"] = () => errorReply(status, code);
    let settled = false;
    void at.core.send({ cid: "messaging:tea" }, { text: "kept" }).outcome.then(() => (settled = true));
    await at.clock.advance(60_000);
    expect(settled).toBe(false);
    expect(at.core.state().outbox).toBe(1);
  });
  test("a message is sent by a plain request while the provider closes every connection", async () => {
    const at = virtualCore();
    at.on["POST /channels/messaging/tea/message"] = (call) =>
      jsonReply({ message: { ...(call.body.message as object), cid: "messaging:tea" }, duration: "" }, 201);
    at.core.connectUser({ id: "mira" }, miraToken()).catch(() => undefined);
    for (let n = 0; n < 3; n++) {
      await at.clock.advance(10_000);
      at.sockets.last.handlers.close(1000, "");
      await at.clock.settle();
    }
    expect(link(at)).toMatchObject({ phase: "waiting", cause: "ended" });
    expect(await at.core.send({ cid: "messaging:tea" }, { text: "out" }).outcome).toMatchObject({
      state: "received",
    });
  });
  test("a refused call checks the connection's credentials by a second connection, at most every ten seconds", async () => {
    const at = await opened(() => miraToken());
    at.on["GET /unread"] = () => errorReply(401, 43);
    for (let n = 0; n < 5; n++) await at.core.call("getUnread").catch(() => undefined);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(2);
    expect(link(at).phase).toBe("open");
    // The check failed: the next one still waits.
    at.sockets.last.handlers.close(1006, "");
    await at.clock.advance(9999);
    await at.core.call("getUnread").catch(() => undefined);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(2);
    await at.clock.advance(1);
    await at.core.call("getUnread").catch(() => undefined);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(3);
    refuse(at, 43);
    await at.clock.settle();
    expect(link(at)).toMatchObject({ phase: "stopped", cause: "refused", code: 43 });
  });
  test("a call refused for its permissions does not affect the connection", async () => {
    const at = await opened(() => miraToken());
    at.on["GET /unread"] = () => errorReply(403, 17);
    await at.core.call("getUnread").catch(() => undefined);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(1);
  });
});
