/** A dry run ends with the exit code of the real run, and says what the real run needs (specification/command-line.md §5). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawnSeed, runs } from "../support/proof.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  const { code, err } = await home.sh(`set -e
parley user upsert mira --role admin --yes > /dev/null
parley user upsert ana bo cy dina left off barred > /dev/null
parley channel create messaging:ops --member ana --member bo > /dev/null
parley channel create messaging:tea --member ana --member cy > /dev/null
parley channel create team:kitchen --member mira --member ana > /dev/null
parley channel create livestream:hall > /dev/null
for n in 1 2 3 4; do parley --as ana send messaging:ops --id m-$n "message $n" > /dev/null; done
parley --as cy send messaging:tea --id t-1 hello > /dev/null
parley --as bo send messaging:ops --thread m-1 --id reply-1 yes > /dev/null
parley message delete m-4 --yes > /dev/null
parley message react m-1 wow > /dev/null
parley reminder set m-2 > /dev/null
parley poll create 'Lunch?' --id lunch --option a > /dev/null
parley role create cook > /dev/null
parley channel-type create spare > /dev/null
parley permission create granted --action CreateChannel > /dev/null
parley blocklist create sweet sugar > /dev/null
parley segment create user --id testers > /dev/null
parley campaign create --id spring --sender mira --text hi --to bo --channel-type messaging --create-channels > /dev/null
parley user delete left --yes > /dev/null
parley user deactivate off --yes > /dev/null
parley user ban barred --yes > /dev/null
printf 'ana\\nbo\\nnobody\\n' > people.txt
printf 'id\\n../x\\nbo\\n' > wrong.csv
printf 'one\\n' > file.txt
printf 'roles: [waiter]\\nblocklists: {sour: {words: [lemon]}}\\n' > app.yaml
printf 'id: card\\nsender_id: mira\\nmessage_template: {text: Hi}\\nchannel_template: {type: messaging}\\ncreate_channels: true\\nuser_ids: [ana, bo]\\n' > card.yaml`);
  expect([code, err]).toEqual([0, ""]);
});
afterAll(() => home.end());

/** What a word in capitals may stand for: things that are there, and some that are not. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  USER: ["ana", "bo", "cy", "dina", "mira", "left", "off", "barred", "nobody"],
  CHANNEL: ["messaging:ops", "messaging:tea", "team:kitchen", "livestream:hall", "messaging:new", "nope:x"],
  PLACE: ["messaging:ops", "messaging:tea", "team:kitchen", "@bo", "@cy", "@nobody"],
  MESSAGE: ["m-1", "m-2", "m-3", "m-4", "t-1", "reply-1", "nope"],
  ROLE: ["cook", "moderator", "user", "admin", "channel_moderator", "waiter", "nope"],
  TYPE: ["messaging", "team", "spare", "kit", "nope"],
  PERMISSION: ["granted", "create-message", "own", "nope"],
  LIST: ["sweet", "sour", "nope"],
  COMMAND: ["ticket", "giphy", "nope"],
  SEGMENT: ["testers", "guests", "nope"],
  CAMPAIGN: ["spring", "autumn", "nope"],
  POLL: ["lunch", "dinner", "nope"],
  AS: ["", "", "--as ana", "--as bo", "--as dina", "--as barred"],
  FLAG: ["frozen=true", "name=Ops", "cid=x", "members=1", "'a b=1'"],
};

/** A line or more for every noun that writes. */
const LINES = `
send PLACE hi AS
send CHANNEL --thread MESSAGE hi AS
send CHANNEL --quote MESSAGE hi AS
send CHANNEL --id MESSAGE other AS
send PLACE --file file.txt look AS
send CHANNEL --poll dinner.yaml AS
message edit MESSAGE again AS
message delete MESSAGE AS
message undelete MESSAGE
message react MESSAGE wow AS
message unreact MESSAGE wow AS
message pin MESSAGE AS
message unpin MESSAGE AS
message flag MESSAGE AS
message unflag MESSAGE
message translate MESSAGE fr
message commit MESSAGE
thread reply MESSAGE yes AS
thread read MESSAGE AS
channel create messaging:new --member USER AS
channel create CHANNEL --name Ops
channel create @USER
channel set CHANNEL FLAG AS
channel replace CHANNEL FLAG
channel replace CHANNEL --cooldown 5 AS
channel invite CHANNEL USER AS
channel accept CHANNEL AS
channel reject CHANNEL AS
channel join CHANNEL AS
channel leave CHANNEL AS
channel freeze CHANNEL AS
channel unfreeze CHANNEL
channel mute CHANNEL AS
channel unmute CHANNEL AS
channel hide CHANNEL AS
channel unhide CHANNEL AS
channel read CHANNEL AS
channel unread CHANNEL MESSAGE AS
channel truncate messaging:tea
channel delete CHANNEL
channel batch addMembers CHANNEL messaging:ops --member USER
channel batch assignRoles CHANNEL --member USER --role ROLE
member add USER -c CHANNEL AS
member remove USER -c CHANNEL AS
member role ROLE USER -c CHANNEL
member promote USER -c CHANNEL
member set USER desk=4 -c CHANNEL
member ban USER -c CHANNEL AS
member unban USER -c CHANNEL
user upsert USER --role ROLE
user upsert --file wrong.csv
user set USER FLAG
user set name=Somebody AS
user set role=admin AS
user mute USER nobody AS
user mute --file people.txt
user unmute USER
user block USER AS
user unblock USER AS
user flag USER AS
user ban USER --by USER
user unban USER
user deactivate USER
user reactivate USER
user delete USER
user restore USER
reminder set MESSAGE AS
reminder remove MESSAGE AS
draft set -c CHANNEL hi --thread MESSAGE
draft delete -c CHANNEL
poll create 'Dinner?' --id POLL --option a
poll create 'Tea?' -c CHANNEL --option a AS
poll option add POLL b AS
poll set POLL max_votes_allowed=2
poll close POLL AS
poll delete POLL AS
device add abc --provider firebase AS
device remove nope
event send party -c CHANNEL AS
event send message.new -c CHANNEL
location share CHANNEL 52,4 AS
role create ROLE
role delete ROLE
permission create PERMISSION --action CreateChannel
permission grant TYPE ROLE PERMISSION
permission revoke TYPE ROLE PERMISSION
permission delete PERMISSION
channel-type create TYPE
channel-type set TYPE replies=false
channel-type set TYPE blocklist=LIST
channel-type delete TYPE
command create COMMAND x
command set COMMAND --description y
command delete COMMAND
blocklist create LIST lemon
blocklist replace LIST '('
blocklist delete LIST
segment create user --id SEGMENT
segment add SEGMENT USER
segment remove SEGMENT USER
segment sync SEGMENT people.txt
segment delete SEGMENT
campaign create --id CAMPAIGN --sender USER --text hi --to USER --channel-type TYPE --create-channels
campaign set CAMPAIGN --name x
campaign start CAMPAIGN
campaign stop CAMPAIGN
campaign delete CAMPAIGN
campaign start card.yaml
campaign start card.yaml --mode messages
push preferences -c CHANNEL --level none AS
push provider delete firebase nope
app set reminders_interval=600
app set webhook_url=nowhere
apply app.yaml
upload -c CHANNEL file.txt AS
file delete http://127.0.0.1/files/x -c CHANNEL
export messaging:ops --out dry.jsonl --force
moderation review nope approved`
  .trim()
  .split("\n");

