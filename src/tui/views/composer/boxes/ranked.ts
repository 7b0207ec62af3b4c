/** Sorts things by how well their names match what was typed. */
import { bestRank, fold } from "../../../../model/matching.ts";

export function ranked<T>(list: readonly T[], query: string, texts: (item: T) => string[]): T[] {
  const wanted = fold(query);
  return list
    .flatMap((item) => {
      const rank = bestRank(texts(item), wanted);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
