/** A campaign that did not reach all its receivers is incomplete, whatever the provider reports: exit 9, with names and reasons. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

/** Creates, starts and watches a campaign until it is over; the command `between` runs before the start. */
async function runCampaign(id: string, flags: string, between = "whoami") {
  const made = await run(`campaign create --id ${id} --sender mira --text hi ${flags}`);
  expect([made.code, made.err]).toEqual([0, ""]);
  expect((await run(between)).code).toBe(0);
  expect((await run(`campaign start ${id} --confirm ${id}`)).code).toBe(0);
  return run(`campaign watch ${id}`);
}

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo cy dee eff --name Somebody");
  await run("user deactivate cy --yes");
  await run("channel create messaging:tea-ana --member ana --member mira");
});
afterAll(() => home.end());

test("a campaign that reached all receivers is completed", async () => {
  const { code, out, err } = await runCampaign(
    "whole",
    "--to ana --to bo --to mira --channel-id 'whole-{{receiver.id}}' --create-channels",
  );
  expect([code, err, out.trimEnd().split("\n").at(-1)]).toEqual([
    0,
    "",
    expect.stringMatching(/^completed\t/),
  ]);
});

test("receivers that do not exist, are deactivated or have no channel are named with a reason", async () => {
  await run("user upsert nobody");
  const { code, out, err } = await runCampaign(
    "gaps",
    "--to ana --to cy --to dee --to nobody --channel-id 'tea-{{receiver.id}}'",
    "user delete nobody --hard --confirm nobody",
  );
  expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([9, expect.stringMatching(/^incomplete\t/)]);
  expect(err).toBe(
    "error: Campaign gaps is incomplete: not sent to cy (the user is deactivated), nobody (there is no such user), dee (the channel is not there, or the message was refused)\n" +
      "hint: parley campaign stats gaps --json=missed names all of them\n",
  );
  const stats = await run("campaign stats gaps --json=stats.stats_users_sent,missed");
  expect([stats.code, JSON.parse(stats.out)]).toEqual([
    9,
    {
      "stats.stats_users_sent": 1,
      missed: [
        { id: "cy", name: "Somebody", reason: "the user is deactivated" },
        { id: "nobody", reason: "there is no such user" },
        { id: "dee", name: "Somebody", reason: "the channel is not there, or the message was refused" },
      ],
    },
  ]);
});

test("a completed campaign that reached nobody is incomplete, with a segment too", async () => {
  await run("segment create user --id few");
  await run("segment add few dee eff");
  const { code, err } = await runCampaign("none", "--segment few");
  expect([code, err]).toEqual([
    9,
    expect.stringContaining("not sent to dee (there is no channel with the sender"),
  ]);
  const { out } = await run("campaign stats none");
  expect(out).toMatch(/^status\tincomplete$/m);
  expect(out).toMatch(/^people not reached\t2$/m);
});

test("the dry run of a start from a file shows every call up to the start in order", async () => {
  await run("campaign new planned.yaml --sender mira");
  await home.sh(
    "sed -i 's/^  segment: .*/  ids: people.txt/' planned.yaml && printf 'ana\\nbo\\n' > people.txt",
  );
  const { code, out, err } = await run("campaign start planned.yaml --dry-run --jq .operation");
  expect([code, err, out]).toEqual([
    0,
    "",
    "CreateSegment\nAddSegmentTargets\nCreateCampaign\nStartCampaign\n",
  ]);
  expect((await run("campaign get planned")).code).toBe(3);
});

