/** Asks the provider for what the state could not make by itself: unknown channels, messages, changed rights. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../http/caller.ts";
import type { Clock, Log, Timer } from "../ports.ts";
import type { Want } from "../state/change.ts";
import type { StateMachine } from "../state/machine.ts";
import { heldChannels } from "./held-channels.ts";
import { totalsOf } from "./totals.ts";

/** Milliseconds in which wishes gather into one question. */
const GATHER = 50;

/** Milliseconds before an unread number in doubt is asked for, and tries after a failure, each twice as late. */
const DOUBT = 1500;
const RECOUNTS = 4;

export interface Wants {
  /** Takes new wishes off the state; cheap, called after each change. */
  look(): void;
  close(): void;
}

export function createWants(world: {
  call: Call;
  machine: Pick<StateMachine, "takeWants" | "apply" | "serial">;
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
  const doubted = new Map<string, Timer>();
  let summing: Timer | undefined;
  /** An answer counts when nothing was heard beside it; in a flood the last try has to do. */
  const sum = (n = 0): void => {
    const again = (error: Error): void => {
      failed(error);
      if (n < RECOUNTS) sum(n + 1);
    };
    clock.clearTimeout(summing);
    summing = clock.setTimeout(
      () => {
        const since = machine.serial();
        call("getUnread", { retries: 1 }).then((reply) => {
          if (machine.serial() !== since && n < RECOUNTS) return sum(n + 1);
          machine.apply({ kind: "totals", ...totalsOf(reply) });
        }, again);
      },
      DOUBT * 2 ** n,
    );
  };
  /** Each answer in doubt once, a while after the last word on it; a lost link asks for everything anyway. */
  const recount = (cid: string, n = 0): void => {
    clock.clearTimeout(doubted.get(cid));
    const again = (error: Error): void => {
      failed(error);
      if (n < RECOUNTS) recount(cid, n + 1);
    };
    const timer = clock.setTimeout(
      () => {
        doubted.delete(cid);
        askChannels([cid]).catch(again);
      },
      DOUBT * 2 ** n,
    );
    doubted.set(cid, timer);
  };
  const failed = (error: Error): void => log.debug("a wish of the state failed", { error: error.message });
  const ask = (): void => {
    timer = undefined;
    const cids = [...channels];
    const wanted = [...messages.values()];
    channels.clear();
    messages.clear();
    for (let at = 0; at < cids.length; at += RECOVERY_QUERY_LIMIT)
      askChannels(cids.slice(at, at + RECOVERY_QUERY_LIMIT)).catch(failed);
    for (const want of wanted) askMessage(want).catch(failed);
  };
  return {
    look() {
      const wants = machine.takeWants();
      if (wants.length === 0) return;
      for (const want of wants)
        if (want.kind === "message") messages.set(want.id, want);
        else if (want.kind === "unread") recount(want.cid);
        else if (want.kind === "totals") sum();
        else channels.add(want.cid);
      if (channels.size + messages.size) timer ??= clock.setTimeout(ask, GATHER);
    },
    close() {
      clock.clearTimeout(timer);
      clock.clearTimeout(summing);
      for (const each of doubted.values()) clock.clearTimeout(each);
      doubted.clear();
    },
  };
}
