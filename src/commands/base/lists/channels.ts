/** Lists channels page by page, beyond the provider's largest offset. */
import { QUERY_CHANNELS_LIMIT } from "../../../wire/constants.ts";
import type { Channel } from "../../../wire/entities/channel.ts";
import type { Filter, Sort } from "../../../wire/entities/query.ts";
import type { PageCall } from "../../../model/page-size.ts";
import type { PageRequest } from "../define-command.ts";
import { itemName } from "../../../wire/reading.ts";
import { byOffset, withinBound } from "./by-offset.ts";

interface ListedChannel {
  channel: Pick<Channel, "cid" | "created_at" | "last_message_at">;
}

interface ChannelSelection<T> {
  filter: Filter;
  /** Sort by creation; by default the newest activity comes first. */
  created?: "newest" | "oldest" | undefined;
  /** Filters channels on the client. */
  matches?(channel: T): boolean;
}

/** What the app has stored under a name: it can be paged by number only. */
export interface PredefinedFilter {
  predefined_filter: string;
  filter_values?: Record<string, unknown>;
  sort_values?: Record<string, unknown>;
}

const keyOf = itemName("channels");

type ChannelQuery = ({ filter_conditions: Filter; sort: Sort } | PredefinedFilter) & {
  limit: number;
  offset: number;
};

export const predefinedChannels = <T extends ListedChannel>(
  page: PageRequest,
  named: PredefinedFilter,
  fetch: (query: ChannelQuery, call: PageCall) => Promise<readonly T[]>,
): AsyncIterable<T> =>
  byOffset<T>(page, QUERY_CHANNELS_LIMIT[1], keyOf, (span, _, call) => fetch({ ...named, ...span }, call));

export function listChannels<T extends ListedChannel>(
  page: PageRequest,
  { filter, created, matches }: ChannelSelection<T>,
  fetch: (query: ChannelQuery, call: PageCall) => Promise<readonly T[]>,
): AsyncIterable<T> {
  const field = created === undefined ? "last_updated" : "created_at";
  const list = { filter, field, direction: created === "oldest" ? 1 : -1, key: "cid" } as const;
  return byOffset<T>(
    page,
    QUERY_CHANNELS_LIMIT[1],
    keyOf,
    (span, bound, call) => fetch({ ...withinBound(list, bound), ...span }, call),
    {
      dateOf: ({ channel }) =>
        created === undefined ? (channel.last_message_at ?? channel.created_at) : channel.created_at,
      byKey: true,
      ...(matches && { matches }),
    },
  );
}