test("a campaign unscheduled can be scheduled again from the same file; one already sent is not sent again", async () => {
  await run("campaign new again.yaml --sender mira");
  await home.sh("sed -i 's/^  segment: .*/  ids: people.txt/' again.yaml && printf 'ana\nbo\n' > people.txt");
  const schedule = (when: string) => run(`campaign schedule again.yaml ${when} --confirm again --jq .status`);
  expect((await schedule("2h")).code).toBe(0);
  const twice = await schedule("3h");
  expect([twice.code, twice.err]).toEqual([
    6,
    expect.stringMatching(
      /^error: Campaign again is scheduled for \S+ already\nhint: parley campaign unschedule again takes that back\n$/,
    ),
  ]);
  await run("campaign unschedule again");
  expect((await run("campaign check again.yaml --jq .audience.receivers")).out).toBe("2\n");
  expect((await schedule("1h")).out).toBe("scheduled\n");
  await run("local clock advance 2h");
  expect((await run("campaign watch again --jq .status")).out.trimEnd().split("\n").at(-1)).toBe("completed");
  expect((await run("campaign report again --jq .sent")).out).toBe("2\n");
  await run("campaign delete again --confirm again");
  const third = await run("campaign start again.yaml --confirm again");
  expect([third.code, third.err]).toEqual([
    6,
    "error: Everybody whom again.yaml names has got campaign again already\nhint: Give it another id to send it once more.\n",
  ]);
});

test("a start with --mode messages warns of the unused channel template, its dry run names each receiver, and a repeated start has no receivers left", async () => {
  await run("campaign new each.yaml --sender mira");
  await home.sh(
    "sed -i 's/^  segment: .*/  ids: people.txt/' each.yaml && printf 'ana\\nbo\\n' > people.txt",
  );
  const check = (flags: string) => run(`campaign check each.yaml ${flags} --jq '.findings[].message'`);
  expect((await check("--mode messages")).out).toBe(
    "channel_template: id not used: --mode messages sends in the direct channel of sender and receiver\n",
  );
  expect((await check("")).out).toBe("");
  const start = (flags: string) => run(`campaign start each.yaml --mode messages --confirm each ${flags}`);
  const dry = await start("-n --jq '.body.data.members[1] // .body.message.text'");
  const text = "Hi Somebody, this is mira.\n";
  expect([dry.code, dry.out]).toEqual([0, `ana\n${text}bo\n${text}`]);
  expect((await start("--jq .sent")).out).toBe("2\n");
  for (const flags of ["-n", ""]) {
    const again = await start(`${flags} --jq .receivers`);
    expect([flags, again.code, again.out]).toEqual([flags, 0, "0\n"]);
  }
});

test("the follow-up of a follow-up counts on, and the sender is no receiver of either", async () => {
  await runCampaign("chain", "--to ana --to dee --to mira --channel-id 'tea-{{receiver.id}}'");
  const report = await run("campaign report chain --json=audience,sent,missed,named");
  expect(JSON.parse(report.out)).toEqual({ audience: 2, sent: 1, missed: 1, named: 2 });
  const retry = async (id: string) => {
    const { out } = await run(
      `campaign continue ${id} --confirm ${id} --jq '[.received, .left, .campaign.id]'`,
    );
    return JSON.parse(out) as unknown;
  };
  expect(await retry("chain")).toEqual([1, 1, "chain-r2"]);
  await run("campaign watch chain-r2");
  expect(await retry("chain-r2")).toEqual([0, 1, "chain-r3"]);
});

test("a check finds members of the template whom the provider does not have, and the start is refused as by the check", async () => {
  for (const members of ['members: ["ana", "ghost"]', "members_template: [{ user_id: ghost }]"]) {
    const template = `channel_template: { type: messaging, id: "with-{{ receiver.id }}", ${members} }`;
    writeFileSync(
      path.join(home.folder, "work", "members.yaml"),
      `id: withmembers\nsender_id: mira\nmessage_template: { text: hi }\n${template}\ncreate_channels: true\naudience: { filter: { id: bo } }\n`,
    );
    const checked = await run("campaign check members.yaml");
    expect([checked.code, checked.out]).toEqual([
      7,
      expect.stringContaining("error    channel_template: 1 member is unknown: ghost\n"),
    ]);
    const started = await run("campaign start members.yaml --confirm withmembers");
    expect([started.code, started.err]).toEqual([
      7,
      expect.stringContaining("members.yaml is not ready: channel_template: 1 member is unknown: ghost"),
    ]);
    // Sent by this program, the template's members are not used.
    const messages = await run("campaign check members.yaml --mode messages");
    expect([messages.code, messages.out]).toEqual([0, expect.stringContaining(", members")]);
  }
});

