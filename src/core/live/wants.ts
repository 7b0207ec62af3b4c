/** Asks the provider for what the state could not make by itself: unknown channels, messages, changed rights. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import { ApiError } from "../errors.ts";
import type { Call } from "../http/caller.ts";
import type { Clock, Log, Timer } from "../ports.ts";
import type { Want } from "../state/change.ts";
import type { StateMachine } from "../state/machine.ts";

/** Milliseconds in which wishes gather into one question. */
const GATHER = 50;

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
    // A query by cid never creates a channel, unlike the query of one channel.
    const { channels: states = [] } = await call("queryChannels", {
      body: {
        filter_conditions: { cid: { $in: cids } },
        limit: RECOVERY_QUERY_LIMIT,
        state: true,
        watch: true,
        presence: true,
        message_limit: MESSAGE_PAGE,
      },
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
        else channels.add(want.cid);
      timer ??= clock.setTimeout(ask, GATHER);
    },
    close() {
      clock.clearTimeout(timer);
    },
  };
}
