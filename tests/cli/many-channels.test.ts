/** Commands that read all channels of somebody go past the largest offset the provider accepts. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_OFFSET, QUERY_CHANNELS_LIMIT } from "../../src/wire/constants.ts";
import { makeHome, type Home } from "../support/transcript.ts";

/** More than the last page that can be requested by its offset. */
const CHANNELS = MAX_OFFSET + QUERY_CHANNELS_LIMIT[1] + 5;

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

/** An import file with one person in many channels, each made at another time. */
function importFile(): string {
  const items: object[] = [{ type: "user", item: { id: "bob", role: "user" } }];
  for (let i = 0; i < CHANNELS; i++) {
    const id = `room-${i}`;
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString();
    items.push({ type: "channel", item: { id, type: "messaging", created_by: "bob", created_at } });
    items.push({ type: "member", item: { channel_type: "messaging", channel_id: id, user_id: "bob" } });
  }
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

beforeAll(async () => {
  home = makeHome({ here: true });
  writeFileSync(path.join(home.folder, "work/many.jsonl"), importFile());
  const { code, err } = await run("local seed many.jsonl");
  expect([code, err]).toEqual([0, ""]);
});
afterAll(() => home.end());

test("tail follows the last of them, too", async () => {
  // A message moves its channel to the front of the list, also while that is read.
  const { code, out } = await home.sh(
    `parley --as bob tail --all --until-match ready --exit-after 300s --jq .cid > seen &
     while kill -0 $! 2> /dev/null; do parley --as bob send messaging:room-0 ready > /dev/null; sleep 0.3; done
     wait $! && sort -u seen`,
  );
  expect([code, out]).toEqual([0, "messaging:room-0\n"]);
});

test("the data of a person names all of them", async () => {
  const { code, out } = await run("gdpr export bob --jq .counts.channels");
  expect([code, out]).toEqual([0, `${CHANNELS}\n`]);
});
