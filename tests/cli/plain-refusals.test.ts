/** Refusals by the embedded provider because of existing data are plain sentences without field names of the wire. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  const { code, err } = await home.sh(`set -e
parley user upsert mira --role admin --yes > /dev/null
parley user upsert ana bo gone > /dev/null
parley user delete gone --yes > /dev/null
parley channel create messaging:ops --member ana > /dev/null
parley channel create @bo > /dev/null
parley --as ana send messaging:ops --id ana-7f3c hello > /dev/null
parley segment create user --id all --all-users > /dev/null`);
  expect([code, err]).toEqual([0, ""]);
});
afterAll(() => home.end());

test.each([
  ["member add zed -c messaging:ops", "There is no user zed"],
  ["channel create messaging:x --member zed --member zod", "There are no users zed, zod"],
  ["member add gone -c messaging:ops", "Deleted: gone"],
  ["member add ana -c @bo", "A channel made of its members takes no others"],
  ["member role channel_moderator bo -c messaging:ops --yes", "Not members of this channel: bo"],
  ["message undelete ana-7f3c --by ana", "Message ana-7f3c is not deleted"],
  ["message commit ana-7f3c", "The message is not pending"],
  ["message unflag ana-7f3c", "It is not flagged by you"],
  ["segment add all bo", "Segment all picks its targets by itself"],
])("`%s` is refused with: %s", async (line, sentence) => {
  const { code, err } = await home.sh(`parley ${line} --json`);
  const { error } = JSON.parse(err) as { error: { message: string; provider_code: number } };
  expect([code, error.message, error.provider_code]).toEqual([7, sentence, 4]);
});

test("R-SEND-16: what answers a message that does not exist is not sent", async () => {
  const { code, err } = await home.sh("parley send messaging:ops --quote nope hi --json");
  const { error } = JSON.parse(err) as { error: { message: string; provider_code: number } };
  expect([code, error.message, error.provider_code]).toEqual([3, "Message nope does not exist", 16]);
});
