/** Loads the user's channels at the start. */
import type { Core } from "../../core/core.ts";
import { words } from "../../text/words.ts";
import { PageSize, type PageCall } from "../../model/page-size.ts";
import { mapReceived } from "../../wire/reading.ts";
import {
  channelListQuery,
  loadPage,
  loadPages,
  MOST_CHANNELS,
  type PageOfChannels,
  type ChannelPage,
} from "../navigation/channel-pages.ts";
import { openFirst, openRequested } from "./first-channel.ts";
import type { Ports } from "../ports/ports.ts";
import { retryWait, type RateLimited } from "../../wire/rate-limits.ts";
import { attempt, errorWords, showError } from "../screen/notices.ts";

/** Channels of the first page where none is known: it is shown while the others load. */
const FIRST_CHANNELS = 10;

/** The list of channels with what the screen shows of each. */
const watchedList = (me: string) => ({ ...channelListQuery(me), message_limit: 25, member_limit: 100 });

/** Lets the connection's recovery, which reads the cached channels anyway, read them from the list; call it before connecting. */
export function expectChannels(core: Core): void {
  if (core.userId !== undefined && core.state().channels.size > 0) core.expectList(watchedList(core.userId));
}

/**
 * Loads and watches the user's channels with their newest messages. Channels from the cache are refreshed by the
 * recovery, so only their cids are queried.
 */
export async function loadChannels(core: Core): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  const upTo = await core.listed();
  const cached = new Set(core.state().channels.keys());
  // What the cache has is shown already, so a smaller first page would only be a call more.
  const size = new PageSize(MOST_CHANNELS, cached.size > 0 ? MOST_CHANNELS : FIRST_CHANNELS);
  const watched: PageOfChannels = (at, call) => queryWatched(core, { ...channelListQuery(me), ...at }, call);
  if (upTo !== undefined) return upTo === Infinity ? undefined : loadPages(size, watched, upTo);
  const rest = await loadPage(size, watched, 0);
  if (rest === undefined) return;
  if (cached.size <= MOST_CHANNELS) return loadPages(size, watched, rest);
  await loadPages(
    new PageSize(MOST_CHANNELS),
    async (at, call) => {
      const cids = await cidsAt(core, me, at, call);
      await loadUnknown(
        core,
        size,
        cids.filter((cid) => !cached.has(cid)),
      );
      return cids;
    },
    rest,
  );
}

const queryWatched = (
  core: Core,
  query: Parameters<Core["queryChannels"]>[0],
  call: PageCall,
): Promise<readonly string[]> =>
  core.queryChannels(
    { ...query, state: true, watch: true, presence: true, message_limit: 25, member_limit: 100 },
    call,
  );

async function loadUnknown(core: Core, size: PageSize, cids: readonly string[]): Promise<void> {
  for (let at = 0; at < cids.length;) {
    const { limit } = await size.ask(
      (limit, call) => {
        const filter = { cid: { $in: cids.slice(at, at + limit) } };
        return queryWatched(core, { filter_conditions: filter, limit }, call);
      },
      { needed: cids.length - at },
    );
    at += limit;
  }
}

async function cidsAt(core: Core, me: string, at: ChannelPage, call: PageCall): Promise<string[]> {
  const body = { ...channelListQuery(me), ...at, state: false, watch: false, presence: false };
  const { channels = [] } = await core.call("queryChannels", { body, retries: 1, ...call });
  return mapReceived(channels, ({ channel }) => channel.cid);
}

/** Loads threads and reminders for the counts in the sidebar; a failed load is retried when the list is opened. */
function loadOwnLists(core: Core): void {
  for (const list of [core.threads, core.reminders]) list.load().catch(() => {});
}

/** Shortest and longest pause before the channels are asked for again, ms. */
const PAUSES = { first: 2000, most: 60_000 };

/** When a failed load is repeated, ms of the provider's clock; undefined when the same call would be refused again. */
function repeatedAt(error: unknown, failures: number, now: number): number | undefined {
  const failure = error as RateLimited & { retryable?: boolean };
  if (failure.retryable !== true) return undefined;
  const pause = Math.min(PAUSES.first * 2 ** (failures - 1), PAUSES.most);
  return now + Math.max(pause, retryWait(failure, now) ?? 0);
}

/** Runs `load` until it succeeds, and shows why it did not: what failed to load is not empty. */
async function loadUntilDone(
  { store, clock }: Pick<Ports, "store" | "clock">,
  load: () => Promise<void>,
): Promise<void> {
  for (let failures = 1; ; failures++)
    try {
      await load();
      return store.update((screen) => ({ ...screen, loading: false, notLoaded: undefined }));
    } catch (error) {
      const again = Promise.withResolvers<void>();
      const retryAt = repeatedAt(error, failures, clock.now());
      const notLoaded = {
        why: errorWords(error),
        ...(retryAt !== undefined && { retryAt }),
        retry: again.resolve,
      };
      store.update((screen) => ({ ...screen, loading: false, notLoaded }));
      const timer =
        retryAt === undefined ? undefined : clock.setTimeout(again.resolve, retryAt - clock.now());
      await again.promise;
      clock.clearTimeout(timer);
      store.update((screen) => ({ ...screen, loading: true, notLoaded: undefined }));
    }
}

/** Fails where the provider listed channels of which none can be read: that is no empty list. */
function requireReadable({ core, store }: Pick<Ports, "core" | "store">): void {
  const isUnread = core.oddities().some(({ field, lost }) => {
    const [operation, path = ""] = field.split(" ");
    return lost && operation === "QueryChannels" && path.startsWith("channels");
  });
  if (isUnread && store.state.channels.size === 0) throw new Error(words.channel.unreadable);
}

/** Loads the channels once connected, and opens the requested one. */
export function loadAtStart(ports: Ports, connected: Promise<unknown>, requested: string | undefined): void {
  const { core, store } = ports;
  const setLoaded = (): void => store.update((screen) => ({ ...screen, loading: false }));
  const load = (): Promise<void> =>
    loadUntilDone(ports, () => loadChannels(core).then(() => requireReadable(ports)))
      .then(() => loadOwnLists(core))
      .then(() => (requested === undefined ? openFirst(ports, undefined) : openRequested(ports, requested)));
  /** The first connection attempt failed: the screen shows the cache, and loading is retried once connected. */
  const retryOnceConnected = (error: Error): void => {
    setLoaded();
    // If the header already shows the cause, no notice is needed.
    if (store.state.link.cause === undefined) showError(ports, error);
    const stop = core.on("connection.changed", () => {
      stop();
      attempt(ports, load());
    });
  };
  attempt(ports, connected.then(load, retryOnceConnected));
}
