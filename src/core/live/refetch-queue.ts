/** Asks the provider for what the state could not make by itself: unknown channels, messages, changed rights. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import { ApiError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import { passes } from "../http/passing.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { Refetch } from "../state/change.ts";
import type { StateMachine } from "../state/machine.ts";
import { heldChannels } from "./held-channels.ts";
import { totalsOf } from "./totals.ts";

/** Milliseconds in which requests gather into one call. */
const GATHER = 50;

/** Milliseconds before a number in doubt, or what failed, is asked for; after each failure twice as long, so many times. */
const DOUBT = 1500;
const LONGEST = 4;

export interface RefetchQueue {
  /** Takes new requests off the state; cheap, called after each change. */
  look(): void;
  close(): void;
}

export function createRefetchQueue(deps: {
  call: ApiCall;
  machine: Pick<StateMachine, "takeRefetches" | "apply" | "revision" | "eventBatches">;
  clock: Clock;
  log: Log;
}): RefetchQueue {
  const { call, machine, clock, log } = deps;
  const channels = new Set<string>();
  const messages = new Map<string, Extract<Refetch, { kind: "message" }>>();
  let timer: Timer | undefined;

  const askChannels = async (cids: string[]): Promise<void> => {
    const since = machine.revision();
    const { channels: states = [] } = await call("queryChannels", {
      body: heldChannels(cids),
      retries: 1,
    });
    machine.apply({ kind: "channels", states, messageLimit: MESSAGE_PAGE, watched: true, since });
  };
  const askMessage = async ({ cid, id }: { cid: string; id: string }): Promise<void> => {
    const since = machine.revision();
    try {
      const { message } = await call("getMessage", { path: { id }, retries: 1 });
      machine.apply({ kind: "message", message, since });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        machine.apply({ kind: "unknownMessage", cid, id });
      else throw error;
    }
  };
  const failed = (error: unknown): void =>
    log.debug("a refetch failed", { error: error instanceof Error ? error.message : "unknown" });
  /** Refetch → when it is asked for next. */
  const due = new Map<string, Timer>();
  /** Asks after a pause, and again after a longer one as long as the failure may pass: a refetch is requested once. */
  const ask = (key: string, work: (n: number) => Promise<void>, n = 0): void => {
    clock.clearTimeout(due.get(key));
    const run = (): void => {
      due.delete(key);
      work(n).catch((error: unknown) => {
        failed(error);
        if (passes(error)) ask(key, work, Math.min(n + 1, LONGEST));
      });
    };
    due.set(key, clock.setTimeout(run, DOUBT * 2 ** n));
  };
  /** An answer counts when no event came beside it; in a flood the last try has to do. */
  const sum = async (n: number): Promise<void> => {
    const before = machine.eventBatches();
    const reply = await call("getUnread", { retries: 1 });
    if (machine.eventBatches() !== before && n < LONGEST) return ask("totals", sum, n + 1);
    machine.apply({ kind: "totals", ...totalsOf(reply) });
  };
  const askEach = async (cids: string[]): Promise<void> => {
    try {
      await askChannels(cids);
    } catch (error) {
      failed(error);
      if (passes(error)) for (const cid of cids) ask(`channel ${cid}`, () => askChannels([cid]));
    }
  };
  const askGathered = (): void => {
    timer = undefined;
    const cids = [...channels];
    const messageRefetches = [...messages.values()];
    channels.clear();
    messages.clear();
    for (let at = 0; at < cids.length; at += RECOVERY_QUERY_LIMIT)
      void askEach(cids.slice(at, at + RECOVERY_QUERY_LIMIT));
    for (const refetch of messageRefetches)
      askMessage(refetch).catch((error: unknown) => {
        failed(error);
        if (passes(error)) ask(`message ${refetch.id}`, () => askMessage(refetch));
      });
  };
  return {
    look() {
      const refetches = machine.takeRefetches();
      if (refetches.length === 0) return;
      for (const refetch of refetches)
        if (refetch.kind === "message") messages.set(refetch.id, refetch);
        // A while after the last word on it; a lost link asks for everything anyway.
        else if (refetch.kind === "unread") ask(`unread ${refetch.cid}`, () => askChannels([refetch.cid]));
        else if (refetch.kind === "totals") ask("totals", sum);
        else channels.add(refetch.cid);
      if (channels.size + messages.size) timer ??= clock.setTimeout(askGathered, GATHER);
    },
    close() {
      clock.clearTimeout(timer);
      for (const each of due.values()) clock.clearTimeout(each);
      due.clear();
    },
  };
}
