/** Lists of what the provider has together with what this machine has: the pages are the whole list once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import campaignList from "../../src/commands/campaign/list.ts";
import { Journal } from "../../src/commands/campaign/receipts/journal.ts";
import draftList from "../../src/commands/draft/list.ts";

let folder: string;
beforeAll(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "parley-local-items-")), "campaigns");
});
afterAll(() => rmSync(path.dirname(folder), { recursive: true }));

const at = (n: number): number => Date.UTC(2026, 0, 1) + n * 1000;

/** A provider that has what was made at these seconds, and a machine that has the rest; each is in `#cN`, the newest first. */
function drafts(ours: readonly number[], theirs: readonly number[]) {
  const draftAt = (n: number) => ({ cid: `messaging:c${n}`, text: "t", updatedAt: at(n) });
  const held = theirs.map((n) => ({
    channel_cid: `messaging:c${n}`,
    message: { text: "t" },
    created_at: new Date(at(n)).toISOString(),
  }));
  return { drafts: () => ours.map(draftAt), call: pagesOf("drafts", held) };
}

/** Answers with a page of `items`; the cursor is the index of the next one. */
const pagesOf =
  (key: string, items: readonly object[]) =>
  async (_: string, { body }: { body: { limit: number; next?: string } }) => {
    const end = Number(body.next ?? 0) + body.limit;
    return {
      [key]: items.slice(Number(body.next ?? 0), end),
      ...(end < items.length ? { next: String(end) } : {}),
    };
  };

interface Listed {
  items: string[];
  /** The cursor printed at the end; "all" if there is more and no cursor. */
  more?: string;
}

/** One run as the shell does it: an item beyond the limit is not shown, and says that there is more. */
async function listed(
  list: { run(call: never): unknown },
  call: object,
  { limit, next }: { limit: number; next?: string | undefined },
): Promise<Listed> {
  const found: Listed = { items: [] };
  const onMore = (cursor = "all"): void => void (found.more = cursor);
  const page = { limit, onMore, ...(next === undefined ? {} : { next }) };
  const items = list.run({ args: {}, page, ...call } as never) as AsyncIterable<{
    id?: string;
    channel_cid?: string;
  }>;
  for await (const item of items) {
    if (found.items.length >= limit) {
      onMore();
      break;
    }
    found.items.push(item.id ?? item.channel_cid!.replace("messaging:c", ""));
  }
  return found;
}

/** All pages from the first one on, as somebody reads who follows `--next`. */
async function pagesBy(list: { run(call: never): unknown }, call: object, limit: number): Promise<Listed[]> {
  const pages: Listed[] = [];
  let next: string | undefined;
  do {
    pages.push(await listed(list, call, { limit, next }));
    next = pages.at(-1)!.more;
  } while (next !== undefined && next !== "all");
  return pages;
}

const OURS = [9, 4, 2];
const THEIRS = [8, 7, 5, 3, 1];
const EIGHT = ["9", "8", "7", "5", "4", "3", "2", "1"];

test("all drafts are listed newest first, wherever they are", async () => {
  expect(await pagesBy(draftList, { core: drafts(OURS, THEIRS) }, 8)).toEqual([{ items: EIGHT }]);
  expect(await pagesBy(draftList, { core: drafts(OURS, THEIRS) }, Infinity)).toEqual([{ items: EIGHT }]);
});

test.each([4, 5, 6, 7])("drafts in pages of %d by --next are each listed once", async (limit) => {
  const pages = await pagesBy(draftList, { core: drafts(OURS, THEIRS) }, limit);
  expect(pages[0]!.items).toHaveLength(limit);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap(({ items }) => items).toSorted()).toEqual(EIGHT.toSorted());
});

test.each([1, 2, 3])(
  "a page of %d that the drafts of this machine may fill names no cursor, which would skip some of them",
  async (limit) => {
    const pages = await pagesBy(draftList, { core: drafts(OURS, THEIRS) }, limit);
    expect(pages).toEqual([{ items: EIGHT.slice(0, limit), more: "all" }]);
  },
);

const campaigns = (own: readonly string[], theirs: readonly string[]) => {
  const held = theirs.map((id) => ({ id, status: "draft", stats: {} }));
  return { core: { call: pagesOf("campaigns", held) }, machine: { folder }, now: () => at(own.length) };
};

test("campaigns of this machine stand before those of the provider on the first page only, and a limit that cuts says so", async () => {
  const own = ["third", "second", "first"];
  for (const [n, id] of own.toReversed().entries()) {
    const journal = new Journal({ folder }, id, () => at(n));
    const rest = { hash: "h", file: "a.yaml", by: "me", sender: "ana", sender_since: "2026", left: {} };
    const counts = { wrong: 0, duplicates: 0 };
    journal.begin({ kind: "begun", mode: "messages", audience: ["bo"], counts, guards: {}, ...rest });
    journal.close();
  }
  const both = campaigns(own, ["p1", "p2", "p3"]);
  const all = [...own, "p1", "p2", "p3"];
  expect(await pagesBy(campaignList, both, 6)).toEqual([{ items: all }]);
  for (const limit of [4, 5]) {
    const pages = await pagesBy(campaignList, both, limit);
    expect(pages.flatMap(({ items }) => items)).toEqual(all);
    expect(pages[0]!.items).toHaveLength(limit);
  }
  for (const limit of [1, 2, 3])
    expect(await pagesBy(campaignList, both, limit)).toEqual([{ items: all.slice(0, limit), more: "all" }]);
  const alone = campaigns(own, []);
  expect(await pagesBy(campaignList, alone, 2)).toEqual([{ items: own.slice(0, 2), more: "all" }]);
  expect(await pagesBy(campaignList, alone, 3)).toEqual([{ items: own }]);
});
