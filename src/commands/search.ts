/** Searches messages in one or all channels of the user, with filters as flags or tokens such as `from:@ana`. */
import { SEARCH_LIMIT } from "../wire/constants.ts";
import {
  requestsOf,
  localSearch,
  isEmptySearch,
  readSearch,
  SEARCH_HAS,
  SEARCH_ORDERS,
  writerNamed,
  type Has,
  type Order,
  type SearchQuery,
} from "../model/search-query.ts";
import type { Message } from "../wire/entities/message.ts";
import { readChannel } from "./base/args.ts";
import { byCursor } from "./base/lists/cursor.ts";
import { type CommandCall, type ArgValues, CommandError, command } from "./base/define-command.ts";
import { foundView } from "./base/found-message.ts";
import { cidOf } from "./base/resolve-channel.ts";

const args = {
  words: {
    kind: "words",
    positional: "rest",
    optional: true,
    help: "Each of them begins a word of the message; from:@ana in:#general before:2026-11-01 after:7d has:link is:pinned is:thread narrow it",
  },
  channel: { kind: "channel", short: "c", help: "Only in this channel" },
  user: { kind: "user", help: "Only messages by this user; me means yourself" },
  since: { kind: "time", help: "Only messages since this time" },
  has: { kind: "choice", choices: SEARCH_HAS, help: "Only messages with a link, an image or a file" },
  sort: { kind: "choice", choices: SEARCH_ORDERS, help: "Sort order (default: best match first)" },
  local: {
    kind: "flag",
    help: "Search offline what the screen has read on this machine, newest first",
  },
} as const;

/** The search as one line of words and tokens. */
export function searchLine({
  words = "",
  channel,
  user,
  since,
  has,
  sort,
}: Partial<ArgValues<typeof args>>): string {
  const tokens = { in: channel, from: user, after: since, has, sort };
  const filters = Object.entries(tokens).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}:${value}`],
  );
  return [words, ...filters].filter((part) => part !== "").join(" ");
}

/** Combines tokens in the words with flags. */
function queryOf(values: ArgValues<typeof args>, now: number): SearchQuery {
  const { channel, user, since, has, sort } = values;
  const read = readSearch(values.words ?? "", { now });
  return {
    ...read,
    from: [...read.from, ...(user === undefined ? [] : [user.replace(/^@/, "")])],
    in: [...read.in, ...(channel === undefined ? [] : [channel])],
    has: [...read.has, ...(has === undefined ? [] : [has as Has])],
    ...(since !== undefined && { after: Date.parse(since) }),
    ...(sort !== undefined && { sort: sort as Order }),
  };
}

/** Searches the messages on this machine, newest first by default. */
function* searchLocally(
  { core, channelType, page }: Pick<CommandCall<typeof args>, "core" | "channelType" | "page">,
  query: SearchQuery,
): Iterable<Message> {
  const cids = query.in.map((channel) => readChannel(channel, channelType));
  const person = cids.find((cid) => cid.startsWith("@"));
  if (person !== undefined)
    throw new CommandError("usage", `--local does not know which channel ${person} is.`, "Write type:id.");
  const narrowed = { users: query.from.map((name) => writerNamed(name, core.userId)), cids };
  const { scope } = requestsOf(query, narrowed, core.userId);
  const localQuery = localSearch(query, narrowed);
  const found = core.search({ ...scope, held: localQuery }).held(Number.MAX_SAFE_INTEGER);
  const ordered = query.sort === "oldest" ? found.toReversed() : found;
  for (const [n, message] of ordered.entries()) {
    if (n >= page.limit) return page.onMore?.();
    yield message;
  }
}

export default command({
  summary: "Search messages",
  changes: "nothing",
  examples: [
    "search tea kettle",
    "search release --channel messaging:ops --since 7d",
    "search --user ana --has file --sort newest",
    "search from:@ana has:link release",
    "search --local release",
  ],
  args,
  needsStore: ({ local }) => local === true,
  async *run(call): AsyncIterable<Message> {
    const { args, core, page } = call;
    const query = queryOf(args, call.now());
    const [fault] = query.faults;
    if (fault !== undefined) throw new CommandError("usage", fault);
    // With only a channel, `message list` should be used.
    if (isEmptySearch({ ...query, in: [] }))
      throw new CommandError("usage", "Nothing to search for.", "Give words, --user, --since or --has.");
    if (args.local) return yield* searchLocally(call, query);
    const cids = await Promise.all(
      query.in.map((channel) => cidOf(call, readChannel(channel, call.channelType))),
    );
    const users = query.from.map((name) => writerNamed(name, core.userId));
    const request = requestsOf(query, { users, cids }, core.userId);
    const found = core.search(request.scope);
    yield* byCursor(page, SEARCH_LIMIT[1], (pageQuery) => found.page(request.query, pageQuery));
  },
  show: foundView,
});
