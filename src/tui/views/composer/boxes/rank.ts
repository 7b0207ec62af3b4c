/** Filters and sorts items by how well their names match the typed text. */
import { bestRank } from "../../../../model/matching.ts";
import { fold } from "../../../../text/fold.ts";

export function ranked<T>(list: readonly T[], query: string, texts: (item: T) => string[]): T[] {
  const folded = fold(query);
  return list
    .flatMap((item) => {
      const rank = bestRank(texts(item), folded);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

type Named = Readonly<{ name: string }>;

/** Compares names: the exact match first, then the preferred ones in their order, then all others. */
export function preferringNames(preferred: readonly string[], query: string): (a: Named, b: Named) => number {
  const rank = ({ name }: Named): number =>
    preferred.includes(name) ? preferred.indexOf(name) : preferred.length;
  return (a, b) => Number(b.name === query) - Number(a.name === query) || rank(a) - rank(b);
}
