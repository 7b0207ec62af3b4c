/** Shows the proof of an export or deletion of a person's data. */
import type { View } from "../base/define-command.ts";
import type { Proof } from "./proof.ts";

export const proofView = (proof: Proof): View => ({
  kind: "fields",
  fields: [
    [proof.dry_run ? `would ${proof.kind}` : proof.kind === "export" ? "exported" : "deleted", proof.user],
    ...Object.entries(proof.counts),
    ["at", proof.ended_at],
    ...(proof.gone === undefined ? [] : ([["gone", proof.gone]] as [string, boolean][])),
    ...(proof.searched ?? []).map(({ by, place, looked_at: n, found }): [string, string] => [
      `${place}, ${by}`,
      `${n} ${by === "bytes" ? "files" : "answers"} searched, ${found === 0 ? "nothing" : found} found`,
    ]),
    ...(proof.short_texts ? ([["too short to search", proof.short_texts]] as [string, number][]) : []),
    ...(proof.not_reached ?? []).map((what): [string, string] => ["not searched", what]),
    ["proof", proof.sha256 ?? "not written"],
  ],
});