test("a file whose campaign is over is not started again, and the hint is the command that sends it to the others", async () => {
  await home.sh("sed 's/^id: .*/id: over/' each.yaml > over.yaml");
  expect((await run("campaign start over.yaml --confirm over")).code).toBe(0);
  await run("campaign watch over");
  for (const verb of ["start", "continue"]) {
    const { code, err } = await run(`campaign ${verb} over.yaml --confirm over`);
    expect([code, err]).toEqual([
      6,
      expect.stringContaining("hint: parley campaign continue over sends it to those who are left\n"),
    ]);
  }
  expect((await run("campaign continue over --confirm over")).code).toBe(0);
});

test("a draft of the same id that was not made from the file is left alone", async () => {
  await run("campaign create --id taken --sender mira --text theirs --to ana");
  await home.sh("sed 's/^id: .*/id: taken/' each.yaml > taken.yaml");
  const { code, err } = await run("campaign start taken.yaml --confirm taken");
  expect([code, err]).toEqual([6, expect.stringContaining("Campaign taken is there already and is draft")]);
  expect((await run("campaign get taken --jq .message_template.text")).out).toBe("theirs\n");
});

test("people added to the file of a campaign sent by message get it, and nobody else again, and the report counts all", async () => {
  await home.sh("sed 's/^id: .*/id: grown/; s/people.txt/grown.txt/' each.yaml > grown.yaml");
  const start = async (...people: string[]) => {
    await home.sh(`printf '${people.join("\\n")}\\n' > grown.txt`);
    const { out } = await run(
      "campaign start grown.yaml --mode messages --confirm grown --jq '[.receivers, .sent]'",
    );
    return out.trim();
  };
  expect(await start("ana", "bo")).toBe("[2,2]");
  expect(await start("ana", "bo", "dee")).toBe("[1,1]");
  expect(await start("ana", "bo", "dee")).toBe("[0,0]");
  expect(await start("ana", "bo", "dee", "eff")).toBe("[1,1]");
  const report = await run("campaign report grown --json=named,audience,sent,left_out");
  expect(JSON.parse(report.out)).toEqual({ named: 4, audience: 4, sent: 4, left_out: {} });
});

test("a guard on the number of recipients counts those who have got it already, too", async () => {
  await home.sh("sed 's/^id: .*/id: kept/; s/people.txt/kept.txt/' each.yaml > kept.yaml");
  const start = async (...people: string[]) => {
    await home.sh(`printf '${people.join("\\n")}\\n' > kept.txt`);
    const { code, out, err } = await run(
      "campaign start kept.yaml --mode messages --confirm kept --max-recipients 2 --jq .sent",
    );
    return [code, out.trim(), err];
  };
  expect(await start("ana")).toEqual([0, "1", ""]);
  expect(await start("ana", "bo")).toEqual([0, "1", ""]);
  const grown = await start("ana", "bo", "dee");
  expect(grown[0]).not.toBe(0);
  expect(grown[2]).toContain("3 would receive it, but at most 2 may");
});