const drawn = (line: string, at: Dice): string =>
  line
    .replace(/\b[A-Z]{2,}\b/g, (word) => (WORDS[word] ? WORDS[word][at.below(WORDS[word].length)]! : word))
    .trim();

/** The word that the real run wants to be typed: its dry run says it, unless it is refused; then it is what the line is about. */
const wordOf = (json: string, line: string): string =>
  /"confirm_word":"([^"]+)"/.exec(json)?.[1] ?? (line.split(" ")[2] ?? "").replace(".yaml", "");

test("the JSON of a dry run says whether the run asks, for which word, and whether it needs the secret", async () => {
  const json = async (line: string): Promise<unknown> =>
    JSON.parse((await home.sh(`parley ${line} -n --json`)).out);
  expect(await json("send messaging:ops hi")).toMatchObject({
    dry_run: true,
    operation: "SendMessage",
    requires_confirmation: false,
    confirm_word: null,
    needs_secret: false,
  });
  expect(await json("user ban dina")).toMatchObject({ requires_confirmation: true, confirm_word: null });
  expect(await json("channel-type delete spare")).toMatchObject({
    confirm_word: "spare",
    needs_secret: true,
  });
  expect(await json("gdpr delete dina")).toMatchObject({ requires_confirmation: true, confirm_word: "dina" });
  expect(await json("app backup --out saved.yaml")).toMatchObject({
    dry_run: true,
    confirm_word: null,
    needs_secret: true,
  });
});

