/** Every row of the tables of realtime.md §5, §6, §11 and §13, one step at a time. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/core/errors.ts";
import { CLOSE_REACTIONS, firstState, next } from "../../../src/core/live/transitions.ts";
import type { End, Facts, Input, LinkState, Mode } from "../../../src/core/live/transitions.ts";

const facts = (change: Partial<Facts> = {}): Facts => ({
  mode: "auto",
  refreshable: true,
  online: true,
  ...change,
});
const api = (status: number, code?: number): ApiError =>
  new ApiError(`refused with ${code ?? status}`, { status, ...(code !== undefined && { code }) });
const start = (mode: Mode = "auto"): LinkState => firstState(mode);
const run = (state: LinkState, inputs: Input[], with_: Facts = facts()): LinkState =>
  inputs.reduce((at, input) => next(at, input, with_).state, state);

const connecting = run(start(), [{ type: "connect" }]);
const wsOpen: Input = { type: "opened", transport: "websocket", connectionId: "c1", resumed: false };
const lpOpen: Input = { type: "opened", transport: "longpoll", connectionId: "l1", resumed: false };
const open = run(connecting, [wsOpen]);
const lost: End = { kind: "close", code: 1006 };
const pollMode = run(connecting, [{ type: "ended", end: lost }, { type: "probed", answered: true }, lpOpen]);

describe("opening", () => {
  test("connect makes the first attempt with a WebSocket", () => {
    const step = next(start(), { type: "connect" }, facts());
    expect(step.state).toMatchObject({ phase: "connecting", doing: "attempt", failures: 0 });
    expect(step.effects).toEqual([{ do: "attempt", transport: "websocket" }]);
  });
  test("mode longpoll starts with a long poll", () => {
    const step = next(start("longpoll"), { type: "connect" }, facts({ mode: "longpoll" }));
    expect(step.effects).toEqual([{ do: "attempt", transport: "longpoll" }]);
  });
  test("connect without a network waits offline, without an attempt", () => {
    const step = next(start(), { type: "connect" }, facts({ online: false }));
    expect(step.state.phase).toBe("offline");
    expect(step.effects).toEqual([]);
  });
  test("success makes n = 0", () => {
    expect(open).toMatchObject({ phase: "open", failures: 0, transport: "websocket" });
    expect(run({ ...connecting, failures: 7 }, [wsOpen]).failures).toBe(0);
  });
  test("a token that cannot be had stops it and its error is the caller's", () => {
    const error = new Error("no token today");
    const step = next(connecting, { type: "tokenFailed", error }, facts());
    expect(step.state.phase).toBe("stopped");
    expect(step.effects).toEqual([{ do: "stop", error }]);
  });
});

describe("close codes (realtime.md §5)", () => {
  const rows: [code: number, reaction: "final" | "reconnect"][] = [
    [1000, "final"],
    [1001, "reconnect"],
    [1006, "reconnect"],
    [1008, "reconnect"],
    [1009, "reconnect"],
    [1011, "reconnect"],
    [1013, "reconnect"],
    [1005, "reconnect"],
    [4999, "reconnect"],
  ];
  test.each(rows)("%i on an open link is %s", (code, reaction) => {
    const step = next(open, { type: "ended", end: { kind: "close", code } }, facts());
    if (reaction === "final") {
      expect(step.state.phase).toBe("stopped");
      expect(step.effects).toMatchObject([
        { do: "stop", error: { message: "realtime connection ended normally (1000)" } },
      ]);
    } else {
      expect(step.state).toMatchObject({ phase: "waiting", failures: 1 });
      expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
    }
  });
  test("the table says the same", () => {
    for (const [code, reaction] of rows)
      expect(CLOSE_REACTIONS[code]?.reaction ?? "reconnect").toBe(reaction);
  });
});

describe("triggers (realtime.md §6)", () => {
  test.each(["network", "timeout", "dead"] as const)("an open link lost by %s waits delay(n + 1)", (kind) => {
    const step = next({ ...open, failures: 0 }, { type: "ended", end: { kind, message: "x" } }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1, reason: "x" });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test("code 40 with a token function renews and tries again at once, n unchanged", () => {
    const at: LinkState = { ...connecting, failures: 3 };
    const refused = next(
      at,
      { type: "ended", end: { kind: "error", at: "open", error: api(401, 40) } },
      facts(),
    );
    expect(refused.state).toMatchObject({ phase: "connecting", doing: "refresh", failures: 3 });
    expect(refused.effects).toEqual([{ do: "refresh" }]);
    const again = next(refused.state, { type: "refreshed" }, facts());
    expect(again.state).toMatchObject({ phase: "connecting", doing: "attempt", failures: 3 });
    expect(again.effects).toEqual([{ do: "attempt", transport: "websocket" }]);
  });
  test("code 40 with a fixed token stops", () => {
    const end: End = { kind: "error", at: "open", error: api(401, 40) };
    expect(next(open, { type: "ended", end }, facts({ refreshable: false })).state.phase).toBe("stopped");
  });
  test("a renewal that fails waits; the last one stops", () => {
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
    [400, 4],
  ])("an error frame of status %i code %i stops and is reported", (status, code) => {
    const error = api(status, code);
    const step = next(connecting, { type: "ended", end: { kind: "error", at: "open", error } }, facts());
    expect(step.state.phase).toBe("stopped");
    expect(step.effects).toEqual([{ do: "stop", error }]);
  });
  test.each([
    [429, 9],
    [500, -1],
    [503, undefined],
    [408, 23],
  ])("an error frame of status %i waits with n + 1 and never falls back", (status, code) => {
    const end: End = { kind: "error", at: "open", error: api(status, code) };
    const step = next(connecting, { type: "ended", end }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1 });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test("the machine goes offline: everything is dropped", () => {
    for (const state of [connecting, open, run(open, [{ type: "ended", end: lost }])]) {
      const step = next(state, { type: "offline" }, facts({ online: false }));
      expect(step.state.phase).toBe("offline");
      expect(step.effects).toEqual([{ do: "drop" }]);
    }
  });
  test("online again: an attempt after 10 ms, n unchanged", () => {
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
  test("reconnect tries now", () => {
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
  test("disconnect ends it from anywhere", () => {
    for (const state of [connecting, open, pollMode, run(open, [{ type: "ended", end: lost }])])
      expect(next(state, { type: "disconnect" }, facts())).toMatchObject({
        state: { phase: "idle", failures: 0 },
        effects: [{ do: "drop" }],
      });
  });
});

describe("the long-poll fallback (realtime.md §11, decisions 15)", () => {
  test.each<[string, End]>([
    ["a network error", { kind: "network", message: "x" }],
    ["a timeout", { kind: "timeout", message: "x" }],
    ["a close other than 1000", lost],
  ])("an attempt ended by %s asks /hi first", (_, end) => {
    const step = next(connecting, { type: "ended", end }, facts());
    expect(step.state).toMatchObject({ phase: "connecting", doing: "probe", failures: 1 });
    expect(step.effects).toEqual([{ do: "probe" }]);
  });
  test("an open link that is lost does not fall back", () => {
    expect(next(open, { type: "ended", end: lost }, facts()).effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test.each(["websocket", "longpoll"] as const)("mode %s never falls back", (mode) => {
    const at = run(start(mode), [{ type: "connect" }], facts({ mode }));
    const step = next(at, { type: "ended", end: { kind: "network", message: "x" } }, facts({ mode }));
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test("/hi answers: a long poll is opened", () => {
    const probing = run(connecting, [{ type: "ended", end: lost }]);
    expect(next(probing, { type: "probed", answered: true }, facts()).effects).toEqual([
      { do: "attempt", transport: "longpoll" },
    ]);
  });
  test("/hi fails: no fallback now, the reconnect timer runs with the same n", () => {
    const probing = run(connecting, [{ type: "ended", end: lost }]);
    const step = next(probing, { type: "probed", answered: false }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1, transport: "websocket" });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
  });
  test.each([404, 405, 501])(
    "status %i at the opening means unsupported: remembered, back to WebSocket",
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
      const again = run(step.state, [{ type: "due" }]);
      expect(next(again, { type: "ended", end: lost }, facts()).effects).toMatchObject([{ do: "wait" }]);
    },
  );
  test("in mode longpoll an unsupported long poll stops", () => {
    const at = run(start("longpoll"), [{ type: "connect" }], facts({ mode: "longpoll" }));
    const end: End = { kind: "error", at: "open", error: api(404, 16) };
    expect(next(at, { type: "ended", end }, facts({ mode: "longpoll" })).state.phase).toBe("stopped");
  });
  test("a long poll that does not open leaves the next attempt to a WebSocket", () => {
    const opening = run(connecting, [
      { type: "ended", end: lost },
      { type: "probed", answered: true },
    ]);
    const step = next(opening, { type: "ended", end: { kind: "timeout", message: "x" } }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", transport: "websocket" });
  });
});

describe("results of a poll (realtime.md §11)", () => {
  test("2xx makes n = 0", () => {
    expect(next({ ...pollMode, failures: 4 }, { type: "polled" }, facts()).state.failures).toBe(0);
  });
  test.each<[string, End]>([
    ["network error", { kind: "network", message: "x" }],
    ["timeout", { kind: "timeout", message: "x" }],
    ["500", { kind: "error", at: "poll", error: api(500, -1) }],
    ["429", { kind: "error", at: "poll", error: api(429, 9) }],
  ])("%s: n + 1, wait, then the same session is polled again", (_, end) => {
    const step = next(pollMode, { type: "ended", end }, facts());
    expect(step.state).toMatchObject({ phase: "waiting", failures: 1, transport: "longpoll", session: "l1" });
    expect(step.effects).toEqual([{ do: "wait", failures: 1 }]);
    expect(next(step.state, { type: "due" }, facts()).effects).toEqual([
      { do: "attempt", transport: "longpoll", session: "l1" },
    ]);
  });
  test("a resumed session counts only once a poll was answered", () => {
    const again = run(pollMode, [
      { type: "ended", end: { kind: "network", message: "x" } },
      { type: "due" },
      { type: "opened", transport: "longpoll", connectionId: "l1", resumed: true },
    ]);
    expect(again).toMatchObject({ phase: "open", failures: 1 });
  });
  test("code 40 renews", () => {
    const end: End = { kind: "error", at: "poll", error: api(401, 40) };
    expect(next(pollMode, { type: "ended", end }, facts()).effects).toEqual([{ do: "refresh" }]);
  });
  test("404: n + 1, wait, open anew", () => {
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
  test.each([400, 403, 401])("%i: stop and report", (status) => {
    const end: End = { kind: "error", at: "poll", error: api(status, 17) };
    expect(next(pollMode, { type: "ended", end }, facts()).state.phase).toBe("stopped");
  });
  test("a WebSocket that opens beside it takes over", () => {
    const step = next(pollMode, wsOpen, facts());
    expect(step.state).toMatchObject({ phase: "open", transport: "websocket", failures: 0 });
    expect(step.state.session).toBeUndefined();
  });
});

test("whatever happens: never open without `opened`, never more than one attempt, `connecting` always does something", () => {
  const ends: End[] = [
    lost,
    { kind: "close", code: 1000 },
    { kind: "network", message: "x" },
    { kind: "error", at: "open", error: api(401, 40) },
    { kind: "error", at: "poll", error: api(404, 16) },
    { kind: "error", at: "open", error: api(429, 9) },
    { kind: "error", at: "open", error: api(401, 43) },
  ];
  const input: fc.Arbitrary<Input> = fc.oneof(
    fc.constantFrom<Input>(
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
    fc.constantFrom(...ends).map((end): Input => ({ type: "ended", end })),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 40 }), fc.boolean(), (inputs, refreshable) => {
      let state = start();
      for (const one of inputs) {
        const step = next(state, one, facts({ refreshable }));
        if (step.state.phase === "open" && state.phase !== "open") expect(one.type).toBe("opened");
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