test("a journal of before the provider was reset proves of nobody that they have got it", async () => {
  await home.sh("sed 's/^id: .*/id: reset/; s/people.txt/reset.txt/' each.yaml > reset.yaml");
  const start = async (...people: string[]) => {
    await home.sh(`printf '${people.join("\\n")}\\n' > reset.txt`);
    return (await run("campaign start reset.yaml --mode messages --confirm reset --jq .sent")).out;
  };
  expect(await start("ana")).toBe("1\n");
  const [name] = readdirSync(home.folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("reset.journal.ndjson"),
  );
  const file = path.join(home.folder, name!);
  const told = readFileSync(file, "utf8").replaceAll('"user":"ana"', '"user":"bo"');
  expect(told).toContain('"user":"bo"');
  writeFileSync(file, told.replace(/"sender_since":"[^"]+"/, '"sender_since":"2020-01-01T00:00:00Z"'));
  // Whom the provider shows to have got it is left out; what the journal says of the other is not believed.
  expect(await start("ana", "bo")).toBe("1\n");
});

test("--max-errors ends a start with --mode messages at that many refusals; it is completed once nobody is left", async () => {
  await home.sh("sed 's/^id: .*/id: refused/; s/people.txt/four.txt/' each.yaml > refused.yaml");
  await home.sh("printf 'ana\\nbo\\ndee\\neff\\nana\\n' > four.txt");
  const start = async (refusals: number, flags: string) => {
    if (refusals > 0) await run(`local fault add 'POST */message' --status 403 --times ${refusals}`);
    const { code, out } = await run(
      `campaign start refused.yaml --mode messages --confirm refused --concurrency 1 --max-errors 2 ${flags} --jq '[.sent, (.failed | length), .waiting, .seconds]'`,
    );
    const status = (await run("campaign report refused --jq .status")).out.trim();
    const [sent, failed, waiting, seconds] = JSON.parse(out) as number[];
    return { counts: { code, sent, failed, waiting, status }, seconds };
  };
  const first = await start(2, "");
  expect(first.counts).toEqual({ code: 9, sent: 0, failed: 2, waiting: 2, status: "stopped" });
  const report = await run("campaign report refused --json=named,audience,sent,missed,waiting,left_out");
  expect(JSON.parse(report.out)).toEqual({
    named: 5,
    audience: 4,
    sent: 0,
    missed: 2,
    waiting: 2,
    left_out: { duplicate: 1 },
  });
  const second = await start(1, "--rate 2");
  expect(second.counts).toEqual({ code: 9, sent: 3, failed: 1, waiting: 0, status: "stopped" });
  expect(second.seconds).toBeGreaterThanOrEqual(1.4);
  const third = await start(0, "");
  expect(third.counts).toEqual({ code: 0, sent: 1, failed: 0, waiting: 0, status: "completed" });
});

test("guards on the number of recipients count channels, by file and by id; the sender's channels cannot be counted", async () => {
  for (const name of ["one", "two", "three"]) await run(`channel create messaging:guard-${name}`);
  await run(`segment create channel --id named --filter '{"id":{"$in":["guard-one","guard-two"]}}'`);
  await run("segment create channel --id listed");
  await run("segment add listed messaging:guard-three");
  await run("segment create channel --id own --all-sender-channels");
  const check = async (segments: string, guards: string) => {
    await home.sh(
      `printf 'id: c\\nsender_id: mira\\nmessage_template: { text: hi }\\nsegment_ids: [${segments}]\\nguards: { ${guards} }\\n' > c.yaml`,
    );
    const { code, out } = await run("campaign check c.yaml");
    return [code, ...out.split("\n").slice(1, 3)];
  };
  expect(await check("named,listed", "max_recipients: 2")).toEqual([
    7,
    "error    3 would receive it, but at most 2 may",
    "audience: 3 channels",
  ]);
  expect((await check("named,listed", "expect: 3"))[0]).toBe(0);
  const uncounted =
    "the provider does not count the sender's channels, so the number of recipients cannot be checked";
  expect(await check("own", "expect: 3")).toEqual([
    7,
    `error    ${uncounted}`,
    "audience: the sender's channels",
  ]);
  await run("campaign create --id guarded --sender mira --text hi --segment named --segment listed");
  const start = (flags: string) => run(`campaign start guarded ${flags} --confirm guarded`);
  const refused = await start("--max-recipients 2");
  expect([refused.code, refused.err]).toEqual([
    7,
    "error: Campaign guarded is not sent: 3 would receive it, but at most 2 may\n",
  ]);
  expect((await start("--expect 3")).code).toBe(0);
});

test("the guards of a campaign that is started by its id do not count the sender among its people", async () => {
  await run(
    "campaign create --id self --sender mira --text hi --to ana --to mira --channel-id 'self-{{receiver.id}}' --create-channels",
  );
  const start = (expected: number) => run(`campaign start self --expect ${expected} --confirm self`);
  expect((await start(2)).code).toBe(7);
  expect((await start(1)).code).toBe(0);
});

test("the quiet days of a campaign that is scheduled by its id concern the planned day, not today", async () => {
  await run("campaign create --id quiet --sender mira --text hi --to ana --channel-id 'tea-{{receiver.id}}'");
  const schedule = (time: string, quietDay: string) =>
    run(`campaign schedule quiet ${time} --quiet-day ${quietDay} --tz UTC --yes`);
  expect((await schedule("2030-05-05T09:00Z", "sunday")).code).toBe(6);
  const today = new Date().toLocaleDateString("en", { weekday: "long", timeZone: "UTC" }).toLowerCase();
  expect((await schedule("36h", today)).code).toBe(0);
  expect((await run("campaign unschedule quiet")).code).toBe(0);
});

test("a campaign to channels has no report by person and no follow-up, which would read its filter as one of people", async () => {
  await run("channel create messaging:named-like-ana --member mira");
  await run(`segment create channel --id rooms --filter '{"id":{"$in":["named-like-ana","ana","bo"]}}'`);
  await run("campaign create --id rooms --sender mira --text hi --segment rooms");
  expect((await run("campaign start rooms --confirm rooms --expect 1")).code).toBe(0);
  expect((await run("campaign watch rooms")).code).toBe(0);
  for (const line of ["campaign report rooms", "campaign continue rooms --accept-duplicates --confirm rooms"])
    expect(await run(line)).toMatchObject({
      code: 6,
      out: "",
      err: "error: Campaign rooms is sent to channels: whom it reaches there is not listed\nhint: parley campaign stats rooms\n",
    });
});

/** The people of a report by result. */
async function resultsOf(id: string): Promise<Record<string, string[]>> {
  const { people } = JSON.parse((await run(`campaign report ${id} --json=people`)).out) as {
    people: { user: string; result: string }[];
  };
  const results: Record<string, string[]> = {};
  for (const { user, result } of people) (results[result] ??= []).push(user);
  return results;
}

const SHOWS = ["report", "stats", "watch", "get"];

test("who has received a campaign counts its follow-ups, whichever of them is asked about", async () => {
  const channel = (who: string): Promise<unknown> =>
    run(`channel create messaging:kin-${who} --member ${who}`);
  await channel("ana");
  await runCampaign("kin", "--to ana --to bo --to dee --channel-id 'kin-{{receiver.id}}'");
  await channel("bo");
  expect((await run("campaign continue kin --confirm kin --jq .campaign.id")).out).toBe("kin-r2\n");
  await run("campaign watch kin-r2");
  expect(await resultsOf("kin")).toEqual({ sent: ["ana", "bo"], missed: ["dee"] });
  for (const show of SHOWS.slice(0, 3))
    expect([show, (await run(`campaign ${show} kin`)).code]).toEqual([show, 9]);
  expect((await run("campaign get kin --jq .status")).out).toBe("incomplete\n");
  expect((await run('campaign list --filter \'{"id":"kin"}\' --jq .status')).out).toBe("incomplete\n");
  await channel("dee");
  expect((await run("campaign continue kin --confirm kin --jq '[.received, .left, .campaign.id]'")).out).toBe(
    '[2,1,"kin-r3"]\n',
  );
  await run("campaign watch kin-r3");
  for (const show of SHOWS) expect([show, (await run(`campaign ${show} kin`)).code]).toEqual([show, 0]);
  expect((await run('campaign list --filter \'{"id":"kin"}\' --jq .status')).out).toBe("completed\n");
  for (const id of ["kin", "kin-r2", "kin-r3"])
    expect((await run(`campaign continue ${id} --confirm ${id}`)).out).toContain("nobody is left");
  expect(await resultsOf("kin-r2")).toEqual({ sent: ["bo", "dee"], left_out: ["ana"] });
});

test("a message in a channel of several receivers counts for the person it was for, also when they have left", async () => {
  await home.sh(
    "printf 'id: club\\nsender_id: mira\\nmessage_template: {text: same for all}\\nchannel_template: {type: messaging, id: club, members: [ana, bo, dee]}\\ncreate_channels: true\\nuser_ids: [ana, bo]\\n' > club.yaml",
  );
  expect((await run("campaign start club.yaml --confirm club")).code).toBe(0);
  await run("campaign watch club");
  expect((await run("member remove ana -c messaging:club --yes")).code).toBe(0);
  await run("campaign stop club");
  await run("segment add club-audience dee");
  expect(await resultsOf("club")).toEqual({ sent: ["ana", "bo"], missed: ["dee"] });
  expect((await run("campaign continue club --confirm club --jq .left")).out).toBe("1\n");
});

const fileOf = (id: string, more: string): Promise<unknown> =>
  home.sh(
    `printf 'id: ${id}\\nsender_id: mira\\nmessage_template: {text: Hi}\\nuser_ids: [ana, bo]\\n${more}' > ${id}.yaml`,
  );

test("the mode stands in the file: a flag may repeat it, another one is a usage error, and a schedule is refused", async () => {
  await fileOf("moded", "mode: messages\\n");
  for (const verb of ["check", "preview", "start"]) {
    const other = await run(`campaign ${verb} moded.yaml --mode campaign`);
    expect([verb, other.code, other.err]).toEqual([
      verb,
      2,
      expect.stringContaining("moded.yaml says mode: messages"),
    ]);
  }
  expect((await run("campaign schedule moded.yaml 2h --confirm moded")).code).toBe(2);
  expect((await run("campaign preview moded.yaml --jq .channel")).out).toBe(
    "the direct channel of the two\n",
  );
  expect((await run("campaign start moded.yaml --mode messages --confirm moded --jq .sent")).out).toBe("2\n");
  expect((await run("campaign start moded.yaml --confirm moded --jq .receivers")).out).toBe("0\n");
});

test("a campaign begun in one mode is refused in the other, and continued with the flags that were used", async () => {
  await fileOf("both", "channel_template: {type: messaging}\\ncreate_channels: true\\n");
  expect((await run("campaign start both.yaml --confirm both")).code).toBe(0);
  await run("campaign watch both");
  const refused = await run("campaign start both.yaml --mode messages --confirm both");
  expect([refused.code, refused.err]).toEqual([
    6,
    expect.stringContaining("Campaign both was begun by the provider (--mode campaign) at "),
  ]);
  await fileOf("told", "");
  const line = "campaign start told.yaml --rate 50 --mode messages";
  await run("local fault add 'POST */message' --status 403 --times 1");
  expect((await run(`${line} --max-errors 1 --concurrency 1 --confirm told`)).code).toBe(9);
  const other = await run("campaign start told.yaml --confirm told");
  expect([other.code, other.err]).toEqual([
    6,
    expect.stringContaining("by this program (--mode messages) at "),
  ]);
  const again = "parley campaign start told.yaml --mode messages --rate 50 --concurrency 1 --max-errors 1";
  const told = await run("campaign report told");
  expect([told.code, told.err]).toEqual([9, expect.stringContaining(again)]);
  expect((await run("campaign continue told --confirm told --jq '[.receivers, .sent]'")).out).toBe("[2,2]\n");
});

test("check and preview know the channels: without create_channels whoever has none gets nothing", async () => {
  await fileOf("rooms-of", 'channel_template: {type: messaging, id: "tea-{{receiver.id}}"}\\n');
  const check = await run("campaign check rooms-of.yaml --json=errors,findings");
  expect([check.code, JSON.parse(check.out)]).toEqual([
    0,
    { errors: 0, findings: [expect.objectContaining({ code: "no_channel", ids: ["bo"] })] },
  ]);
  const preview = await run("campaign preview rooms-of.yaml --user ana --user bo --jq .channel");
  expect(preview.out).toBe("messaging:tea-ana\nno channel: nothing is sent\n");
  await fileOf("no-rooms", 'channel_template: {type: messaging, id: "nowhere-{{receiver.id}}"}\\n');
  const none = await run("campaign start no-rooms.yaml --confirm no-rooms");
  expect([none.code, none.err]).toEqual([7, expect.stringContaining("no receiver has the channel")]);
});

test("a campaign without a channel template finds the channel of sender and person, not one with others in it", async () => {
  await run("user upsert gil hal --name Somebody");
  await run("channel create messaging:of-three --member mira --member gil --member hal");
  await home.sh(
    "printf 'id: trio\\nsender_id: mira\\nmessage_template: {text: Hi}\\nuser_ids: [ana, gil]\\n' > trio.yaml",
  );
  const channel = async (): Promise<string> =>
    (await run("campaign preview trio.yaml --user gil --jq .channel")).out;
  expect(await channel()).toBe("no channel: nothing is sent\n");
  await run("channel create messaging:of-two --member mira --member gil");
  expect(await channel()).toBe("messaging:of-two\n");
});

test("a member's message that carries the id of a campaign changes nothing for anybody", async () => {
  await fileOf(
    "forged",
    'channel_template: {type: messaging, id: "forged-{{receiver.id}}"}\\ncreate_channels: true\\n',
  );
  await run("channel create messaging:forged-bo --member bo --member eff");
  const { messageIdFor } = await import("../../src/commands/campaign/flow/send-one.ts");
  const id = await messageIdFor("forged", "bo");
  const lie = await run(
    `send messaging:forged-bo lie --as eff --id ${id} --custom campaign_id=forged --custom campaign_receiver=bo`,
  );
  expect([lie.code, lie.err]).toEqual([0, ""]);
  expect((await run("campaign check forged.yaml --json=audience.receivers")).out).toContain("2");
  expect(
    (await run("campaign start forged.yaml --mode messages --confirm forged --jq '[.sent, .failed]'")).out,
  ).toBe("[2,[]]\n");
});

test("--tz is the zone of the times of a schedule, a skipped time is a usage error, and a stop before the start makes nothing", async () => {
  await fileOf("zoned", "channel_template: {type: messaging}\\ncreate_channels: true\\n");
  const schedule = (time: string, flags: string) =>
    run(`campaign schedule zoned.yaml '${time}' ${flags} --confirm zoned --jq .scheduled_for`);
  const stopped = await schedule("2h", "--stop-at 1h");
  expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining("must be later than the start")]);
  expect((await run("segment get zoned-audience")).code).toBe(3);
  const skipped = await schedule("2027-03-28 02:30", "--tz Europe/Berlin");
  expect([skipped.code, skipped.err]).toEqual([
    2,
    expect.stringContaining("the clocks go from 01:59 to 03:00"),
  ]);
  expect((await schedule("tomorrow 09:00", "--tz Nowhere")).code).toBe(2);
  const { out } = await schedule("2027-05-01 09:00", "--tz Asia/Tokyo");
  expect(Date.parse(out.trim())).toBe(Date.UTC(2027, 4, 1));
});

