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
  type SearchIds,
  type SearchQuery,
} from "../model/search-query.ts";
import type { Message } from "../wire/entities/message.ts";
import { readChannel } from "./base/args.ts";
import { byCursor } from "./base/lists/cursor.ts";
import { type Call, type ArgValues, CommandError, command } from "./base/define-command.ts";
import { foundView } from "./base/found-message.ts";
import { heldSearchIds, searchIds } from "./base/search-ids.ts";
import { itemName } from "../wire/reading.ts";

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
  sort: { kind: "choice", choices: SEARCH_ORDERS, help: "Sort order (default: newest first)" },
  local: {
    kind: "flag",
    help: "Search offline what the screen has read on this machine",
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

/** Combines tokens in the words with flags; users and channels of flags are in `idsOf`. */
function queryOf(values: ArgValues<typeof args>, now: number): SearchQuery {
  const { since, has, sort } = values;
  const read = readSearch(values.words ?? "", { now });
  return {
    ...read,
    has: [...read.has, ...(has === undefined ? [] : [has as Has])],
    ...(since !== undefined && { after: Date.parse(since) }),
    ...(sort !== undefined && { sort: sort as Order }),
  };
}

/** The users and channels of tokens and flags. */
async function idsOf(call: Call<typeof args>, query: SearchQuery): Promise<SearchIds> {
  const { user, channel, local } = call.args;
  const flags = {
    users: user === undefined ? [] : [writerNamed(user.replace(/^@/, ""), call.core.userId)],
    in: channel === undefined ? [] : [readChannel(channel, call.channelType)],
  };
  const all = { ...query, in: [...query.in, ...flags.in] };
  const { users, cids } = await (local ? heldSearchIds(call, all) : searchIds(call, all));
  return { users: [...users, ...flags.users], cids };
}

/** Searches the messages on this machine. */
function* searchLocally(
  { core, page }: Pick<Call<typeof args>, "core" | "page">,
  query: SearchQuery,
  ids: SearchIds,
): Iterable<Message> {
  const { scope } = requestsOf(query, ids, core.userId);
  const found = core.search({ ...scope, held: localSearch(query, ids) }).held(Number.MAX_SAFE_INTEGER);
  const ordered = query.sort === "oldest" ? found.toReversed() : found;
  for (const [n, message] of ordered.entries()) {
    if (n >= page.limit) return page.onMore?.();
    yield message;
  }
}

export default command({
  summary: "Search messages",
  group: "Daily",
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
    const tag =
      args.channel === undefined ? /(?:^| )(#[\w!-]+)(?: |$)/.exec(args.words ?? "")?.[1] : undefined;
    if (tag !== undefined) call.note?.(`${tag} is searched as a word: -c '${tag}' searches in that channel`);
    const ids = await idsOf(call, query);
    // With only a channel, `message list` should be used.
    if (ids.users.length === 0 && isEmptySearch({ ...query, in: [] }))
      throw new CommandError("usage", "Nothing to search for.", "Give words, --user, --since or --has.");
    if (args.local) return yield* searchLocally(call, query, ids);
    const request = requestsOf(query, ids, core.userId);
    const found = core.search(request.scope);
    const warnings = new Set<string>();
    yield* byCursor(page, SEARCH_LIMIT[1], itemName("messages"), async (at, once) => {
      const answer = await found.page(request.query, { ...at, ...once });
      if (answer.warning !== undefined && !warnings.has(answer.warning)) call.note?.(`${answer.warning}.`);
      warnings.add(answer.warning ?? "");
      return answer;
    });
  },
  show: foundView,
});
