/** Requests what events alone cannot tell the state: unknown channels, messages, changed rights. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import { ApiError } from "../../model/errors.ts";
import { isTransient } from "../http/transient.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { Refetch } from "../state/change.ts";
import type { StateMachine } from "../state/machine.ts";
import { heldChannels } from "./held-channels.ts";
import { totalsOf } from "./totals.ts";
import type { Services } from "../http/services.ts";

/** Milliseconds in which requests gather into one call. */
const GATHER = 50;

/** Milliseconds before a number in doubt, or what failed, is asked for; after each failure twice as long, so many times. */
const DOUBT = 1500;
const LONGEST = 4;

interface RefetchQueue {
  /** Takes new requests off the state; cheap, called after each change. */
  look(): void;
  close(): void;
}

interface RefetchDeps extends Pick<Services, "call" | "clock" | "log"> {
  machine: Pick<StateMachine, "takeRefetches" | "apply" | "revision" | "eventBatches">;
}

type MessageRefetch = Extract<Refetch, { kind: "message" }>;
/** Asks, and takes the answer in; is given how often it was tried before. */
type Ask = (n: number) => Promise<void>;

/** What is asked after a pause, and again after a longer one as long as the failure may pass: a refetch is requested once. */
class PausedAsks {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #due = new Map<string, Timer>();

  constructor({ clock, log }: RefetchDeps) {
    this.#clock = clock;
    this.#log = log;
  }

  /** A later word on the same thing begins the pause anew. */
  ask(key: string, work: Ask, n = 0): void {
    this.#clock.clearTimeout(this.#due.get(key));
    const run = (): void => {
      this.#due.delete(key);
      work(n).catch((error: unknown) => {
        if (this.mayPass(error)) this.ask(key, work, Math.min(n + 1, LONGEST));
      });
    };
    this.#due.set(key, this.#clock.setTimeout(run, DOUBT * 2 ** n));
  }

  mayPass(error: unknown): boolean {
    this.#log.debug("a refetch failed", { error: error instanceof Error ? error.message : "unknown" });
    return isTransient(error);
  }

  close(): void {
    for (const each of this.#due.values()) this.#clock.clearTimeout(each);
    this.#due.clear();
  }
}

async function askChannels({ call, machine }: RefetchDeps, cids: string[]): Promise<void> {
  const since = machine.revision();
  const { channels: states = [] } = await call("queryChannels", { body: heldChannels(cids), retries: 1 });
  machine.apply({ kind: "channels", states, messageLimit: MESSAGE_PAGE, watched: true, since });
}

async function askMessage({ call, machine }: RefetchDeps, { cid, id }: MessageRefetch): Promise<void> {
  const since = machine.revision();
  try {
    const { message } = await call("getMessage", { path: { id }, retries: 1 });
    machine.apply({ kind: "message", message, since });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    machine.apply({ kind: "unknownMessage", cid, id });
  }
}

export function createRefetchQueue(deps: RefetchDeps): RefetchQueue {
  const { call, machine, clock } = deps;
  const paused = new PausedAsks(deps);
  const channels = new Set<string>();
  const messages = new Map<string, MessageRefetch>();
  let timer: Timer | undefined;

  /** An answer counts when no event came beside it; in a flood the last try has to do. */
  const askTotals: Ask = async (n) => {
    const before = machine.eventBatches();
    const reply = await call("getUnread", { retries: 1 });
    if (machine.eventBatches() !== before && n < LONGEST) return paused.ask("totals", askTotals, n + 1);
    machine.apply({ kind: "totals", ...totalsOf(reply) });
  };
  const askBatch = (cids: string[]): Promise<void> =>
    askChannels(deps, cids).catch((error: unknown) => {
      if (paused.mayPass(error))
        for (const cid of cids) paused.ask(`channel ${cid}`, () => askChannels(deps, [cid]));
    });
  const askOne = (refetch: MessageRefetch): Promise<void> =>
    askMessage(deps, refetch).catch((error: unknown) => {
      if (paused.mayPass(error)) paused.ask(`message ${refetch.id}`, () => askMessage(deps, refetch));
    });
  const askGathered = (): void => {
    timer = undefined;
    const cids = [...channels];
    const wanted = [...messages.values()];
    channels.clear();
    messages.clear();
    for (let at = 0; at < cids.length; at += RECOVERY_QUERY_LIMIT)
      void askBatch(cids.slice(at, at + RECOVERY_QUERY_LIMIT));
    for (const refetch of wanted) void askOne(refetch);
  };
  const take = (refetch: Refetch): void => {
    const { kind, cid } = refetch;
    if (kind === "message") messages.set(refetch.id, refetch);
    // A while after the last word on it; a lost link asks for everything anyway.
    else if (kind === "unread") paused.ask(`unread ${cid}`, () => askChannels(deps, [cid]));
    else if (kind === "totals") paused.ask("totals", askTotals);
    else channels.add(cid);
  };

  return {
    look() {
      const refetches = machine.takeRefetches();
      if (refetches.length === 0) return;
      for (const refetch of refetches) take(refetch);
      if (channels.size + messages.size) timer ??= clock.setTimeout(askGathered, GATHER);
    },
    close() {
      clock.clearTimeout(timer);
      paused.close();
    },
  };
}
