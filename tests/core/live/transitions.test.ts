/** Every row of the tables of specification/realtime.md §5, §6, §11 and §13, one step at a time. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError, LocalError, TransportError } from "../../../src/model/errors.ts";
import { REPLACED, type ObstacleKind } from "../../../src/model/obstacles.ts";
import { SignInNeeded } from "../../../src/core/http/token.ts";
import {
  firstState,
  next,
  type End,
  type LinkContext,
  type ConnectionInput,
  type LinkState,
  type Mode,
} from "../../../src/core/live/transitions.ts";

const facts = (change: Partial<LinkContext> = {}): LinkContext => ({
  mode: "auto",
  refreshable: true,
  online: true,
  ...change,
});
const api = (status: number, code?: number): ApiError =>
  new ApiError(`refused with ${code ?? status}`, { status, ...(code !== undefined && { code }) });
const start = (mode: Mode = "auto"): LinkState => firstState(mode);
const run = (state: LinkState, inputs: ConnectionInput[], with_: LinkContext = facts()): LinkState =>
  inputs.reduce((at, input) => next(at, input, with_).state, state);

const connecting = run(start(), [{ type: "connect" }]);
const wsOpen: ConnectionInput = {
  type: "opened",
  transport: "websocket",
  connectionId: "c1",
  resumed: false,
};
const lpOpen: ConnectionInput = { type: "opened", transport: "longpoll", connectionId: "l1", resumed: false };
const open = run(connecting, [wsOpen]);
const lost: End = { kind: "close", code: 1006 };
const pollMode = run(connecting, [{ type: "ended", end: lost }, { type: "probed", answered: true }, lpOpen]);

describe("connecting", () => {
  test("connect makes the first attempt with a WebSocket", () => {
    const step = next(start(), { type: "connect" }, facts());
    expect(step.state).toMatchObject({ phase: "connecting", doing: "attempt", failures: 0 });
    expect(step.effects).toEqual([{ do: "attempt", transport: "websocket" }]);
  });
  test("in mode longpoll it makes the first attempt with a long poll", () => {
    const step = next(start("longpoll"), { type: "connect" }, facts({ mode: "longpoll" }));
    expect(step.effects).toEqual([{ do: "attempt", transport: "longpoll" }]);
  });
  test("after a disconnect it opens anew: the session of a long poll belongs to the user before", () => {
    expect(pollMode.session).toBe("l1");
    const longpoll = facts({ mode: "longpoll" });
    const left = run({ ...pollMode, mode: "longpoll" } as LinkState, [{ type: "disconnect" }], longpoll);
    expect(left.session).toBeUndefined();
    expect(next(left, { type: "connect" }, longpoll).effects).toEqual([
      { do: "attempt", transport: "longpoll" },
    ]);
  });
  test("without a network it waits offline, without an attempt", () => {
    const step = next(start(), { type: "connect" }, facts({ online: false }));
    expect(step.state.phase).toBe("offline");
    expect(step.effects).toEqual([]);
  });
  test("an opened connection resets the failures", () => {
    expect(open).toMatchObject({ phase: "open", failures: 0, transport: "websocket" });
    expect(run({ ...connecting, failures: 7 }, [wsOpen]).failures).toBe(0);
  });
  test("a failure before dialling is reported to the caller and retried", () => {
    const error = new Error("no token today");
    const step = next(connecting, { type: "notDialled", error }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1, reason: "no token today" });
    expect(step.effects).toEqual([
      { do: "wait", failures: 1 },
      { do: "report", error },
    ]);
  });
  test("a missing token waits for a sign-in; a wrong option stops without a cause", () => {
    const missing = new SignInNeeded("no token");
    const signIn = next(connecting, { type: "notDialled", error: missing }, facts());
    expect(signIn.state).toMatchObject({ phase: "stopped", cause: "refused" });
    expect(signIn.effects).toEqual([{ do: "stop", error: missing }]);
    const wrong = next(connecting, { type: "notDialled", error: new LocalError("no address") }, facts());
    expect(wrong.state.phase).toBe("stopped");
    expect(wrong.state.cause).toBeUndefined();
  });
});

describe("close codes: the connection is retried after any of them", () => {
  const codes = Array.from({ length: 4000 }, (_, n) => 1000 + n);
  test("every code from 1000 to 4999 on an open connection waits for the first delay, then retries", () => {
    for (const code of codes) {
      const step = next(open, { type: "ended", end: { kind: "close", code } }, facts());
      expect(step.state, `${code}`).toMatchObject({ phase: "waiting", failures: 1, closes: 0 });
      expect(step.state.reason, `${code}`).toMatch(/^(the|there|a) \w+/);
      expect(step.effects, `${code}`).toEqual([{ do: "wait", failures: 1 }]);
      expect(next(step.state, { type: "due" }, facts()).state.phase, `${code}`).toBe("connecting");
    }
  });
  test('every code before a first frame, three times in a row, is named "ended" and retried every minute and on demand', () => {
    const websocketOnly = facts({ mode: "websocket" });
    for (const code of codes) {
      let state = run(start("websocket"), [{ type: "connect" }], websocketOnly);
      for (const n of [1, 2]) {
        const step = next(state, { type: "ended", end: { kind: "close", code } }, websocketOnly);
        expect(step.state, `${code}`).toMatchObject({ phase: "waiting", closes: n, failures: n });
        expect(step.state.cause, `${code}`).toBeUndefined();
        expect(step.effects).toEqual([{ do: "wait", failures: n }]);
        state = run(step.state, [{ type: "due" }], websocketOnly);
      }
      const named = next(state, { type: "ended", end: { kind: "close", code } }, websocketOnly);
      expect(named.state, `${code}`).toMatchObject({ phase: "waiting", cause: "ended" });
      expect(named.state.reason).toMatch(/^the provider keeps closing the connection: /);
      expect(named.effects).toMatchObject([
        { do: "wait", ms: 60_000 },
        { do: "report", error: { code: "ERR_NETWORK", neverSent: true } },
      ]);
      for (const type of ["due", "nudge"] as const)
        expect(next(named.state, { type }, websocketOnly).effects).toEqual([
          { do: "attempt", transport: "websocket" },
        ]);
    }
  });
  const endsInTurn = (ends: End[], with_: LinkContext): LinkState =>
    ends.reduce(
      (at, end) => run(at, [{ type: "ended", end }, { type: "due" }], with_),
      run(start(with_.mode), [{ type: "connect" }], with_),
    );
  const closed: End = { kind: "close", code: 1000 };
  const network: End = { kind: "network", message: "x" };
  test("a network failure between two closes restarts their count, and so does a first frame", () => {
    const websocketOnly = facts({ mode: "websocket" });
    expect(endsInTurn([closed, closed, network, closed, closed], websocketOnly).closes).toBe(2);
    expect(run(endsInTurn([closed, closed], websocketOnly), [wsOpen]).closes).toBe(0);
  });
  test('a long poll refused three times for other reasons than credentials is named "ended" too', () => {
    const websocketOnly = facts({ mode: "longpoll" });
    const refusal: End = { kind: "error", at: "open", error: api(400, 4) };
    const last = next(
      endsInTurn([refusal, refusal], websocketOnly),
      { type: "ended", end: refusal },
      websocketOnly,
    );
    expect(last.state).toMatchObject({ phase: "waiting", cause: "ended" });
    expect(last.effects).toContainEqual({ do: "wait", ms: 60_000 });
  });
  test("where long polling works, failing WebSockets are not counted", () => {
    const polling = run(endsInTurn([], facts()), [
      { type: "ended", end: closed },
      { type: "probed", answered: true },
      lpOpen,
    ]);
    expect(polling).toMatchObject({ phase: "open", transport: "longpoll", closes: 0 });
  });
});

describe("triggers (specification/realtime.md §6)", () => {
  test.each(["network", "timeout", "dead"] as const)(
    "an open connection lost by %s waits for the next delay",
    (kind) => {
      const step = next({ ...open, failures: 0 }, { type: "ended", end: { kind, message: "x" } }, facts());
      expect(step.state).toMatchObject({ phase: "waiting", failures: 1, reason: "x" });
      expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
    },
  );
  test("code 40 with a token function renews and retries at once, without counting a failure", () => {
    const at: LinkState = { ...connecting, failures: 3 };
    const refused = next(
      at,
      { type: "ended", end: { kind: "error", at: "open", error: api(401, 40) } },
      facts(),
    );
    expect(refused.state).toMatchObject({ phase: "connecting", doing: "refresh", failures: 3 });
    expect(refused.effects).toEqual([{ do: "refresh" }]);
    const retry = next(refused.state, { type: "refreshed" }, facts());
    expect(retry.state).toMatchObject({ phase: "connecting", doing: "attempt", failures: 3 });
    expect(retry.effects).toEqual([{ do: "attempt", transport: "websocket" }]);
  });
  test("code 40 with a fixed token stops", () => {
    const end: End = { kind: "error", at: "open", error: api(401, 40) };
    expect(next(open, { type: "ended", end }, facts({ refreshable: false })).state.phase).toBe("stopped");
  });
  test("a failed renewal waits; the final one stops", () => {
    const refreshing = run(connecting, [
      { type: "ended", end: { kind: "error", at: "open", error: api(401, 40) } },
    ]);
    const error = new Error("no");
    expect(next(refreshing, { type: "refreshFailed", error, final: false }, facts()).state.phase).toBe(
      "waiting",
    );
    expect(next(refreshing, { type: "refreshFailed", error, final: true }, facts()).state.phase).toBe(
      "stopped",
    );
  });
  test.each([
    [401, 43],
    [401, 2],
    [401, 5],
    [401, 41],
    [401, 42],
    [403, 99],
    [403, 17],
  ])("an error frame of status %i code %i waits for a sign-in, and is retried on demand", (status, code) => {
    const error = api(status, code);
    for (const at of [connecting, open]) {
      const step = next(at, { type: "ended", end: { kind: "error", at: "open", error } }, facts());
      expect(step.state).toMatchObject({ phase: "stopped", cause: "refused", code, reason: error.message });
      expect(step.effects).toEqual([{ do: "stop", error }]);
      const retry = next(step.state, { type: "nudge" }, facts());
      expect(retry.effects).toEqual([{ do: "attempt", transport: "websocket" }]);
      expect(retry.state.cause).toBeUndefined();
    }
  });
  test("any other refusal of an attempt is reported and retried", () => {
    const error = api(400, 4);
    const step = next(connecting, { type: "ended", end: { kind: "error", at: "open", error } }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", closes: 1 });
    expect(step.effects).toEqual([
      { do: "wait", failures: 1 },
      { do: "report", error },
    ]);
  });
  test("if the token source repeats the refused token, the provider's error is reported", () => {
    const refusal = api(401, 40);
    const refreshing = run(open, [{ type: "ended", end: { kind: "error", at: "open", error: refusal } }]);
    const error = new SignInNeeded("no newer one", true);
    const step = next(refreshing, { type: "refreshFailed", error, final: true }, facts());
    expect(step.state).toMatchObject({ phase: "stopped", cause: "refused", code: 40 });
    expect(step.effects).toEqual([{ do: "stop", error: refusal }]);
  });
  test.each([
    [429, 9],
    [500, -1],
    [503, undefined],
    [408, 23],
  ])("an error frame of status %i waits for the next delay and never falls back", (status, code) => {
    const end: End = { kind: "error", at: "open", error: api(status, code) };
    const step = next(connecting, { type: "ended", end }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1 });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test("going offline drops the connection from every state", () => {
    for (const state of [connecting, open, run(open, [{ type: "ended", end: lost }])]) {
      const step = next(state, { type: "offline" }, facts({ online: false }));
      expect(step.state.phase).toBe("offline");
      expect(step.effects).toEqual([{ do: "drop" }]);
    }
  });
  test("back online it is retried after 10 ms, with the same failures", () => {
    const offline = run({ ...open, failures: 2 }, [{ type: "offline" }], facts({ online: false }));
    const step = next(offline, { type: "online" }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 2 });
    expect(step.effects).toEqual([{ do: "wait", ms: 10 }]);
  });
  test("a due attempt without a network goes offline instead", () => {
    const waiting = run(open, [{ type: "ended", end: lost }]);
    expect(next(waiting, { type: "due" }, facts({ online: false })).state.phase).toBe("offline");
    expect(next(waiting, { type: "due" }, facts()).state.phase).toBe("connecting");
  });
  test("a nudge retries at once and does nothing on an open connection", () => {
    const waiting = run(open, [{ type: "ended", end: lost }]);
    expect(next(waiting, { type: "nudge" }, facts()).effects).toEqual([
      { do: "attempt", transport: "websocket" },
    ]);
    expect(next(open, { type: "nudge" }, facts()).effects).toEqual([]);
  });
  test("a second trigger during an attempt is ignored", () => {
    for (const input of [
      { type: "connect" },
      { type: "due" },
      { type: "nudge" },
      { type: "online" },
    ] as const)
      expect(next(connecting, input, facts())).toEqual({ state: connecting, effects: [] });
  });
  test("connect after a stop resets the counts, so that the next wait is short", () => {
    const refused: End = { kind: "error", at: "open", error: api(401, 43) };
    const stopped = next({ ...connecting, failures: 6, closes: 2 }, { type: "ended", end: refused }, facts());
    expect(stopped.state.phase).toBe("stopped");
    expect(next(stopped.state, { type: "connect" }, facts()).state).toMatchObject({
      phase: "connecting",
      failures: 0,
      closes: 0,
    });
  });
  test("disconnect ends every state", () => {
    for (const state of [connecting, open, pollMode, run(open, [{ type: "ended", end: lost }])])
      expect(next(state, { type: "disconnect" }, facts())).toMatchObject({
        state: { phase: "idle", failures: 0 },
        effects: [{ do: "drop" }],
      });
  });
});

describe("the long-poll fallback (specification/realtime.md §11)", () => {
  test.each<[string, End]>([
    ["a network error", { kind: "network", message: "x" }],
    ["a timeout", { kind: "timeout", message: "x" }],
    ["a close", { kind: "close", code: 1000 }],
  ])("an attempt ended by %s checks /hi first", (_, end) => {
    const step = next(connecting, { type: "ended", end }, facts());
    expect(step.state).toMatchObject({ phase: "connecting", doing: "probe", failures: 1 });
    expect(step.effects).toEqual([{ do: "probe" }]);
  });
  test("a lost open connection does not fall back", () => {
    expect(next(open, { type: "ended", end: lost }, facts()).effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test.each(["websocket", "longpoll"] as const)("mode %s never falls back", (mode) => {
    const at = run(start(mode), [{ type: "connect" }], facts({ mode }));
    const step = next(at, { type: "ended", end: { kind: "network", message: "x" } }, facts({ mode }));
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test("if /hi answers, a long poll is opened", () => {
    const probing = run(connecting, [{ type: "ended", end: lost }]);
    expect(next(probing, { type: "probed", answered: true }, facts()).effects).toEqual([
      { do: "attempt", transport: "longpoll" },
    ]);
  });
  test("if /hi fails, the WebSocket is retried after the delay of the same failure", () => {
    const probing = run(connecting, [{ type: "ended", end: lost }]);
    const step = next(probing, { type: "probed", answered: false }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1, transport: "websocket" });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test.each([404, 405, 501])(
    "status %i at the opening means that long polling is unsupported, which is remembered",
    (status) => {
      const opening = run(connecting, [
        { type: "ended", end: lost },
        { type: "probed", answered: true },
      ]);
      const end: End = { kind: "error", at: "open", error: api(status, 16) };
      const step = next(opening, { type: "ended", end }, facts());
      expect(step.state).toMatchObject({
        phase: "waiting",
        transport: "websocket",
        longPollUnsupported: true,
      });
      const retry = run(step.state, [{ type: "due" }]);
      expect(next(retry, { type: "ended", end: lost }, facts()).effects).toMatchObject([{ do: "wait" }]);
    },
  );
  test("in mode longpoll a provider without long polling is retried every minute, with that reason", () => {
    const at = run(start("longpoll"), [{ type: "connect" }], facts({ mode: "longpoll" }));
    const end: End = { kind: "error", at: "open", error: api(404, 16) };
    const step = next(at, { type: "ended", end }, facts({ mode: "longpoll" }));
    expect(step.state).toMatchObject({
      phase: "waiting",
      cause: "ended",
      reason: "the provider does not offer long polling",
    });
    expect(step.effects).toContainEqual({ do: "wait", ms: 60_000 });
  });
  test("after a long poll that does not open the next attempt is a WebSocket", () => {
    const opening = run(connecting, [
      { type: "ended", end: lost },
      { type: "probed", answered: true },
    ]);
    const step = next(opening, { type: "ended", end: { kind: "timeout", message: "x" } }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", transport: "websocket" });
  });
});

describe("results of a poll (specification/realtime.md §11)", () => {
  test("an answered poll resets the failures", () => {
    expect(next({ ...pollMode, failures: 4 }, { type: "polled" }, facts()).state.failures).toBe(0);
  });
  test.each<[string, End]>([
    ["network error", { kind: "network", message: "x" }],
    ["timeout", { kind: "timeout", message: "x" }],
    ["500", { kind: "error", at: "poll", error: api(500, -1) }],
    ["429", { kind: "error", at: "poll", error: api(429, 9) }],
  ])("%s: counts a failure, waits, then polls the same session", (_, end) => {
    const step = next(pollMode, { type: "ended", end }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1, transport: "longpoll", session: "l1" });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
    expect(next(step.state, { type: "due" }, facts()).effects).toEqual([
      { do: "attempt", transport: "longpoll", session: "l1" },
    ]);
  });
  test("a resumed session resets the failures only when a poll was answered", () => {
    const retry = run(pollMode, [
      { type: "ended", end: { kind: "network", message: "x" } },
      { type: "due" },
      { type: "opened", transport: "longpoll", connectionId: "l1", resumed: true },
    ]);
    expect(retry).toMatchObject({ phase: "open", failures: 1 });
  });
  test("code 40 renews the token", () => {
    const end: End = { kind: "error", at: "poll", error: api(401, 40) };
    expect(next(pollMode, { type: "ended", end }, facts()).effects).toEqual([{ do: "refresh" }]);
  });
  test("404 counts a failure, waits, then opens a new session", () => {
    const step = next(
      pollMode,
      { type: "ended", end: { kind: "error", at: "poll", error: api(404, 16) } },
      facts(),
    );
    expect(step.state.session).toBeUndefined();
    expect(next(step.state, { type: "due" }, facts()).effects).toEqual([
      { do: "attempt", transport: "longpoll" },
    ]);
  });
  test.each([2, 5, 17, 41, 42, 43, 99])("code %i waits for a sign-in", (code) => {
    const end: End = { kind: "error", at: "poll", error: api(401, code) };
    expect(next(pollMode, { type: "ended", end }, facts()).state).toMatchObject({
      phase: "stopped",
      cause: "refused",
    });
  });
  test.each([400, 401, 403, 410])(
    "%i without such a code counts a failure, waits, then opens a new session",
    (status) => {
      const end: End = { kind: "error", at: "poll", error: api(status) };
      const step = next(pollMode, { type: "ended", end }, facts());
      expect(step.state).toMatchObject({ phase: "waiting", failures: 1 });
      expect(step.state.session).toBeUndefined();
    },
  );
  test("a WebSocket that opens beside the poll replaces it", () => {
    const step = next(pollMode, wsOpen, facts());
    expect(step.state).toMatchObject({ phase: "open", transport: "websocket", failures: 0 });
    expect(step.state.session).toBeUndefined();
  });
});

test("for any inputs: open only after `opened`, at most one attempt per step, and `connecting` has something to do", () => {
  const ends: End[] = [
    lost,
    { kind: "close", code: 1000 },
    { kind: "network", message: "x" },
    { kind: "error", at: "open", error: api(401, 40) },
    { kind: "error", at: "poll", error: api(404, 16) },
    { kind: "error", at: "open", error: api(429, 9) },
    { kind: "error", at: "open", error: api(401, 43) },
  ];
  const input: fc.Arbitrary<ConnectionInput> = fc.oneof(
    fc.constantFrom<ConnectionInput>(
      { type: "connect" },
      wsOpen,
      lpOpen,
      { type: "polled" },
      { type: "probed", answered: true },
      { type: "probed", answered: false },
      { type: "refreshed" },
      { type: "refreshFailed", error: new Error("x"), final: false },
      { type: "due" },
      { type: "online" },
      { type: "offline" },
      { type: "nudge" },
      { type: "disconnect" },
    ),
    fc.constantFrom(...ends).map((end): ConnectionInput => ({ type: "ended", end })),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 40 }), fc.boolean(), (inputs, refreshable) => {
      let state = start();
      for (const each of inputs) {
        const step = next(state, each, facts({ refreshable }));
        if (step.state.phase === "open" && state.phase !== "open") expect(each.type).toBe("opened");
        expect(step.effects.filter((e) => e.do === "attempt").length).toBeLessThanOrEqual(1);
        expect(step.state.phase === "connecting").toBe(step.state.doing !== undefined);
        if (step.effects.some((e) => e.do === "wait")) expect(step.state.phase).toBe("waiting");
        if (step.state.phase === "open")
          expect(step.state.session !== undefined).toBe(step.state.transport === "longpoll");
        state = step.state;
      }
    }),
  );
});

describe("obstacles on the way to the provider", () => {
  const blockedBy = (kind: ObstacleKind): End => ({
    kind: "network",
    message: "x",
    obstacle: { kind, reason: `a ${kind}`, hint: "mend it" },
  });
  test.each(["certificate", "proxy"] as const)(
    "a %s stops the connection with advice; a nudge tries again",
    (kind) => {
      for (const from of [connecting, pollMode]) {
        const step = next(from, { type: "ended", end: blockedBy(kind) }, facts());
        expect(step.state).toMatchObject({
          phase: "stopped",
          cause: "blocked",
          reason: `a ${kind}`,
          hint: "mend it",
        });
        expect(step.effects).toMatchObject([{ do: "stop", error: { obstacle: { kind }, hint: "mend it" } }]);
        const retry = next(step.state, { type: "nudge" }, facts());
        expect(retry.state).not.toHaveProperty("hint");
        expect(retry.effects).toMatchObject([{ do: "attempt" }]);
      }
    },
  );
  test("a program replaced by an update stops before it dials, with advice", () => {
    const error = new TransportError("ERR_NETWORK", REPLACED.reason, undefined, true, undefined, REPLACED);
    const step = next(connecting, { type: "notDialled", error }, facts());
    expect(step.state).toMatchObject({ phase: "stopped", cause: "blocked", hint: REPLACED.hint });
    expect(step.effects).toEqual([{ do: "stop", error }]);
  });
  test("a sign-in page is retried, because it disappears after the sign-in", () => {
    const step = next(connecting, { type: "ended", end: blockedBy("portal") }, facts());
    expect(step.effects).toEqual([{ do: "probe" }]);
  });
});

describe("WebSockets that are cut soon after they opened", () => {
  const cut = (state: LinkState, lifetime: number, end: End = lost): LinkState =>
    run(state, [wsOpen, { type: "ended", end, lived: lifetime }]);
  const retry = (state: LinkState): LinkState => run(state, [{ type: "due" }]);
  const twice = retry(cut(retry(cut(connecting, 2000)), 2000));

  test("after the third in a row /hi is checked and long polling takes over", () => {
    expect(twice).toMatchObject({ phase: "connecting", cuts: 2 });
    const third = cut(twice, 2000);
    expect(third).toMatchObject({ phase: "connecting", doing: "probe" });
    expect(run(third, [{ type: "probed", answered: true }, lpOpen])).toMatchObject({ transport: "longpoll" });
  });
  test("the count restarts after a long connection, a proper close, or one that did not open", () => {
    expect(cut(twice, 60_000)).toMatchObject({ phase: "waiting" });
    expect(cut(twice, 2000, { kind: "close", code: 1001 })).toMatchObject({ phase: "waiting" });
    const unopened = run(twice, [
      { type: "ended", end: lost },
      { type: "probed", answered: false },
      { type: "due" },
    ]);
    expect(cut(unopened, 2000)).toMatchObject({ phase: "waiting", cuts: 1 });
  });
  test("a returned WebSocket that is cut again falls back to long polling at once", () => {
    const polling = run(cut(twice, 2000), [{ type: "probed", answered: true }, lpOpen]);
    expect(cut(polling, 2000)).toMatchObject({ phase: "connecting", doing: "probe" });
  });
  test("in mode websocket they are retried", () => {
    const websocketOnly = facts({ mode: "websocket" });
    const third = run(twice, [wsOpen, { type: "ended", end: lost, lived: 2000 }], websocketOnly);
    expect(third).toMatchObject({ phase: "waiting", transport: "websocket" });
  });
});
