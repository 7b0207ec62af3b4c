/** Compares two campaigns, each named by file or id. */
import { CAMPAIGN } from "./args/campaign.ts";
import { isDeepStrictEqual } from "node:util";
import { reportDifferences } from "../base/report-differences.ts";
import { command, rowView, type Args, type Call } from "../base/define-command.ts";
import { isFileName } from "./args/flow.ts";
import { withoutManagedKeys } from "./fields.ts";
import { isObject } from "../../wire/json-object.ts";

/** All values that are not objects, by dotted path. */
function* leaves(value: unknown, at = ""): Iterable<[string, unknown]> {
  if (!isObject(value)) return yield [at, value];
  for (const [key, one] of Object.entries(value)) yield* leaves(one, at === "" ? key : `${at}.${key}`);
}

/** Values a provider returns for unset fields. */
const isUnset = (value: unknown): boolean =>
  value === undefined || value === "" || value === false || (Array.isArray(value) && value.length === 0);

async function fieldsOf(
  call: Pick<Call<Args>, "core" | "input" | "localFile">,
  word: string,
): Promise<Map<string, unknown>> {
  if (!isFileName(word)) {
    const { campaign } = await call.core.call("getCampaign", { path: { id: word }, query: { limit: 1 } });
    return new Map(leaves(await withoutManagedKeys({ ...campaign })));
  }
  const { requireValidCampaign, readCampaignFile } = await import("./file/read.ts");
  const { fields, audience, guards } = requireValidCampaign(await readCampaignFile(call, word));
  return new Map(leaves({ ...fields, audience, guards }));
}

const brief = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : JSON.stringify(value);

export default command({
  summary: "Compare two campaigns, each by its file or its id",
  changes: "nothing",
  examples: ["campaign diff spring summer", "campaign diff spring.yaml spring"],
  args: {
    one: { ...CAMPAIGN, help: "A campaign file, or the id of a campaign" },
    other: { kind: "text", positional: true, help: "The campaign file or id to compare with" },
  },
  needs: "secret",
  streams: () => "finite",
  async *run(call) {
    const [one, other] = [await fieldsOf(call, call.args.one), await fieldsOf(call, call.args.other)];
    const rows = [...new Set([...one.keys(), ...other.keys()])].toSorted().flatMap((field) => {
      const [a, b] = [one.get(field), other.get(field)];
      const same = isDeepStrictEqual(a, b) || (isUnset(a) && isUnset(b));
      return same ? [] : [{ field, one: a ?? null, other: b ?? null }];
    });
    yield* reportDifferences(rows);
  },
  show: ({ field, one, other }) => rowView({ field, one: brief(one), other: brief(other) }),
});
