/** Loads the user's channels at the start. */
import type { Core } from "../../core/core.ts";
import { words } from "../../text/words.ts";
import { MAX_OFFSET } from "../../wire/constants.ts";
import { openFirst, openRequested } from "./first-channel.ts";
import type { Ports } from "../ports/ports.ts";
import { retryWait, type RateLimited } from "../../wire/rate-limits.ts";
import { attempt, errorWords, showError } from "../screen/notices.ts";

/** Channels per page. */
const PAGE = 30;

const channelListQuery = (me: string) => ({
  filter_conditions: { members: { $in: [me] } },
  sort: [{ field: "last_message_at", direction: -1 as const }],
});

/**
 * Loads and watches the user's channels with their newest messages. Channels from the cache are refreshed by the
 * recovery, so only their cids are queried.
 */
export async function loadChannels(core: Core): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  const cached = new Set(core.state().channels.keys());
  const queryPage = (offset: number): Promise<readonly string[]> =>
    queryWatched(core, { ...channelListQuery(me), offset });
  if ((await queryPage(0)).length < PAGE) return;
  if (cached.size <= PAGE) return loadPages(queryPage);
  await loadPages(async (offset) => {
    const cids = await cidsAt(core, me, offset);
    const unknown = cids.filter((cid) => !cached.has(cid));
    if (unknown.length > 0) await queryWatched(core, { filter_conditions: { cid: { $in: unknown } } });
    return cids;
  });
}

/** Loads the hidden channels, which no list contains, so that they are found by name; opening one watches it. */
export async function loadHiddenChannels(core: Core): Promise<void> {
  if (core.userId === undefined) return;
  const { sort, filter_conditions } = channelListQuery(core.userId);
  const query = {
    sort,
    filter_conditions: { ...filter_conditions, hidden: true },
    state: true,
    watch: false,
    presence: false,
    limit: PAGE,
    message_limit: 1,
    member_limit: 100,
  };
  const queryPage = (offset: number): Promise<readonly string[]> => core.queryChannels({ ...query, offset });
  if ((await queryPage(0)).length === PAGE) await loadPages(queryPage);
}

/** Loads the pages after the first, until a page is not full or the offset limit is reached. */
async function loadPages(page: (offset: number) => Promise<readonly string[]>): Promise<void> {
  for (let offset = PAGE; offset <= MAX_OFFSET - PAGE; offset += PAGE)
    if ((await page(offset)).length < PAGE) return;
}

const queryWatched = (core: Core, query: Parameters<Core["queryChannels"]>[0]): Promise<readonly string[]> =>
  core.queryChannels({
    ...query,
    state: true,
    watch: true,
    presence: true,
    limit: PAGE,
    message_limit: 25,
    member_limit: 100,
  });

async function cidsAt(core: Core, me: string, offset: number): Promise<string[]> {
  const body = { ...channelListQuery(me), offset, limit: PAGE, state: false, watch: false, presence: false };
  const { channels = [] } = await core.call("queryChannels", { body, retries: 1 });
  return channels.map(({ channel }) => channel.cid);
}

/** Loads listed and hidden channels; those that are hidden may fail to load. */
export const loadAllChannels = (core: Core): Promise<void> =>
  loadChannels(core).then(() => loadHiddenChannels(core).catch(() => {}));

/** Loads threads and reminders for the counts in the sidebar; a failed load is retried when the list is opened. */
function loadOwnLists(core: Core): void {
  for (const list of [core.threads, core.reminders]) list.load().catch(() => {});
  loadHiddenChannels(core).catch(() => {});
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
