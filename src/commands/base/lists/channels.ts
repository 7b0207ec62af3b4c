/** Lists channels page by page, beyond the provider's largest offset. */
import { QUERY_CHANNELS_LIMIT } from "../../../wire/constants.ts";
import type { Channel } from "../../../wire/entities/channel.ts";
import type { Filter, Sort } from "../../../wire/entities/query.ts";
import type { PageRequest } from "../define-command.ts";
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

interface ChannelQuery {
  filter_conditions: Filter;
  sort: Sort;
  limit: number;
  offset: number;
}

export function listChannels<T extends ListedChannel>(
  page: PageRequest,
  { filter, created, matches }: ChannelSelection<T>,
  fetch: (query: ChannelQuery) => Promise<readonly T[]>,
): AsyncIterable<T> {
  const field = created === undefined ? "last_updated" : "created_at";
  const list = { filter, field, direction: created === "oldest" ? 1 : -1, key: "cid" } as const;
  return byOffset<T>(
    page,
    QUERY_CHANNELS_LIMIT[1],
    (span, bound) => fetch({ ...withinBound(list, bound), ...span }),
    {
      dateOf: ({ channel }) =>
        created === undefined ? (channel.last_message_at ?? channel.created_at) : channel.created_at,
      keyOf: ({ channel }) => channel.cid,
      byKey: true,
      ...(matches && { matches }),
    },
  );
}
