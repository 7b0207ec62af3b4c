/** Search queries as typed: words and tokens, messages for what cannot be parsed, and the request sent to the provider. */
import { describe, expect, test } from "vitest";
import {
  requestsOf,
  localSearch,
  isEmptySearch,
  readSearch,
  type SearchIds,
  type SearchQuery,
} from "../../src/model/search-query.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import { message } from "../support/fake-core.ts";

const NOW = Date.parse("2026-11-17T12:00:00Z");
const read = (text: string) => readSearch(text, { now: NOW, utc: true });
const NEWEST = [{ field: "created_at", direction: -1 }];
const NOBODY = { users: [], cids: [] };
const fits = (held: Message, query: SearchQuery, narrowed: SearchIds): boolean =>
  localSearch(query, narrowed).fits(held);

describe("reading a query", () => {
  test("words and filters may be in any order, and quotes make one name", () => {
    expect(read('tea from:@ana in:#general kettle from:"Bo B" has:link is:pinned sort:newest')).toEqual({
      words: "tea kettle",
      from: ["ana", "Bo B"],
      in: ["#general"],
      has: ["link"],
      is: ["pinned"],
      sort: "newest",
      faults: [],
    });
  });

  test("times may be dates or durations before now", () => {
    expect(read("after:7d before:2026-11-16")).toMatchObject({
      after: NOW - 7 * 86_400_000,
      before: Date.parse("2026-11-16T00:00:00Z"),
    });
  });

  test.each([
    ["from:", "from: needs a user: from:@ana"],
    ["in:", "in: needs a channel: in:#general"],
    ["has:cheese", "has:cheese must be one of link, image, file"],
    ["is:late", "is:late must be one of pinned, thread"],
    ["sort:size", "sort:size must be one of best, newest, oldest"],
    ["form:@ana", "form:@ana is not a filter; did you mean from:?"],
    ["befor:today", "befor:today is not a filter; did you mean before:?"],
  ])("%s is reported as invalid", (typed, said) => {
    expect(read(`tea ${typed}`)).toMatchObject({ words: "tea", faults: [said] });
  });

  test.each(["%", "👍", "… !?", "% from:@ana"])(
    "R-SEARCH-5: %s has nothing that can be searched for",
    (typed) => {
      const words = typed.replace(" from:@ana", "");
      expect(read(typed).faults).toEqual([
        `Only letters and digits can be searched for, and there are none in ${words}`,
      ]);
      expect(read(`${typed} tea`).faults).toEqual([]);
    },
  );

  test("an invalid time is reported with the accepted forms", () => {
    expect(read("before:2026-02-31").faults).toEqual([
      expect.stringMatching(/^before: '2026-02-31' is not a time: use 2h, in 10 min, yesterday/),
    ]);
  });

  test("an address, a time of day and any other word with a colon is a word", () => {
    expect(read("https://ci.example/1 09:30 re:build a:b")).toMatchObject({
      words: "https://ci.example/1 09:30 re:build a:b",
      faults: [],
    });
  });

  test("a query is empty without words and narrowing filters", () => {
    expect(["", "  ", "sort:newest"].map((text) => isEmptySearch(read(text)))).toEqual([true, true, true]);
    expect(["a", "in:#x", "has:file"].map((text) => isEmptySearch(read(text)))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("the request to the provider", () => {
  test("R-SEARCH-6: searches the user's channels for words, the newest first, or all channels when nobody is signed in", () => {
    expect(requestsOf(read("tea kettle"), NOBODY, "me")).toEqual({
      query: "tea kettle",
      scope: { filter_conditions: { members: { $in: ["me"] } }, sort: NEWEST },
    });
    expect(requestsOf(read("tea sort:best"), NOBODY, "me").scope).toEqual({
      filter_conditions: { members: { $in: ["me"] } },
    });
    expect(requestsOf(read("tea"), NOBODY, undefined).scope.filter_conditions).toEqual({
      member_count: { $gte: 0 },
    });
  });

  test("adds words to the filters, and puts a second condition on the same field into $and", () => {
    const narrowed = { users: ["ana", "bo"], cids: ["messaging:ops"] };
    expect(
      requestsOf(read("tea after:1d before:2026-11-17 has:image has:file sort:oldest"), narrowed, "me"),
    ).toEqual({
      query: "",
      scope: {
        filter_conditions: { cid: "messaging:ops" },
        message_filter_conditions: {
          "user.id": { $in: ["ana", "bo"] },
          created_at: { $gte: "2026-11-16T12:00:00.000Z", $lt: "2026-11-17T00:00:00.000Z" },
          "attachments.type": { $in: ["image", "giphy"] },
          text: { $q: "tea" },
          $and: [{ "attachments.type": { $in: ["file", "audio", "video", "voiceRecording"] } }],
        },
        sort: [{ field: "created_at", direction: 1 }],
      },
    });
  });

  test("asks for messages with attachments, and looks through them for cards of links, which no documented filter names", () => {
    const { scope } = requestsOf(read("has:link"), NOBODY, "me");
    expect(scope.message_filter_conditions).toEqual({ attachments: { $exists: true } });
    const hits = [
      [{ og_scrape_url: "https://a" }],
      [{ title_link: "https://b" }],
      [{ type: "image", image_url: "c" }],
      [],
    ];
    expect(hits.map((attachments) => scope.narrow?.({ attachments }))).toEqual([true, true, false, false]);
    expect(requestsOf(read("has:file"), NOBODY, "me").scope).not.toHaveProperty("narrow");
  });

  test("lists all messages of a channel when only the channel is given", () => {
    expect(requestsOf(read(""), { users: [], cids: ["messaging:ops"] }, "me").scope).toEqual({
      filter_conditions: { cid: "messaging:ops" },
      message_filter_conditions: { created_at: { $gte: "1970-01-01T00:00:00.000Z" } },
      sort: NEWEST,
    });
  });
});

describe("a loaded message", () => {
  const held = message("m1", "ana", "The Kettle is on", {
    attachments: [{ type: "image" }, { type: "file", og_scrape_url: "https://x.example" }],
    pinned: true,
    minute: 30,
  }) as Message;
  test.each([
    ["kettle", true],
    ["ket on", true],
    ["ettle", false],
    ["has:image has:file has:link is:pinned", true],
    ["is:thread", false],
    ["after:2026-11-17T09:30:00Z", true],
    ["before:2026-11-17T09:30:00Z", false],
  ])("for %s matches: %s", (typed, found) => {
    expect(fits(held, read(typed), NOBODY)).toBe(found);
  });
  test("must be by the users and in the channels of the query, and not deleted", () => {
    expect(fits(held, read("kettle"), { users: ["bo"], cids: [] })).toBe(false);
    expect(fits(held, read("kettle"), { users: ["bo", "ana"], cids: ["messaging:general"] })).toBe(true);
    expect(fits(held, read("kettle"), { users: [], cids: ["messaging:ops"] })).toBe(false);
    for (const type of ["deleted", "system"] as const)
      expect(fits({ ...held, type }, read("kettle"), NOBODY)).toBe(false);
    expect(fits({ ...held, reply_count: 1 }, read("is:thread"), NOBODY)).toBe(true);
    expect(fits({ ...held, parent_id: "m0" }, read("is:thread"), NOBODY)).toBe(true);
  });
  test("what SQL looks for is in every matching message: folded words in its text, the rest in its JSON", () => {
    const { words, parts } = localSearch(read("Café über has:link is:pinned"), { users: ["ana"], cids: [] });
    expect(words).toEqual(["cafe", "uber"]);
    expect(parts).toEqual(['"id":"ana"', '"attachments":[{', '"pinned":true']);
    expect(localSearch(read("sea"), { users: ["ana", "bo"], cids: [] }).parts).toEqual([]);
  });
});
