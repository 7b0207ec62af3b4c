/** Commands filter and sort by nothing that the service does not document: another provider would refuse it. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isObject } from "../../src/wire/json-object.ts";
import { readSearch, requestsOf } from "../../src/model/search-query.ts";
import { DOCUMENTED } from "../contract/documented-filters.ts";

/** Commands that pass on filters and orders of their caller. */
const PASSED_ON = /--filter|--input|--field|^\$ api |--sort/;

interface Sent {
  command: string;
  list: string;
  body: Record<string, unknown>;
}

/** `POST /messages/ana-7f3c/reactions` → `POST /messages/:id/reactions`. */
const routeOf = (method: string, address: string): string =>
  `${method} ${address.replace(/^\/(messages|polls)\/[^/]+\//, "/$1/:id/")}`;

/** The requests with a body or a payload that the commands were recorded with. */
function* recorded(): Iterable<Sent> {
  const folder = new URL("requests/", import.meta.url);
  for (const file of readdirSync(folder)) {
    let command = "";
    for (const line of readFileSync(new URL(file, folder), "utf8").split("\n")) {
      if (line.startsWith("$ ")) command = line;
      const [, method, address, payload, body] =
        /^> (\w+) ([^ ?]+)(?:\?payload=(\{.*)|\?\S*)?(?: (\{.*))?$/.exec(line) ?? [];
      const json = payload ?? body;
      if (json !== undefined && !PASSED_ON.test(command))
        yield { command, list: routeOf(method!, address!), body: JSON.parse(json) as Sent["body"] };
    }
  }
}

/** Field and operator of each condition. */
function* conditionsIn(filter: unknown): Iterable<readonly [field: string, operator: string]> {
  if (!isObject(filter)) return;
  for (const [key, value] of Object.entries(filter)) {
    if (["$and", "$or", "$nor"].includes(key))
      for (const part of value as unknown[]) yield* conditionsIn(part);
    else if (isObject(value) && Object.keys(value).every((one) => one.startsWith("$")))
      for (const operator of Object.keys(value)) yield [key, operator];
    else yield [key, "$eq"];
  }
}

function undocumented({ list, body }: Pick<Sent, "list" | "body">): string[] {
  const faults: string[] = [];
  const check = (name: string, filter: unknown): void => {
    for (const [field, operator] of conditionsIn(filter))
      if (!DOCUMENTED[name]?.filter[field]?.split(" ").includes(operator))
        faults.push(`${name} is filtered by ${field} ${operator}`);
  };
  check(list, body.filter_conditions ?? body.filter);
  check(`${list} messages`, body.message_filter_conditions);
  const sorted = DOCUMENTED[`${list} messages`] ?? DOCUMENTED[list];
  for (const { field } of [body.sort ?? []].flat() as { field: string }[])
    if (!sorted?.sort.includes(field)) faults.push(`${list} is sorted by ${field}`);
  return faults;
}

test("the recorded requests of all commands filter and sort by documented fields and operators only", () => {
  const sent = [...recorded()];
  // Enough of them to tell that the recordings were read.
  expect(sent.filter(({ body }) => body.filter_conditions ?? body.filter).length).toBeGreaterThan(200);
  expect([...new Set(sent.flatMap((one) => undocumented(one)))]).toEqual([]);
});

test.each([
  "tea",
  "has:link has:image has:file is:pinned is:thread before:1d after:9d sort:oldest tea",
  "has:link sort:newest",
  "sort:best from:@ana in:#ops",
])("the search %s filters and sorts by documented fields and operators only", (typed) => {
  const query = readSearch(typed, { now: Date.UTC(2026, 10, 22) });
  for (const narrowed of [
    { users: ["ana", "bo"], cids: ["messaging:ops", "messaging:tea"] },
    { users: [], cids: [] },
  ]) {
    const { scope } = requestsOf(query, narrowed, "me");
    expect(undocumented({ list: "GET /search", body: { ...scope } })).toEqual([]);
  }
});
