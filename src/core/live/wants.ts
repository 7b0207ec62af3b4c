/** Asks the provider for what the state could not make by itself: unknown channels, messages, changed rights. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../http/caller.ts";
import { passes } from "../http/passing.ts";
import type { Clock, Log, Timer } from "../ports.ts";
import type { Want } from "../state/change.ts";
import type { StateMachine } from "../state/machine.ts";
import { heldChannels } from "./held-channels.ts";
import { totalsOf } from "./totals.ts";

/** Milliseconds in which wishes gather into one question. */
const GATHER = 50;

/** Milliseconds before a number in doubt, or what failed, is asked for; after each failure twice as long, so many times. */
const DOUBT = 1500;
const LONGEST = 4;

export interface Wants {
  /** Takes new wishes off the state; cheap, called after each change. */
  look(): void;
  close(): void;
}

export function createWants(world: {
  call: Call;
  machine: Pick<StateMachine, "takeWants" | "apply" | "serial" | "heard">;
  clock: Clock;
  log: Log;
}): Wants {
  const { call, machine, clock, log } = world;
  const channels = new Set<string>();
  const messages = new Map<string, Extract<Want, { kind: "message" }>>();
  let timer: Timer | undefined;

  const askChannels = async (cids: string[]): Promise<void> => {
    const since = machine.serial();
    const { channels: states = [] } = await call("queryChannels", {
      body: heldChannels(cids),
      retries: 1,
    });
    machine.apply({ kind: "channels", states, messageLimit: MESSAGE_PAGE, watched: true, since });
  };
  const askMessage = async ({ cid, id }: { cid: string; id: string }): Promise<void> => {
    const since = machine.serial();
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
    log.debug("a wish of the state failed", { error: error instanceof Error ? error.message : "unknown" });
  /** Wish → when it is asked for next. */
  const due = new Map<string, Timer>();
  /** Asks after a pause, and again after a longer one as long as the failure may pass: a wish is uttered once. */
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
    const before = machine.heard();
    const reply = await call("getUnread", { retries: 1 });
    if (machine.heard() !== before && n < LONGEST) return ask("totals", sum, n + 1);
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
    const wanted = [...messages.values()];
    channels.clear();
    messages.clear();
    for (let at = 0; at < cids.length; at += RECOVERY_QUERY_LIMIT)
      void askEach(cids.slice(at, at + RECOVERY_QUERY_LIMIT));
    for (const want of wanted)
      askMessage(want).catch((error: unknown) => {
        failed(error);
        if (passes(error)) ask(`message ${want.id}`, () => askMessage(want));
      });
  };
  return {
    look() {
      const wants = machine.takeWants();
      if (wants.length === 0) return;
      for (const want of wants)
        if (want.kind === "message") messages.set(want.id, want);
        // A while after the last word on it; a lost link asks for everything anyway.
        else if (want.kind === "unread") ask(`unread ${want.cid}`, () => askChannels([want.cid]));
        else if (want.kind === "totals") ask("totals", sum);
        else channels.add(want.cid);
      if (channels.size + messages.size) timer ??= clock.setTimeout(askGathered, GATHER);
    },
    close() {
      clock.clearTimeout(timer);
      for (const each of due.values()) clock.clearTimeout(each);
      due.clear();
    },
  };
}
