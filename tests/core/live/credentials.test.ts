/** Credentials that end or are refused while connected: renewed before their end, waited for when only a new sign-in helps (specification/auth.md §8, §9). */
import { describe, expect, test } from "vitest";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { TokenSource } from "../../../src/core/core.ts";
import { PortFailure } from "../../../src/core/base/ports.ts";
import { signToken } from "../../../src/wire/token.ts";
import { helloFrame } from "../../support/fake-provider.ts";
import { errorReply, jsonReply } from "../../support/fake-ports.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";

const link = (at: VirtualCore) => at.core.state().link;
const ending = (at: number): string => signToken({ user_id: "mira", exp: Math.floor(at / 1000) }, "s");
const tokenOf = (at: VirtualCore): string | null =>
  new URL(at.sockets.last.url).searchParams.get("authorization");

/** Its first frame has the time of the virtual clock plus `ahead` milliseconds. */
function hello(at: VirtualCore, connection: string, ahead = 0): void {
  const created_at = new Date(at.clock.now() + ahead).toISOString();
  at.sockets.last.frame({ ...helloFrame("mira", connection), created_at });
}
/** The provider sends health checks, so that the connection survives a quiet hour. */
async function pass(at: VirtualCore, ms: number, ahead = 0): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    await at.clock.advance(Math.min(left, 10_000));
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

describe("a token that ends", () => {
  test("a newer one takes the link over a minute before, without a moment offline", async () => {
    const at = await opened(() => (now) => ending(now + 3_600_000));
    const first = tokenOf(at);
    await pass(at, 3_530_000);
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
  test("the provider's clock counts, also when it is moved later", async () => {
    const ahead = 1_800_000;
    const at = await opened(() => (now) => ending(now + 3_600_000), {}, ahead);
    // The first token was signed before the provider's clock was known: valid for an hour here, half an hour there.
    await pass(at, 1_720_000, ahead);
    expect(at.sockets.all.length).toBe(1);
    await pass(at, 40_000, ahead);
    expect(at.sockets.all.length).toBe(2);
    hello(at, "c2", ahead);
    await at.clock.settle();
    // The new token is valid for an hour at the provider, whose clock is then moved to half a minute before its expiry.
    hello(at, "c2", ahead + 3_570_000);
    await at.clock.advance(0);
    expect(at.sockets.all.length).toBe(3);
  });
  test("a token without an end is left alone for a week", async () => {
    const at = await opened(() => () => miraToken());
    await pass(at, (7 * 86_400_000) / 100);
    expect(at.sockets.all.length).toBe(1);
  });
  test("a source that is slow to give a newer one is asked again, later and later, and the link stays", async () => {
    let asked = 0;
    const only = (at: VirtualCore): TokenSource => {
      const token = ending(at.clock.now() + 600_000);
      return () => {
        asked++;
        return token;
      };
    };
    const at = await opened(only);
    await pass(at, 600_000);
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(12);
    expect(at.sockets.all.length).toBe(1);
    expect(link(at).phase).toBe("open");
  });
  test("a newer one that comes after the user has left and come back dials nothing", async () => {
    const answers: ((token: string) => void)[] = [];
    const slow = (at: VirtualCore): TokenSource => {
      let first: string | undefined = ending(at.clock.now() + 3_600_000);
      return () => {
        const token = first;
        first = undefined;
        return token ?? new Promise((resolve) => answers.push(resolve));
      };
    };
    const at = await opened(slow);
    await pass(at, 3_545_000);
    expect(answers.length).toBe(1);
    const left = at.core.disconnectUser();
    await at.clock.advance(1000);
    await left;
    const back = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    hello(at, "c2");
    await back;
    answers[0]!(ending(at.clock.now() + 3_600_000));
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(2);
  });
  test("a long poll shows its newer token by a second poll, and loses nothing", async () => {
    const held: { token: unknown; answer(body: unknown): void }[] = [];
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
            held.at(-1)?.answer({ events: [{ type: "custom.first", created_at: "2026-03-04T05:06:08Z" }] });
            held.push({ token: call.request.headers.Authorization, answer });
            call.request.signal?.addEventListener("abort", () => reject(new PortFailure("abort", "x")));
          });
        },
      },
    );
    const done = at.core.connectUser({ id: "mira" }, (now) => ending(now + 40_000));
    await at.clock.settle();
    await done;
    const [first] = held;
    await at.clock.advance(32_100);
    expect(held.length).toBe(2);
    expect(held[1]!.token).not.toBe(first!.token);
    expect(at.story).toContain("custom.first");
    held[1]!.answer({ events: [{ type: "custom.second", created_at: "2026-03-04T05:06:09Z" }] });
    await at.clock.settle();
    expect(at.story.filter((name) => name.startsWith("custom"))).toEqual(["custom.first", "custom.second"]);
    expect(held.length).toBe(3);
    // The newer token is renewed before its own expiry, not before that of the former one.
    const tokens = (): number => new Set(held.map(({ token }) => token)).size;
    await at.clock.advance(30_000);
    expect(tokens()).toBe(2);
    await at.clock.advance(4000);
    expect(tokens()).toBe(3);
    expect(link(at).phase).toBe("open");
  });
});

