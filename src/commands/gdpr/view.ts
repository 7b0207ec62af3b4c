/** Shows the proof of an export or deletion of a person's data. */
import type { View } from "../base/define-command.ts";
import type { Proof, SearchedPlace } from "./proof.ts";

export const proofView = (proof: Proof): View => ({
  kind: "fields",
  fields: [
    [proof.dry_run ? `would ${proof.kind}` : proof.kind === "export" ? "exported" : "deleted", proof.user],
    ...Object.entries(proof.counts),
    ["at", proof.ended_at],
    ...(proof.gone === undefined ? [] : ([["gone", proof.gone]] as [string, boolean][])),
    ...(proof.searched ?? []).map((place): [string, string] => [
      `${place.place}, ${place.by}`,
      searchedLine(place, proof.remaining ?? []),
    ]),
    ...(proof.short_texts ? ([["too short to search", proof.short_texts]] as [string, number][]) : []),
    ...(proof.not_reached ?? []).map((what): [string, string] => ["not searched", what]),
    ["proof", proof.sha256 ?? "not written"],
  ],
});

/** Files that can be made again are removed where they held something; `remaining` are the others. */
function searchedLine(
  { by, place, looked_at: n, found }: SearchedPlace,
  remaining: NonNullable<Proof["remaining"]>,
): string {
  const isRemoved = by === "bytes" && found > 0 && !remaining.some((one) => one.place === place);
  const what = found === 0 ? "nothing found" : isRemoved ? `${found} found and removed` : `${found} found`;
  return `${n} ${by === "bytes" ? "files" : "answers"} searched, ${what}`;
}
