/** A dry run refuses what the real run refuses, with its exit code; each line here names something that is not there, or is taken. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome } from "../support/transcript.ts";
import type { Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  const { code, err } = await home.sh(`set -e
parley user upsert mira --role admin --yes > /dev/null
parley user upsert ana bo > /dev/null
parley channel create messaging:ops --member ana --member bo > /dev/null
parley --as ana send messaging:ops --id ana-7f3c hello > /dev/null
parley blocklist create sweet sugar > /dev/null
parley segment create user --id testers > /dev/null`);
  expect([code, err]).toEqual([0, ""]);
}, 120_000);
afterAll(() => home.end());

const FAULTY = `
channel create nope:x
channel create messaging:y --member nobody
channel create @nobody
channel invite messaging:ops nobody
member add nobody -c messaging:ops
member role nope ana -c messaging:ops --yes
member promote nobody -c messaging:ops --yes
send @nobody hi
send messaging:ops --thread nope hi
send messaging:ops --quote nope hi
event send wave --user nobody
member unban nobody -c messaging:ops
user upsert z --role nope
user update ana role=nope --yes
user update nobody status=x
user mute nobody
user block nobody
user flag nobody
user ban nobody --by mira --yes
user ban bo --by nobody --yes
user deactivate nobody --yes
user reactivate nobody --yes
user delete nobody --yes
message flag nope
segment create user --id testers
campaign create --id q --sender nobody --text hi --to bo
campaign create --id q --sender mira --text hi --segment nope
channel-type create messaging
channel-type create kit no_such=1
channel-type create kit --command nope
channel-type update team no_such=1
channel-type update team max_message_length=abc
channel-type update team --command nope
channel-type update team blocklist=nope
role create admin
role delete nope --yes
permission create create-poll --action CreatePoll
permission grant team nope create-poll --yes
permission grant team channel_member nope --yes
permission grant app user nope --yes
command create giphy x
blocklist create sweet honey
app update reminders_interval=abc --yes`
  .trim()
  .split("\n");

test.each(FAULTY)("`%s` ends a dry run as it ends a real one", async (line) => {
  const dry = await home.sh(`parley ${line} --dry-run`);
  const real = await home.sh(`parley ${line}`);
  expect([real.code, real.err]).not.toEqual([0, ""]);
  expect([dry.code, dry.err]).toEqual([real.code, expect.stringMatching(/^error: /)]);
});

test.each([
  "channel create messaging:fresh --member ana",
  "channel invite messaging:ops bo",
  "member add ana -c messaging:ops",
  "member role channel_moderator ana -c messaging:ops",
  "user upsert zed --role moderator",
  "user update ana role=moderator",
  "user ban bo --by mira",
  "role create cook",
  "channel-type create kitchen replies=false --command giphy --command moderation_set",
  "channel-type update team --reset blocklist",
  "channel-type update team blocklist=",
  "permission grant team channel_member create-poll",
  "app update reminders_interval=600",
  "app update --reset webhook_url",
])("`%s` is planned", async (line) => {
  const { code, out, err } = await home.sh(`parley ${line} --dry-run`);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("nothing was sent");
});
