/** Walking through the pages of a list: what is new of each, and when a cursor leads nowhere. */
import { expect, test } from "vitest";
import { isFullPage, PageWalk, placesTaken, SAME_PAGE, straighten } from "../../src/model/page-walk.ts";
import { byCursor } from "../../src/commands/base/lists/cursor.ts";

const walkOf = (from?: string): PageWalk<string> => new PageWalk<string>((item) => item, from);

test("an item is new once, within a page and over pages, and one without a name always", () => {
  const walk = walkOf();
  expect(walk.take(["a", "b", "a"]).fresh).toEqual(["a", "b"]);
  expect(walk.take(["b", "c"]).fresh).toEqual(["c"]);
  const nameless = new PageWalk<number>(() => undefined);
  expect([nameless.take([1, 1]).fresh, nameless.take([1]).fresh]).toEqual([[1, 1], [1]]);
});

test("what was seen is forgotten only after fifty thousand others", () => {
  const walk = walkOf();
  const others = Array.from({ length: 50_000 }, (_, n) => `n${n}`);
  walk.take(["a"]);
  walk.take(others);
  expect([walk.has("a"), walk.take(["a"]).fresh]).toEqual([true, []]);
  walk.take(others.map((one) => `${one}'`));
  expect(walk.has("a")).toBe(false);
});

test.each([
  ["that does not move", [], ["x", "x"]],
  ["in a circle", [], ["x", "y", "x"]],
  ["that is the one of the first page", "x", ["x"]],
])("a cursor %s ends the list with what the page still brought", (_, from, cursors) => {
  const walk = walkOf(typeof from === "string" ? from : undefined);
  const turns = cursors.map((cursor, n) => walk.take([`item ${n}`], cursor));
  expect(turns.slice(0, -1).map(({ next, isStuck }) => [next, isStuck])).toEqual(
    cursors.slice(0, -1).map((cursor) => [cursor, false]),
  );
  expect(turns.at(-1)).toEqual({ fresh: [`item ${cursors.length - 1}`], isStuck: true });
});

test("an empty page behind a cursor that does not move is the end, and behind a new one the walk goes on", () => {
  const walk = walkOf();
  expect(walk.take(["a"], "x")).toEqual({ fresh: ["a"], next: "x", isStuck: false });
  expect(walk.take([], "y")).toEqual({ fresh: [], next: "y", isStuck: false });
  expect(walk.take([], "y")).toEqual({ fresh: [], isStuck: false });
});

test("new cursors that lead to nothing new end the list: after three pages of the same, or twenty empty ones", () => {
  const count = (page: readonly string[]): number => {
    const walk = walkOf();
    walk.take(["a"], "first");
    for (let n = 1; n < 100; n++) if (walk.take(page, `c${n}`).isStuck) return n;
    return Infinity;
  };
  expect([count(["a"]), count([])]).toEqual([3, 20]);
});

test("a page with something new between starts the count anew", () => {
  const walk = walkOf();
  const stuck = ["a", "a", "a", "b", "b", "a", "a"].map((item, n) => walk.take([item], `c${n}`).isStuck);
  expect(stuck).toEqual([false, false, false, false, false, false, true]);
});

test("a page is turned round when it came the other way, and left alone when only a part did", () => {
  const turned = (page: number[]): number[] => {
    straighten(page, (a, b) => a - b);
    return page;
  };
  expect(turned([4, 3, 2, 1])).toEqual([1, 2, 3, 4]);
  expect(turned([4, 3, 3, 1])).toEqual([1, 3, 3, 4]);
  expect([turned([1, 2, 4, 3]), turned([1, 1]), turned([]), turned([7])]).toEqual([
    [1, 2, 4, 3],
    [1, 1],
    [],
    [7],
  ]);
});

test("a page beyond the limit is full and takes the places that were asked for", () => {
  const page = [1, 2, 3, 4, 5];
  expect([3, 5, 6].map((limit) => [isFullPage(page, limit), placesTaken(page, limit)])).toEqual([
    [true, 3],
    [true, 5],
    [false, 5],
  ]);
});

test("the error of a list in a circle is a sentence about the provider, after what was shown", async () => {
  const shown: string[] = [];
  const walk = async (): Promise<void> => {
    const pages = byCursor({ limit: Infinity }, 2, String, async () => ({ items: ["a", "b"], next: "x" }));
    for await (const item of pages) shown.push(item);
  };
  await expect(walk()).rejects.toMatchObject({ kind: "unavailable", message: SAME_PAGE });
  expect(shown).toEqual(["a", "b"]);
});
