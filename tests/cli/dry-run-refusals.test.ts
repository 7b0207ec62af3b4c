/** A dry run refuses what the real run refuses, with the same exit code; each line names something that is missing or already exists. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  const { code, err } = await home.sh(`set -e
parley user upsert mira --role admin --yes > /dev/null
parley user upsert ana bo > /dev/null
parley channel create messaging:ops --member ana --member bo > /dev/null
parley --as ana send messaging:ops --id ana-7f3c hello > /dev/null
parley blocklist create sweet sugar > /dev/null
parley channel create messaging:other --member ana > /dev/null
parley --as ana send messaging:other --id elsewhere hello > /dev/null
parley send messaging:ops --idempotency-key once the first text > /dev/null
parley --as ana send messaging:ops --id gone-7f3c hello > /dev/null
parley --as ana message delete gone-7f3c --yes > /dev/null
parley --as ana send messaging:ops --id kept-7f3c hello > /dev/null
parley reminder set kept-7f3c > /dev/null
parley message react ana-7f3c wow > /dev/null
parley channel create messaging:invited --as ana > /dev/null
parley channel invite messaging:invited mira --as ana > /dev/null
parley campaign create --id draft --sender mira --text hi --to bo --channel-type messaging --create-channels > /dev/null
parley campaign create --id sent --sender mira --text hi --to bo --channel-type messaging --create-channels > /dev/null
parley campaign start sent --confirm sent > /dev/null
parley campaign watch sent --within 1m > /dev/null
parley role create unused > /dev/null
parley channel-type create spare > /dev/null
parley role create held > /dev/null
parley user upsert dina --role held --yes > /dev/null
parley channel-type create used > /dev/null
parley channel create used:x > /dev/null
parley segment create user --id testers > /dev/null
parley user upsert left off barred > /dev/null
parley user delete left --yes > /dev/null
parley user deactivate off --yes > /dev/null
parley user ban barred --yes > /dev/null
parley channel create livestream:hall > /dev/null
parley channel create messaging:cold --member ana > /dev/null
parley --as ana send messaging:cold --id cold-7f3c hello > /dev/null
parley channel freeze messaging:cold > /dev/null
parley --as bo send messaging:ops --thread ana-7f3c --id reply-7f3c yes > /dev/null
parley poll create 'Lunch?' --id lunch --option a > /dev/null
parley permission create granted --action CreateChannel > /dev/null
parley permission grant team user granted --yes > /dev/null
parley segment create user --id picked --filter '{"role":"admin"}' > /dev/null
parley blocklist create patterned --type regex 'a+' > /dev/null
parley channel create messaging:private --member ana > /dev/null
printf 'id\\n../x\\nbo\\n' > wrong.csv`);
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
user restore nobody
message flag nope
message undelete ana-7f3c
message action ana-7f3c send
message translate ana-7f3c xx
message unreact ana-7f3c like
send messaging:ops --id ana-7f3c another text
send messaging:ops --idempotency-key once another text
channel accept messaging:ops
channel reject messaging:ops
channel unread messaging:ops nope
channel unread messaging:ops elsewhere
channel set messaging:ops created_by=nobody
channel export messaging:nope
channel batch addMembers messaging:ops --member nobody --yes
channel batch addMembers messaging:nope messaging:ops --member ana --yes
channel batch assignRoles messaging:ops --member ana --role nope --yes
channel batch addMembers messaging:ops --yes
channel batch updateData messaging:ops --yes
channel batch updateData messaging:ops --set created_by=ana --yes
reminder remove ana-7f3c
member set nobody desk=4 -c messaging:ops
message edit gone-7f3c again
channel freeze messaging:ops --as bo
channel set messaging:ops name=x --as bo
channel update messaging:ops --cooldown 5 --yes --as bo
channel invite messaging:ops mira --as bo
member add nobody -c messaging:ops --as bo
member remove ana -c messaging:ops --yes --as bo
member ban ana -c messaging:ops --yes --as bo
message edit ana-7f3c mine --as bo
message delete ana-7f3c --yes --as bo
message pin elsewhere --as bo
device remove nope --yes
segment create user --id testers
campaign stop sent
campaign unschedule draft
campaign update sent --name x
campaign resume sent --confirm sent
campaign start sent --confirm sent
push provider delete firebase nope --yes
user update ana id=x --yes
user update ana online=true --yes
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
role delete admin --yes
role delete held --yes
channel-type delete messaging --confirm messaging
channel-type delete used --confirm used
command delete giphy --yes
command update giphy --description x
permission create own --action NoSuch
permission delete create-poll --yes
permission create create-poll --action CreatePoll
permission grant team nope create-poll --yes
permission grant team channel_member nope --yes
permission grant app user nope --yes
command create giphy x
blocklist create sweet honey
app update reminders_interval=abc --yes
message commit ana-7f3c
message commit gone-7f3c
message unreact ana-7f3c wow --as dina
message unflag nope
message undelete gone-7f3c --by nobody
message react cold-7f3c like --as bo
send messaging:ops hi --as barred
send messaging:cold hi --as ana
send messaging:ops --thread reply-7f3c hi
send messaging:ops --thread elsewhere hi
send messaging:ops --quote elsewhere hi
channel create messaging:z --as barred
channel read livestream:hall --as bo
channel mute livestream:hall --as bo
channel export messaging:ops --out nowhere/x.json
channel set messaging:ops frozen=maybe
channel update messaging:ops 'members=["ana"]' --yes
channel update messaging:ops 'invites=["ana"]' --yes
channel batch updateData messaging:ops --set frozen=maybe --yes
member role channel_moderator dina -c messaging:ops --yes
member set ana user_id=x -c messaging:ops
member ban mira -c messaging:ops --as mira --yes
user mute bo --as bo
user block bo --as bo
user flag bo --as bo
user unblock nobody
user set ana name=x --as bo
user set role=admin --as bo
user unset role --as bo
user deactivate off --yes
user deactivate bo --by nobody --yes
user delete bo --new-owner nobody --yes
poll create 'Lunch?' --id lunch --option a
poll option add lunch 'A '
draft set -c messaging:ops hi --thread nope
draft set -c messaging:ops hi --quote nope
reminder remove ana-7f3c --as dina
moderation review nope approved
role create 'a b'
permission create 'a b' --action CreateChannel
permission delete granted --yes
command create 'a b' x
blocklist create 'a b' x
channel-type create 'a b'
campaign create --id q --sender mira --text hi --to bo --channel-type nope
campaign clone draft 'a b'
segment create channel --id everybody --all-users
segment sync testers wrong.csv --yes
event send message.new -c messaging:ops
user upsert left --yes
segment create user --filter '{"name":{"$near":1}}'
segment create user --filter '{"nobody_has_this":{"$exists":"x"}}'
segment create channel --filter '{"cid":{"$q":1}}'
segment update testers --filter '{"role":"admin"}'
segment update picked --filter '{"role":{"$near":1}}'
app update webhook_url=nowhere --yes
app update webhook_url=ftp://example.com/x --yes
app update 'event_hooks=[{"hook_type":"webhook"}]' --yes
app update before_message_send_hook_url=http://me:secret@example.com --yes
blocklist create patterns '(' --type regex
blocklist update patterned '(' --yes
blocklist create blank ' '
push preferences --set nothing=all
push preferences --set thread_replies=some
push preferences -c messaging:private --level none --as bo
member set ana channel_role=nope -c messaging:ops
member set ana channel_role=channel_moderator -c messaging:ops --as ana
member promote ana -c messaging:ops --as ana
channel batch assignRoles messaging:ops messaging:other --member bo --role channel_moderator --yes
poll update lunch id=x
poll update lunch vote_count=3
poll update lunch enforce_unique_vote=true max_votes_allowed=2
poll update lunch --unset name
user upsert ana --role anonymous --yes
user upsert ana --team ' ' --yes
user update ana 'teams=[""]' --yes
permission create p1 --action CreateChannel --name ' '
app update 'user_search_disallowed_roles=["nope"]' --yes
campaign create --sender mira --text hi --to bo --poll nope
channel set messaging:ops 'a b=1'
member set ana 'a b=1' -c messaging:ops
user update ana 'a b=1' --yes`
  .trim()
  .split("\n");

test.each(FAULTY)("a dry run of `%s` exits like the real run", async (line) => {
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
  "send messaging:ops --id fresh-7f3c another text",
  "message undelete gone-7f3c",
  "message translate ana-7f3c fr",
  "message unreact ana-7f3c wow",
  "channel accept messaging:invited",
  "channel unread messaging:ops ana-7f3c",
  "channel export messaging:ops",
  "channel batch addMembers messaging:ops --member bo",
  "channel leave messaging:ops --as bo",
  "channel set messaging:invited name=x --as ana",
  "member add bo -c messaging:invited --as ana",
  "message pin ana-7f3c --as bo",
  "message edit ana-7f3c mine --as ana",
  "message delete ana-7f3c --yes --as ana",
  "reminder remove kept-7f3c",
  "campaign update draft --name x",
  "campaign start draft",
  "role delete unused",
  "channel-type delete spare",
  "user delete left",
  "user restore left",
  "message delete elsewhere --for-me --as ana",
  "send messaging:ops --thread ana-7f3c --quote ana-7f3c hi",
  "message react ana-7f3c like --as bo",
  "channel unmute messaging:invited --as bo",
  'segment create channel --filter \'{"type":"team"}\'',
  'segment update picked --filter \'{"role":"user"}\'',
  "app update webhook_url=http://127.0.0.1:1/{type}",
  "blocklist create fine 'a|b' --type regex",
  "push preferences --set thread_replies=none",
  "channel batch assignRoles messaging:ops --member bo --role channel_moderator",
  "poll update lunch max_votes_allowed=2",
  "send messaging:ops hi --system",
])("a dry run of `%s` succeeds", async (line) => {
  const { code, out, err } = await home.sh(`parley ${line} --dry-run`);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("nothing was sent");
});

test("a dry run of file delete succeeds only while the file exists", async () => {
  const { out } = await home.sh("echo hi > a.txt && parley upload -c messaging:ops a.txt --jq .url");
  const line = `parley file delete '${out.trim()}' -c messaging:ops`;
  expect((await home.sh(`${line} --dry-run`)).code).toBe(0);
  expect((await home.sh(`${line} --yes`)).code).toBe(0);
  expect((await home.sh(`${line} --dry-run`)).code).toBe(3);
  expect((await home.sh(`${line} --yes`)).code).toBe(3);
});

test.each(["channel-type update team no_such=1", "channel-type create kit no_such=1"])(
  "`%s` is refused with the settings that exist, and no fields of an answer",
  async (line) => {
    const { err } = await home.sh(`parley ${line}`);
    expect(err).toContain("max_message_length");
    expect(err).not.toMatch(/\b(created_at|permissions|duration|user_id|user)\b/);
  },
);

test("a member can join again without the right to add members", async () => {
  for (const more of ["--dry-run", ""])
    expect(await home.sh(`parley channel join messaging:ops --as bo --jq .cid ${more}`)).toEqual({
      code: 0,
      out: "messaging:ops\n",
      err: "",
    });
});

test("a dry run of a batch with --no-wait names missing channels, and exits like the real run", async () => {
  const line = "parley channel batch addMembers messaging:nope --member ana --no-wait";
  const dry = await home.sh(`${line} --dry-run`);
  expect([dry.code, dry.err]).toEqual([0, "Channel messaging:nope does not exist.\n"]);
  expect(dry.out).toContain("would send UpdateChannelsBatch");
  expect((await home.sh(`${line} --yes`)).code).toBe(0);
});