test("before a token is made anew the provider is asked what time it is there", async () => {
  const made: number[] = [];
  const ahead = 30 * 3_600_000;
  const at = virtualCore();
  at.on["GET /hi"] = () =>
    jsonReply({ duration: "" }, 200, { date: new Date(at.clock.now() + ahead).toUTCString() });
  const done = at.core.connectUser({ id: "mira" }, (now) => {
    made.push(now - at.clock.now());
    return ending(now + 86_400_000);
  });
  await at.clock.settle();
  at.sockets.last.frame({ error: { code: 40, message: "token is expired", StatusCode: 401 } });
  await at.clock.settle();
  expect(made).toEqual([0, ahead]);
  hello(at, "c1", ahead);
  await done;
});

describe("credentials that are refused", () => {
  const refuse = (at: VirtualCore, code: number): void =>
    at.sockets.last.frame({ error: { code, message: "no", StatusCode: code === 99 ? 403 : 401 } });

  test.each([2, 5, 17, 41, 42, 43, 99])(
    "code %i on an open link stops it by its name; nothing is dialled by itself",
    async (code) => {
      const at = await opened(() => miraToken());
      refuse(at, code);
      await at.clock.advance(600_000);
      expect(link(at)).toMatchObject({ phase: "stopped", cause: "refused", code, reason: "no" });
      expect(at.sockets.all.length).toBe(1);
    },
  );
  test("a close says the same in its reason", async () => {
    for (const reason of ['{"code":43,"message":"no"}', '{"error":{"code":40,"message":"no"}}']) {
      const at = await opened(() => miraToken());
      at.sockets.last.handlers.close(4001, reason);
      await at.clock.settle();
      expect(link(at)).toMatchObject({ phase: "stopped", cause: "refused", reason: "no" });
    }
  });
  test.each(["", "bye", '{"code":16}', '{"error":null}', "null", "43"])(
    "a reason such as '%s' refuses nothing",
    async (reason) => {
      const at = await opened(() => miraToken());
      at.sockets.last.handlers.close(4001, reason);
      await at.clock.settle();
      expect(link(at)).toMatchObject({ phase: "waiting", failures: 1 });
    },
  );
  test("a stored token that changes is noticed within seconds, and what waited is sent", async () => {
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
  test("what is sent meanwhile waits for signing in, and says so", async () => {
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
  ])("a send refused with status %i code %i is kept and waits for signing in", async (status, code) => {
    const at = await opened(() => miraToken());
    at.on["POST /channels/messaging/tea/message"] = () => errorReply(status, code);
    let settled = false;
    void at.core.send({ cid: "messaging:tea" }, { text: "kept" }).outcome.then(() => (settled = true));
    await at.clock.advance(60_000);
    expect(settled).toBe(false);
    expect(at.core.state().outbox).toBe(1);
  });
  test("while every connection is ended, what is sent goes out by single calls", async () => {
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
  test("a call that is refused asks whether the link's credentials still hold, at most every ten seconds", async () => {
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
  test("what one call may not do says nothing about the link", async () => {
    const at = await opened(() => miraToken());
    at.on["GET /unread"] = () => errorReply(403, 17);
    await at.core.call("getUnread").catch(() => undefined);
    await at.clock.settle();
    expect(at.sockets.all.length).toBe(1);
  });
});
