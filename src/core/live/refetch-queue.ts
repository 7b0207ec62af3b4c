/** Fetches data that events do not contain: unknown channels and messages, capabilities, unread numbers. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import { ApiError, errorMessage } from "../../model/errors.ts";
import { PageSize } from "../../model/page-size.ts";
import { isTransient } from "../http/transient.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { Refetch } from "../state/change.ts";
import type { StateMachine } from "../state/machine.ts";
import { loadedChannelsQuery } from "./recover-channels.ts";
import { totalsOf } from "./recovery.ts";
import type { Services } from "../http/services.ts";

/** Milliseconds that refetches are collected into one call. */
const COLLECT_MS = 50;

/** Milliseconds before an uncertain number is fetched or a failed call is repeated; doubled after each failure, so many times. */
const FIRST_PAUSE = 1500;
const MAX_DOUBLINGS = 4;

interface RefetchQueue {
  /** Takes new refetches from the state; cheap, called after each change. */
  check(): void;
  close(): void;
}

interface RefetchDeps extends Pick<Services, "call" | "clock" | "log"> {
  machine: Pick<StateMachine, "takeRefetches" | "apply" | "revision" | "eventBatches">;
}

type MessageRefetch = Extract<Refetch, { kind: "message" }>;
/** Fetches and applies; `n`: number of earlier tries. */
type RefetchRequest = (n: number) => Promise<void>;

/** Runs requests after a pause, and again after a longer one while they fail transiently. */
class DelayedRequests {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #due = new Map<string, Timer>();

  constructor({ clock, log }: RefetchDeps) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Scheduling the same key again restarts its pause. */
  schedule(key: string, work: RefetchRequest, n = 0): void {
    this.#clock.clearTimeout(this.#due.get(key));
    const run = (): void => {
      this.#due.delete(key);
      work(n).catch((error: unknown) => {
        if (this.shouldRetry(error)) this.schedule(key, work, Math.min(n + 1, MAX_DOUBLINGS));
      });
    };
    this.#due.set(key, this.#clock.setTimeout(run, FIRST_PAUSE * 2 ** n));
  }

  readonly shouldRetry = (error: unknown): boolean => {
    this.#log.debug("a refetch failed", { error: errorMessage(error) });
    return isTransient(error);
  };

  close(): void {
    for (const each of this.#due.values()) this.#clock.clearTimeout(each);
    this.#due.clear();
  }
}

async function fetchChannels({ call, machine }: RefetchDeps, cids: string[]): Promise<void> {
  const since = machine.revision();
  const { channels: states = [] } = await call("queryChannels", {
    body: loadedChannelsQuery(cids),
    retries: 1,
  });
  machine.apply({ kind: "channels", states, messageLimit: MESSAGE_PAGE, watched: true, since });
}

/** Fetches the requested channels, in smaller pages on a slow line; after a failure the rest wait with those requested meanwhile. */
async function fetchRequested(
  deps: RefetchDeps,
  size: PageSize,
  requested: Set<string>,
  shouldRetry: (error: unknown) => boolean,
): Promise<void> {
  const cids = [...requested];
  requested.clear();
  while (cids.length > 0) {
    let asked = 0;
    await size
      .ask((limit) => fetchChannels(deps, cids.slice(0, (asked = limit))), { needed: cids.length })
      .catch((error: unknown) => {
        if (!shouldRetry(error)) return;
        for (const cid of cids) requested.add(cid);
        throw error;
      });
    cids.splice(0, asked);
  }
}

async function fetchMessage({ call, machine }: RefetchDeps, { cid, id }: MessageRefetch): Promise<void> {
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
  const delayed = new DelayedRequests(deps);
  const channels = new Set<string>();
  const messages = new Map<string, MessageRefetch>();
  let timer: Timer | undefined;

  /** An answer counts only if no event came during the request; in a flood the last try counts. */
  const fetchTotals: RefetchRequest = async (n) => {
    const before = machine.eventBatches();
    const reply = await call("getUnread", { retries: 1 });
    if (machine.eventBatches() !== before && n < MAX_DOUBLINGS)
      return delayed.schedule("totals", fetchTotals, n + 1);
    machine.apply({ kind: "totals", ...totalsOf(reply) });
  };
  const size = new PageSize(RECOVERY_QUERY_LIMIT);
  const fetchOne = (refetch: MessageRefetch): Promise<void> =>
    fetchMessage(deps, refetch).catch((error: unknown) => {
      if (delayed.shouldRetry(error))
        delayed.schedule(`message ${refetch.id}`, () => fetchMessage(deps, refetch));
    });
  const fetchAll: RefetchRequest = () => fetchRequested(deps, size, channels, delayed.shouldRetry);
  const fetchCollected = (): void => {
    timer = undefined;
    const requested = [...messages.values()];
    messages.clear();
    fetchAll(0).catch(() => delayed.schedule("channels", fetchAll));
    for (const refetch of requested) void fetchOne(refetch);
  };
  const collect = (): void => {
    timer ??= clock.setTimeout(fetchCollected, COLLECT_MS);
  };
  const add = (refetch: Refetch): void => {
    const { kind, cid } = refetch;
    if (kind === "message") messages.set(refetch.id, refetch);
    // Some time after the last change; after a lost connection everything is reloaded anyway.
    else if (kind === "unread")
      delayed.schedule(`unread ${cid}`, async () => {
        channels.add(cid);
        collect();
      });
    else if (kind === "totals") delayed.schedule("totals", fetchTotals);
    else channels.add(cid);
  };

  return {
    check() {
      const refetches = machine.takeRefetches();
      if (refetches.length === 0) return;
      for (const refetch of refetches) add(refetch);
      if (channels.size + messages.size) collect();
    },
    close() {
      clock.clearTimeout(timer);
      delayed.close();
    },
  };
}
