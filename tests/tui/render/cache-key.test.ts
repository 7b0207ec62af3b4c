/** Everything that changes how a message looks is part of the cache keys: cached rows equal newly rendered ones. */
import { describe, expect, test } from "vitest";
import { loadHighlighter } from "../../../src/text/highlight.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { Feeds, type FeedInput } from "../../../src/tui/views/messages/feed/feeds.ts";
import { RowCache } from "../../../src/tui/render/cache.ts";
import type { RowContext } from "../../../src/tui/render/context.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import type { ChannelEntry, ClientMessage } from "../../../src/model/state.ts";
import type { Read } from "../../../src/wire/entities/channel.ts";
import { NO_LISTS, channel, messageSet, message as held, stateOf, thread } from "../../support/fake-core.ts";
import { context, group, message, NOW } from "./messages.ts";

const HOUR = 3_600_000;

/** A message with every feature: it looks different in each of the contexts below. */
const richMessage = message({
  user: { id: "ana", name: "ana maria ribeiro" },
  text: [
    "||a spoiler|| for @me, see [docs](https://example.org/docs)",
    "👩🏽‍💻 ❤️ 👍🏽",
    ...Array.from({ length: 60 }, (_, n) => `line ${n}`),
  ].join("\n"),
  mentioned_users: [{ id: "me", name: "me" }],
  reply_count: 3,
  reaction_groups: { like: group(2, 15) },
  own_reactions: [],
  latest_reactions: [],
  pinned: true,
  pinned_at: "2026-11-17T09:20:00Z",
  pin_expires: "2026-11-17T10:00:00Z",
  shared_location: { latitude: 1, longitude: 2, end_at: "2026-11-17T11:30:00Z" },
});

const mine: ClientMessage = { ...richMessage, id: "own", user: { id: "me", name: "me" } };
const failed: ClientMessage = { ...mine, id: "failed", status: "failed" };
const MESSAGES = [richMessage, mine, failed];

const VARIANTS: readonly [string, Partial<RowContext>][] = [
  ["as it is", {}],
  ["narrower", { width: 50 }],
  ["in another theme", { theme: makeTheme(1) }],
  ["a minute later", { now: NOW + 60_000 }],
  ["after the pin", { now: NOW + HOUR }],
  ["after the location", { now: NOW + 3 * HOUR }],
  ["for somebody else", { me: { id: "bo" }, theme: makeTheme(3) }],
  ["for the mentioned, in that theme", { theme: makeTheme(3) }],
  ["in a group", { grouped: true }],
  ["with a namesake", { hasNamesake: true }],
  ["read by nobody", { readBy: 0 }],
  ["read by one", { readBy: 1 }],
  ["read by eleven", { readBy: 11 }],
  ["in a thread", { inThread: true }],
  ["without letters as keys", { withoutLetters: true }],
  ["with hyperlinks", { hyperlinks: true }],
  ["expanded", { expanded: true }],
  ["with open spoilers", { revealed: true }],
  ["expanded with open spoilers", { expanded: true, revealed: true }],
  ["in a group in a thread", { grouped: true, inThread: true }],
  ["in a group in the same minute", { grouped: true, sameMinute: true }],
  [
    "with emoji as names",
    { glyphs: { asNames: (text) => text.replace(/\p{Emoji_Presentation}/gu, ":emoji:") } },
  ],
  ["without variation selectors", { glyphs: { dropVariation: true } }],
  ["without skin tones", { glyphs: { dropSkinTone: true } }],
  ["without joiners", { glyphs: { dropJoiner: true } }],
  ["without skin tones and joiners", { glyphs: { dropSkinTone: true, dropJoiner: true } }],
];

describe("rows of a message", () => {
  test.each(VARIANTS.slice(1).filter(([name]) => !name.startsWith("read by nobody")))(
    "%s, a message looks different, so the next test can fail",
    (_, over) => {
      const drawn = (ctx: RowContext): string[][] => MESSAGES.map((one) => messageRows(one, ctx));
      expect(drawn(context(over))).not.toEqual(drawn(context()));
    },
  );

  test.each(VARIANTS)("%s, cached rows equal newly rendered ones, whatever was cached before", (_, over) => {
    for (const one of MESSAGES) {
      const fresh = messageRows(one, context(over));
      for (const [, before] of VARIANTS) {
        const cache = new RowCache();
        cache.rows(one, context(before));
        expect(cache.rows(one, context(over))).toEqual(fresh);
      }
    }
  });

  test("another time zone is rendered again, and names that fill the column do not mix up messages", () => {
    const zoned = (utc: boolean): RowContext => context({ utc });
    const cache = new RowCache();
    cache.rows(richMessage, zoned(false));
    const rendersBefore = cache.rendered;
    cache.rows(richMessage, zoned(true));
    expect(cache.rendered).toBe(rendersBefore + 1);
    const [a, b] = [message({ id: "4t1", text: "one" }), message({ id: "1", text: "two" })];
    const both = new RowCache();
    both.rows(a, context({ width: 8 }));
    expect(both.rows(b, context({ width: 84, inThread: true }))).toEqual(
      messageRows(b, context({ width: 84, inThread: true })),
    );
  });

  test("code is rendered again once the highlighter is loaded", async () => {
    const code = message({ text: "```js\nconst tea = 1;\n```" });
    const cache = new RowCache();
    const ctx = context({ theme: makeTheme(3) });
    cache.rows(code, ctx);
    await loadHighlighter();
    expect(cache.rows(code, ctx)).toEqual(messageRows(code, ctx));
    expect(cache.rendered).toBe(2);
  });
});

