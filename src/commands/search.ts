/** Searches messages: words in one channel or in all of one's own, narrowed by flags or by tokens such as `from:@ana`. */
import { SEARCH_LIMIT } from "../wire/constants.ts";
import { askedOf, isEmptySearch, readSearch, SEARCH_HAS, SEARCH_ORDERS } from "../model/search-query.ts";
import type { Has, Order, SearchQuery } from "../model/search-query.ts";
import type { Message } from "../wire/message.ts";
import { readChannel } from "./base/args.ts";
import { byCursor } from "./base/cursor.ts";
import type { Values } from "./base/define-command.ts";
import { CommandError, command, rowView } from "./base/define-command.ts";
import { cidOf } from "./base/place.ts";

const args = {
  words: {
    kind: "words",
    place: "rest",
    optional: true,
    help: "Each of them begins a word of the message; from:@ana in:#general before:2026-11-01 after:7d has:link is:pinned is:thread narrow it",
  },
  channel: { kind: "channel", short: "c", help: "Only in this channel" },
  user: { kind: "user", help: "Only by this user" },
  since: { kind: "time", help: "Only since then" },
  has: { kind: "choice", choices: SEARCH_HAS, help: "Only with a link, an image or a file" },
  sort: { kind: "choice", choices: SEARCH_ORDERS, help: "The order; best first without it" },
} as const;

/** The same search as one line of words and tokens. */
export function searchLine({ words = "", channel, user, since, has, sort }: Values<typeof args>): string {
  const tokens = { in: channel, from: user, after: since, has, sort };
  const said = Object.entries(tokens).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}:${value}`],
  );
  return [words, ...said].filter((part) => part !== "").join(" ");
}

/** What the words say, and what the flags say beside them. */
function queryOf(given: Values<typeof args>, now: number): SearchQuery {
  const { channel, user, since, has, sort } = given;
  const read = readSearch(given.words ?? "", { now });
  return {
    ...read,
    from: [...read.from, ...(user === undefined ? [] : [user.replace(/^@/, "")])],
    in: [...read.in, ...(channel === undefined ? [] : [channel])],
    has: [...read.has, ...(has === undefined ? [] : [has as Has])],
    ...(since !== undefined && { after: Date.parse(since) }),
    ...(sort !== undefined && { sort: sort as Order }),
  };
}

export default command({
  summary: "Search messages",
  examples: [
    "search tea kettle",
    "search release --channel messaging:ops --since 7d",
    "search --user ana --has file --sort newest",
    "search from:@ana has:link release",
  ],
  args,
  async *run(call): AsyncIterable<Message> {
    const { args, core, page } = call;
    const query = queryOf(args, call.now());
    const [fault] = query.faults;
    if (fault !== undefined) throw new CommandError("usage", fault);
    // A channel alone is what `message list` shows.
    if (isEmptySearch({ ...query, in: [] }))
      throw new CommandError("usage", "Search for what?", "Give words, --user, --since or --has.");
    const cids = await Promise.all(
      query.in.map((place) => cidOf(call, readChannel(place, call.channelType))),
    );
    const asked = askedOf(query, { users: query.from, cids }, core.userId);
    const found = core.search(asked.scope);
    yield* byCursor(page, SEARCH_LIMIT[1], (at) => found.page(asked.query, at));
  },
  show: (message) =>
    rowView(
      {
        channel: message.cid,
        by: message.user.name ?? message.user.id,
        at: message.created_at,
        text: message.text,
        id: message.id,
      },
      { channel: "cid", by: "user.id", at: "created_at" },
    ),
});
