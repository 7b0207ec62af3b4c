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
const NOBODY = { users: [], cids: [] };
const fits = (held: Message, query: SearchQuery, narrowed: SearchIds): boolean =>
  localSearch(query, narrowed).fits(held);

describe("reading", () => {
  test("words and tokens stand in any order, and what stands in quotes is one name", () => {
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

  test("times are dates, and lengths that point back", () => {
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
  ])("%s cannot be understood, and that is said", (typed, said) => {
    expect(read(`tea ${typed}`)).toMatchObject({ words: "tea", faults: [said] });
  });

  test("a time that is none is refused with the forms there are", () => {
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

  test("only what narrows or is a word is something to look for", () => {
    expect(["", "  ", "sort:newest"].map((text) => isEmptySearch(read(text)))).toEqual([true, true, true]);
    expect(["a", "in:#x", "has:file"].map((text) => isEmptySearch(read(text)))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("asking the provider", () => {
  test("words alone are a query in the own channels, or in all where nobody is signed in", () => {
    expect(requestsOf(read("tea kettle"), NOBODY, "me")).toEqual({
      query: "tea kettle",
      scope: { filter_conditions: { members: { $in: ["me"] } } },
    });
    expect(requestsOf(read("tea"), NOBODY, undefined).scope.filter_conditions).toEqual({
      member_count: { $gte: 0 },
    });
  });

  test("filters take the words in, and what asks the same field twice stands in $and", () => {
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

  test("a channel alone is all of its messages", () => {
    expect(requestsOf(read(""), { users: [], cids: ["messaging:ops"] }, "me").scope).toEqual({
      filter_conditions: { cid: "messaging:ops" },
      message_filter_conditions: { created_at: { $gte: "1970-01-01T00:00:00.000Z" } },
    });
  });
});

describe("a message that is held", () => {
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
  ])("%s: %s", (typed, found) => {
    expect(fits(held, read(typed), NOBODY)).toBe(found);
  });
  test("people and channels narrow, and what is deleted is not found", () => {
    expect(fits(held, read("kettle"), { users: ["bo"], cids: [] })).toBe(false);
    expect(fits(held, read("kettle"), { users: ["bo", "ana"], cids: ["messaging:general"] })).toBe(true);
    expect(fits(held, read("kettle"), { users: [], cids: ["messaging:ops"] })).toBe(false);
    expect(fits({ ...held, type: "deleted" }, read("kettle"), NOBODY)).toBe(false);
    expect(fits({ ...held, reply_count: 1 }, read("is:thread"), NOBODY)).toBe(true);
    expect(fits({ ...held, parent_id: "m0" }, read("is:thread"), NOBODY)).toBe(true);
  });
  test("what SQL looks for stands in the JSON of the message, whatever its case and accents are", () => {
    const parts = (text: string, users: string[] = []) => localSearch(read(text), { users, cids: [] }).parts;
    expect(parts("Café über has:link is:pinned", ["ana"])).toEqual([
      "f",
      "b_r",
      '"id":"ana"',
      '"og_scrape_url":',
      '"pinned":true',
    ]);
    // Too few letters would be left to search for.
    expect(parts("sea", ["ana", "bo"])).toEqual([]);
  });
});
