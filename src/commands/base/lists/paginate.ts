/** Reads pages of messages: back from the newest to a limit, or forward from a time to the end (PAGE-1, PAGE-4). */
import type { Message } from "../../../wire/entities/message.ts";
import type { MessagePagination } from "../../../wire/entities/query.ts";
import { compareTimes, EPOCH, timeToMs } from "../../../wire/time.ts";
import { PageSize, type PageCall } from "../../../model/page-size.ts";
import { isFullPage, oldestFirst, PageWalk, straighten } from "../../../model/page-walk.ts";
import { byItem, largestPage, repeatedPage } from "./cursor.ts";
import type { PageRequest } from "../define-command.ts";

/** Requests one page, ordered oldest → newest. */
type Fetch = (page: MessagePagination & { limit: number }, call: PageCall) => Promise<Message[]>;

/** Filters messages on the client. */
type MessageFilter = (message: Message) => boolean;

/** The newest `page.limit` messages before `page.next`, oldest first. */
export async function* newest(
  fetch: Fetch,
  page: PageRequest,
  maxPageSize: number,
  matches?: MessageFilter,
): AsyncIterable<Message> {
  const pages: Message[][] = [];
  const size = new PageSize(largestPage(page, maxPageSize));
  const walk = new PageWalk<Message>(({ id }) => id);
  let isStuck = false;
  let remaining = page.limit;
  let before = page.next;
  for (;;) {
    const at = before === undefined ? {} : { id_lt: before };
    const ask = size.ask((limit, call) => fetch({ limit, ...at }, call), {
      needed: matches ? maxPageSize : remaining,
    });
    const { answer: response, limit } = await ask;
    straighten(response, oldestFirst);
    const { fresh } = walk.take(response);
    const matching = (matches ? fresh.filter(matches) : fresh).slice(-remaining);
    pages.push(matching);
    remaining -= matching.length;
    const full = isFullPage(response, limit);
    // Limit reached: the next run continues before the oldest returned message, even inside a page.
    before = (remaining === 0 ? matching : fresh)[0]?.id ?? before;
    if (full && remaining > 0) {
      isStuck = fresh.length === 0;
      if (isStuck) break;
      continue;
    }
    const cut = remaining === 0 && fresh[0] !== undefined && fresh[0].id !== before;
    if ((full || cut) && before !== undefined) page.onMore?.(before);
    break;
  }
  for (const messages of pages.toReversed()) yield* messages;
  if (isStuck) throw repeatedPage();
}

/** Messages from a time (or after `page.next`) forward; holds one page in memory. */
export function pagesForward(
  fetch: Fetch,
  page: PageRequest,
  maxPageSize: number,
  range: { since: string; until?: string | undefined },
  matches?: MessageFilter,
): AsyncIterable<Message> {
  const { since, until } = range;
  return byItem<Message>(page, {
    maxPageSize,
    fetch: ({ limit, after }, call) =>
      fetch(
        after === undefined ? { limit, created_at_after_or_equal: since } : { limit, id_gt: after },
        call,
      ),
    cursorOf: ({ id }) => id,
    compare: oldestFirst,
    isPastEnd: (message) => until !== undefined && timeToMs(message.created_at) > timeToMs(until),
    ...(matches && { matches }),
  });
}

export const isWithin = ({ created_at }: Message, since = EPOCH, until = created_at): boolean =>
  compareTimes(since, created_at) <= 0 && compareTimes(created_at, until) <= 0;