describe("a list of messages", () => {
  const at = (n: number): ClientMessage => {
    const one = held(`m${n}`, n % 2 ? "me" : "ana", `text ${n}`, { minute: n * 10 });
    return n % 2 ? one : { ...one, user: { id: "ana", name: "Ana Maria Ribeiro" } };
  };
  const place = { cid: "messaging:general" };
  const look = { theme: makeTheme(3), utc: true, hyperlinks: true };
  const plain = channel("general", { messages: [at(1), at(2), at(3)] });
  const model = (
    over: { messages?: ClientMessage[]; entry?: Partial<ChannelEntry>; now?: number; me?: string } = {},
  ): FeedInput => {
    const { messages } = over;
    // Unchanged parts keep their object identity, as in the program.
    const entry = { ...(messages ? channel("general", { messages }) : plain), ...over.entry };
    const state = stateOf([entry]);
    const me = over.me === undefined ? state.me : { ...state.me!, id: over.me };
    return { state: { ...state, ...(me && { me }) }, lists: NO_LISTS, now: over.now ?? NOW, look };
  };
  const rows = (feeds: Feeds, input: FeedInput, width = 84): string[] => {
    const feed = feeds.feed(input, place, width);
    return Array.from({ length: feed.length }, (_, index) => feed.rowsAt(index)).flat();
  };
  const read = (minute: number): Map<string, Read> =>
    new Map([["ana", { user: { id: "ana" }, last_read: at(minute).created_at, unread_messages: 0 }]]);

  const people = (...names: string[]): ChannelEntry["members"] =>
    new Map(names.map((name) => [name, { user_id: name, user: { id: name, name } } as never]));

  test.each<[string, FeedInput, number?]>([
    ["more messages", model({ messages: [at(1), at(2), at(3), at(4)] })],
    ["another version of one", model({ messages: [at(1), { ...at(2), text: "edited" }, at(3)] })],
    [
      "older ones to load",
      model({ entry: { sets: [messageSet([at(1), at(2), at(3)], { hasPrev: true })] } }),
    ],
    [
      "newer ones to load",
      model({ entry: { sets: [messageSet([at(1), at(2), at(3)], { hasNext: true, isLatest: false })] } }),
    ],
    ["a reader", model({ entry: { read: read(3) } })],
    ["a namesake of the author", model({ entry: { members: people("Ana Ribeiro", "Ana Silva Dias") } })],
    ["a line of new messages", model({ entry: { firstUnreadId: "m2" } })],
    ["another line of new messages", model({ entry: { firstUnreadId: "m3" } })],
    ["somebody else who looks", model({ me: "ana" })],
    ["another width", model(), 40],
  ])("with %s the list is rendered again", (_, next, width = 84) => {
    const fresh = rows(new Feeds(), next, width);
    const feeds = new Feeds();
    const before = rows(feeds, model());
    expect(fresh).not.toEqual(before);
    expect(rows(feeds, next, width)).toEqual(fresh);
    expect(rows(feeds, model())).toEqual(before);
  });

  test("an expired pin is noticed within its minute", () => {
    const pinned = { ...at(2), pinned: true, pin_expires: new Date(NOW + 60_000).toISOString() };
    const entry = channel("general", { messages: [at(1), pinned] });
    const inputWith = (now: number): FeedInput => model({ entry, now });
    const feeds = new Feeds();
    expect(rows(feeds, inputWith(NOW)).join()).toContain("pinned");
    expect(rows(feeds, inputWith(NOW + 60_000)).join()).not.toContain("pinned");
  });

  test("a thread is rendered again when its parent changes", () => {
    const feeds = new Feeds();
    const threads = new Map([["m1", thread("m1", [at(2)])]]);
    const inputWith = (text: string): FeedInput => {
      const { sets } = channel("general", { messages: [{ ...at(1), text, reply_count: 1 }] });
      return model({ entry: { sets, threads } });
    };
    const under = { ...place, parentId: "m1" };
    const first = feeds.feed(inputWith("asked"), under, 84).rowsAt(0).join();
    expect(first).toContain("asked");
    expect(feeds.feed(inputWith("asked again"), under, 84).rowsAt(0).join()).toContain("asked again");
  });
});