test("the test of a campaign by message is sent by message with the columns of the record, and its dry run sends nothing", async () => {
  await run("user upsert wes xia --name Somebody");
  await home.sh("printf 'user_id,code\\nwes,W7\\nxia,X8\\n' > codes.csv");
  await home.sh(
    `printf 'id: codes\\nsender_id: mira\\nmode: messages\\nmessage_template: {text: "Code {{receiver.code}}"}\\naudience: {csv: codes.csv}\\n' > codes.yaml`,
  );
  const planned = await run("campaign test codes.yaml --to wes,xia -n --json");
  expect(planned.code).toBe(0);
  expect((await run("search Code --as mira")).out).toBe("");
  const tested = await run("campaign test codes.yaml --to xia,wes --ndjson");
  expect(tested.err).toBe("");
  const results = tested.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { user: string; result: string; text: string });
  expect(results.map(({ user, result, text }) => [user, result, text])).toEqual([
    ["xia", "received", "Code X8"],
    ["wes", "received", "Code W7"],
  ]);
  expect((await run("campaign start codes.yaml --confirm codes --json=receivers,sent --rate 1000")).out).toBe(
    '{"receivers":2,"sent":2}\n',
  );
});

test("continue sends the rest of a campaign by messages with the flags of its start, by its id or its file", async () => {
  await home.sh(
    "printf 'id: rest\\nsender_id: mira\\nmessage_template: {text: Hi}\\naudience: {ndjson: rest.ndjson}\\n' > rest.yaml",
  );
  await home.sh(String.raw`printf '{"id":"ana"}\n{"id":"bo"}\n' > rest.ndjson`);
  const start = "campaign start rest.yaml --mode messages --confirm rest --skip-wrong --rate 50 --jq .sent";
  expect((await run(start)).out).toBe("2\n");
  await home.sh(String.raw`printf '{"id":"dee"}\n{"id":"nobody-here"}\n' >> rest.ndjson`);
  // Without --skip-wrong, which the start had, the unknown person would stop it.
  expect(await run("campaign continue rest --dry-run --json")).toMatchObject({ code: 0 });
  expect((await run("campaign retry rest --confirm rest --jq '[.receivers, .sent]'")).out).toBe("[1,1]\n");
  expect((await run("campaign resume rest --confirm rest --jq .receivers")).out).toBe("0\n");
});