test("the message in a direct channel that would be opened is planned with it, and neither is there afterwards", async () => {
  const line = "send @dina --file file.txt --poll dinner.yaml hi --as cy";
  await home.sh("printf 'name: Dinner?\\noptions: [Soup, Rice]\\n' > dinner.yaml");
  const { code, out, err } = await home.sh(`parley ${line} -n --jq .operation`);
  expect([code, out, err]).toEqual([0, "GetOrCreateChannel\nUploadFile\nCreatePoll\nSendMessage\n", ""]);
  expect(
    (await home.sh('parley channel list --as dina --filter \'{"members":{"$in":["dina"]}}\' --jq .cid')).out,
  ).not.toContain("!members");
  expect((await home.sh(`parley ${line} --jq .type`)).out).toBe("regular\n");
});

test("a message that slow mode would delay for less than the run waits is planned, another one is not", async () => {
  await home.sh(
    "parley send messaging:ops --as bo first; parley channel replace messaging:ops --cooldown 20 --yes",
  );
  const codes = async (flags: string): Promise<number | null> =>
    (await home.sh(`parley send messaging:ops --as bo second -n ${flags}`)).code;
  expect([await codes(""), await codes("--max-wait 2s"), await codes("--max-wait 2s --queue")]).toEqual([
    0, 10, 0,
  ]);
  expect((await home.sh("parley send messaging:ops --as bo second --max-wait 2s")).code).toBe(10);
  await home.sh("parley channel replace messaging:ops --cooldown 0 --yes");
});

test.each([1, 2, 19, 20])("a plan of %i calls is shown whole, without a count", async (calls) => {
  const lines = `seq 1 ${calls} | parley send messaging:ops --lines -n`;
  const { out } = await home.sh(lines);
  expect(out.match(/would send SendMessage/g)).toHaveLength(calls);
  expect(out).not.toContain("calls in all");
  expect((await home.sh(`${lines} --all-calls`)).out).toBe(out);
  const { out: json, err } = await home.sh(`${lines} --ndjson`);
  const planned = json
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { calls?: number });
  expect([planned.length, planned.filter((call) => "calls" in call), err]).toEqual([calls, [], ""]);
});

test.each([21, 30])(
  "a plan of %i calls is a count and its first calls, and --all-calls shows all of it",
  async (calls) => {
    const lines = `seq 1 ${calls} | parley send messaging:ops --lines -n`;
    const short = await home.sh(lines);
    expect(short.out.match(/would send SendMessage/g)).toHaveLength(2);
    expect(short.out).toContain(
      `… and ${calls - 2} more, ${calls} calls in all: --all-calls shows them\nnothing was sent\n`,
    );
    expect((await home.sh(`${lines} --all-calls`)).out.match(/would send SendMessage/g)).toHaveLength(calls);
    const json = await home.sh(`${lines} --json`);
    expect(JSON.parse(json.out)).toMatchObject([{ calls }, { calls }]);
    expect(JSON.parse((await home.sh(`${lines} --json --all-calls`)).out)).toHaveLength(calls);
  },
);

// The last: it deletes what the others use.
test("writes drawn over all nouns end dry as they end really", async () => {
  const at = dice(drawnSeed("dry runs of the shell"));
  const differences: unknown[] = [];
  for (let n = 0; n < runs(200, 30); n++) {
    const line = drawn(LINES[at.below(LINES.length)]!, at);
    const dry = await home.sh(`parley ${line} --dry-run --json`);
    const word = wordOf(dry.out, line);
    const real = await home.sh(`parley ${line} --yes --confirm "${word}" > /dev/null`);
    if (dry.code !== real.code) differences.push({ n, line, dry, real });
  }
  expect(differences).toEqual([]);
}, 600_000);
