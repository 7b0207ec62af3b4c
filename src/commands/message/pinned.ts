/** Reads the pins of a channel, last pinned first, also from a provider that has no list of them. */
import type { Message } from "../../wire/entities/message.ts";
import { REACTIONS_LIMIT, SEARCH_LIMIT } from "../../wire/constants.ts";
import { isRouteAbsent } from "../../wire/errors.ts";
import { compareTimes } from "../../wire/time.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import type { Args, Call, PageRequest } from "../base/define-command.ts";
import { byCursor, byItem } from "../base/lists/cursor.ts";
import { pathOf } from "../base/resolve-channel.ts";
import { itemName } from "../../wire/reading.ts";

type Core = Call<Args>["core"];

/** All pins, by a search, whose order is another. */
async function searchPins(core: Core, cid: string): Promise<Message[]> {
  const filters = { filter_conditions: { cid }, message_filter_conditions: { pinned: true } };
  const found = byCursor({ limit: Infinity }, SEARCH_LIMIT[1], itemName("messages"), async (at, once) => {
    const { results, next } = await core.call("search", { query: { ...filters, ...at }, ...once });
    return { items: results.map(({ message }) => message), next };
  });
  const pins = await Array.fromAsync(found);
  return pins.toSorted((a, b) => compareTimes(b.pinned_at ?? undefined, a.pinned_at ?? undefined));
}

export function listPins(
  core: Core,
  cid: string,
  page: PageRequest,
  matches?: (message: Message) => boolean,
): AsyncIterable<Message> {
  let searched: Message[] | undefined;
  return byItem<Message>(page, {
    maxPageSize: REACTIONS_LIMIT[1],
    async fetch({ limit, after }, once) {
      if (!searched) {
        const query = { limit, ...(after === undefined ? {} : { id_lt: after }) };
        try {
          return (await core.call("getPinnedMessages", { path: pathOf(cid), query, ...once })).messages;
        } catch (error) {
          if (!isRouteAbsent(error)) throw error;
          // The channel may be missing instead of the route.
          await lookUpChannel(core, cid);
          searched = await searchPins(core, cid);
        }
      }
      const from = after === undefined ? 0 : searched.findIndex(({ id }) => id === after) + 1;
      return searched.slice(from, from + limit);
    },
    cursorOf: ({ id }) => id,
    ...(matches && { matches }),
  });
}
