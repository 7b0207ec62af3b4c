/** Closing waits for what it starts: nothing is released while a call still runs. */
import { expect, test } from "vitest";
import { createLifecycle } from "../../../src/core/features/lifecycle.ts";

/** Records what happens, in order; the named parts end only when they are told to. */
function world() {
  const log: string[] = [];
  const note = (what: string) => (): void => void log.push(what);
  const gates = { outbox: Promise.withResolvers<void>(), drafts: Promise.withResolvers<void>() };
  const signOut = Promise.withResolvers<void>();
  const lifecycle = createLifecycle({
    bus: { emit: (what: string) => log.push(what) },
    closeClock: note("clock"),
    store: { close: note("store") },
    cache: { flush: note("cache") },
    stateWithoutEffects: { apply: () => {}, close: note("state") },
    checkpoint: { save: note("checkpoint") },
    realtime: {
      connection: { state: () => ({ phase: "open" }) },
      disconnectUser: () => signOut.promise.then(note("signed out")),
    },
    outbox: { resume: () => {}, close: () => gates.outbox.promise.then(note("outbox")) },
    composers: {
      flush: () => {
        log.push("drafts begin");
        return gates.drafts.promise.then(note("drafts"));
      },
    },
  } as never);
  return { lifecycle, log, gates, signOut };
}

const settle = (): Promise<void> => new Promise((done) => void setImmediate(done));

test("the outbox, then the drafts, then the sign-out end before the store and the timers are closed", async () => {
  const { lifecycle, log, gates, signOut } = world();
  const closing = lifecycle.close();
  const steps: [() => void, string[]][] = [
    [() => {}, ["checkpoint"]],
    [gates.outbox.resolve, ["checkpoint", "outbox", "drafts begin"]],
    [gates.drafts.resolve, ["checkpoint", "outbox", "drafts begin", "drafts"]],
  ];
  for (const [step, so] of steps) {
    step();
    await settle();
    expect(log).toEqual(so);
  }
  signOut.resolve();
  await closing;
  expect(log.slice(4)).toEqual(["signed out", "close", "reset", "cache", "state", "store", "clock"]);
});

test("a sign-out that fails still releases the timers, and is reported", async () => {
  const { lifecycle, log, gates, signOut } = world();
  gates.outbox.resolve();
  gates.drafts.resolve();
  signOut.reject(new Error("no network"));
  await expect(lifecycle.close()).rejects.toThrow("no network");
  expect(log.at(-1)).toBe("clock");
});