test.each([
  ["campaign", 'create_channels: true\\nchannel_template: {type: messaging, id: "left-{{ receiver.id }}"}'],
  ["messages", ""],
])("watch, get and list count who is left out as the report does: --mode %s", async (mode, lines) => {
  await run("campaign optout add bo");
  await home.sh("printf 'ana\\nbo\\ncy\\ndee\\nana\\n' > left.txt");
  await home.sh(
    `printf 'id: left-${mode}\\nmode: ${mode}\\nsender_id: mira\\naudience: {ids: left.txt}\\nmessage_template: {text: hi}\\n${lines}\\n' > left.yaml`,
  );
  await run(`campaign start left.yaml --confirm left-${mode}`);
  const watched = await run(`campaign watch left-${mode} --ndjson`);
  await run("campaign optout remove bo");
  const report = JSON.parse((await run(`campaign report left-${mode} --json`)).out);
  expect(report).toMatchObject({ sent: 2, left_out: { opted_out: 1, deactivated: 1, duplicate: 1 } });
  const [shown] = JSON.parse((await run("campaign list --json --limit 1")).out);
  const got = JSON.parse((await run(`campaign get left-${mode} --json`)).out);
  const last = JSON.parse(watched.out.trimEnd().split("\n").at(-1)!);
  for (const one of [last, got, ...(mode === "messages" ? [shown] : [])])
    expect([one.id, one.left_out]).toEqual([`left-${mode}`, report.left_out]);
  expect((await run(`campaign get left-${mode}`)).out).toContain(
    "left out\t3 (1 opted out, 1 deactivated, 1 duplicate)",
  );
});
