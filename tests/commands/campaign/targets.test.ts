/** Who is in an audience: each once, and which repetitions and records in its source are mistakes. */
import { expect, test } from "vitest";
import { targetsOf, type AudienceSource } from "../../../src/commands/campaign/audience/targets.ts";

const MEMBERS: Record<string, string[]> = { tea: ["ana", "bo"], milk: ["bo", "cy"] };

const answers: Record<string, (id: string) => object> = {
  getSegment: (id) => ({ segment: { id, type: id === "rooms" ? "channel" : "user" } }),
  querySegmentTargets: (id) => ({ targets: MEMBERS[id]!.map((target_id) => ({ target_id })) }),
  queryUsers: () => ({ users: [{ id: "ana" }, { id: "bo" }] }),
};

/** The targets and duplicates of a source; segments and users are those above. */
async function audience(source: AudienceSource) {
  const call = {
    core: {
      call: async (name: string, { path }: { path?: { id: string } }) => answers[name]!(path?.id ?? ""),
    },
    signal: new AbortController().signal,
    progress: () => {},
    input: async function* () {
      yield "ana\nbo\nana\n";
    },
  };
  const { targets, duplicates } = await targetsOf(call as never, source);
  return [targets.map(({ id }) => id), duplicates];
}

test.each<[string, AudienceSource, string[], string[]]>([
  ["ids, whose repetitions are told", { ids: ["ana", "bo", "ana"] }, ["ana", "bo"], ["ana"]],
  ["a file, whose repetitions are told", { file: "-" }, ["ana", "bo"], ["ana"]],
  ["one segment", { segments: ["tea"] }, ["ana", "bo"], []],
  ["two segments, for being in both is no mistake", { segments: ["tea", "milk"] }, ["ana", "bo", "cy"], []],
  ["a filter", { filter: { role: "user" } }, ["ana", "bo"], []],
])("the audience of %s", async (_, source, ids, duplicates) => {
  expect(await audience(source)).toEqual([ids, duplicates]);
});

test("segments of users and of channels are not combined", async () => {
  await expect(audience({ segments: ["tea", "rooms"] })).rejects.toThrow("cannot be combined");
});
