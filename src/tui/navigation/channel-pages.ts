/** Loads the user's channels page by page, and the hidden ones when a name is looked for. */
import type { Core } from "../../core/core.ts";
import { PageSize, type PageCall } from "../../model/page-size.ts";
import { MAX_OFFSET } from "../../wire/constants.ts";
import { isFullPage } from "../../model/page-walk.ts";

/** Channels of the largest page. */
export const MOST_CHANNELS = 30;

export interface ChannelPage {
  offset: number;
  limit: number;
}
export type PageOfChannels = (at: ChannelPage, call: PageCall) => Promise<readonly string[]>;

export const channelListQuery = (me: string) => ({
  filter_conditions: { members: { $in: [me] } },
  sort: [{ field: "last_message_at", direction: -1 as const }],
});

/** Loads a page; returns the offset of the next one, or undefined after the last. */
export async function loadPage(
  size: PageSize,
  page: PageOfChannels,
  offset: number,
): Promise<number | undefined> {
  const { answer, limit } = await size.ask((limit, call) => page({ offset, limit }, call));
  return !isFullPage(answer, limit) || offset + limit > MAX_OFFSET ? undefined : offset + limit;
}

/** Loads the pages from an offset on, until a page is not full or the offset limit is reached. */
export async function loadPages(size: PageSize, page: PageOfChannels, from: number): Promise<void> {
  for (let at: number | undefined = from; at !== undefined;) at = await loadPage(size, page, at);
}

/** The hidden channels of each core, loaded or on their way. */
const hiddenLoads = new WeakMap<Core, Promise<void>>();

/**
 * Loads the hidden channels, which no list contains, so that they are found by name; opening one watches it. A start
 * does without this call: it is made where the first name is looked for, and again after a failure.
 */
export function loadHiddenOnce(core: Core): Promise<void> {
  const known = hiddenLoads.get(core);
  if (known) return known;
  const load = loadHiddenChannels(core);
  hiddenLoads.set(core, load);
  load.catch(() => hiddenLoads.delete(core));
  return load;
}

async function loadHiddenChannels(core: Core): Promise<void> {
  if (core.userId === undefined) return;
  const { sort, filter_conditions } = channelListQuery(core.userId);
  const query = {
    sort,
    filter_conditions: { ...filter_conditions, hidden: true },
    state: true,
    watch: false,
    presence: false,
    message_limit: 1,
    member_limit: 100,
  };
  const size = new PageSize(MOST_CHANNELS);
  await loadPages(size, (at, call) => core.queryChannels({ ...query, ...at }, call), 0);
}
