/** Filters and sorts items by how well their names match the typed text. */
import { bestRank, fold } from "../../../../model/matching.ts";

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
