/** Other users' actions appear on an open screen at once, and due items on time: polls, locations, threads, reminders, bans, campaigns. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import { PROOF, runs } from "../support/proof.ts";
import * as here from "../support/shell-here.ts";
import type { Pty } from "../support/pty.ts";

/** "At once" on a busy machine with two cores: milliseconds. */
const AT_ONCE = 4000;

const PEOPLE = runs(1000, 250);

let home: Home;
let bob: Pty;

const run = async (line: string): Promise<string> => {
  const { code, out, err } = await home.sh(line);
  expect(code, `${line}\n${out}${err}`).toBe(0);
  return out.trim();
};

beforeAll(async () => {
  home = new Home({ here: PROOF ? undefined : here });
  await home.up();
  await home.channel("club", ["ana", "bob", "cy", "di"]);
  await home.say("messaging:club", "ana", { text: "before anybody looked" });
  await run("parley user upsert ana --name Ana --role admin --yes --json > /dev/null");
  bob = home.screen(["chat", "messaging:club", "--as", "bob"]);
  await bob.waitFor("before anybody looked");
  await bob.waitFor("● online");
});
afterAll(() => home.end());

test("the votes of three users appear on an open screen", async () => {
  await run(
    "parley --as ana poll create -c messaging:club 'Lunch where?' --option Noodles --option Soup --json > /dev/null",
  );
  await bob.waitFor("Lunch where?", AT_ONCE);
  const id = await run("parley --as ana message list -c messaging:club --limit 1 --jq .id 2> /dev/null");
  for (const who of ["ana", "cy", "di"])
    await run(`parley --as ${who} poll vote ${id} ${who === "di" ? "Soup" : "Noodles"} --json`);
  await bob.waitFor("3 votes", AT_ONCE);
  expect(bob.text()).toMatch(/Noodles .*\b2 +67 %/);
  expect(bob.text()).toMatch(/Soup .*\b1 +33 %/);
  expect(await run(`parley --as bob poll results ${id} --json`)).toMatch(/Noodles/);
});

test("a live location moves on an open screen and ends when its time is over", async () => {
  await run("parley --as cy location share messaging:club 59.3251,18.0711 --for 2m");
  await bob.waitFor(/near Stockholm.*min left/, AT_ONCE);
  await run("parley --as cy location update 51.5072,-0.1276");
  await bob.waitFor(/near London.*min left/, AT_ONCE);
  await run("parley local clock advance 3m");
  await bob.waitFor(/near London.*ended/, AT_ONCE);
  expect(await run("parley --as cy location list --json")).toBe("[]");
});

test("a thread has its own unread count, and reading it leaves the channel's count unchanged (TH-9, TH-12)", async () => {
  const id = await run("parley --as cy send messaging:club 'Who brings the tea?'");
  await run(
    `parley --as ana thread reply ${id} 'I do' > /dev/null; parley --as di thread reply ${id} 'me too'`,
  );
  type Row = { channel?: string; thread?: string; unread: number };
  const unread = async (): Promise<Row[]> =>
    JSON.parse(await run("parley --as cy unread --threads --json")) as Row[];
  const channelOf = (rows: Row[]): Row | undefined =>
    rows.find((row) => row.channel === "messaging:club" && row.thread === undefined);
  const before = await unread();
  expect(before.find((row) => row.thread === id)?.unread).toBe(2);
  await run(`parley --as cy thread read ${id}`);
  const after = await unread();
  expect(after.filter((row) => row.thread === id)).toEqual([]);
  expect(channelOf(after)).toEqual(channelOf(before));
  expect(channelOf(after)?.unread).toBeGreaterThan(0);
});

test("a reminder is shown when it is due and not earlier", async () => {
  const id = await run("parley --as ana send messaging:club 'call the bakery'");
  await run(`parley --as bob reminder set ${id} --in 10m`);
  await run("parley local clock advance 9m");
  expect(bob.text()).not.toMatch(/reminder is due/i);
  await run("parley local clock advance 2m");
  await bob.waitFor(/reminder|call the bakery.*due|due.*call the bakery/i, AT_ONCE);
});

test("a ban takes effect at once on the screen and for scripts, and so does its end", async () => {
  await run("parley --as ana member ban bob -c messaging:club --until 1h --reason loud --yes");
  await bob.waitFor(/banned/i, AT_ONCE);
  const refused = await home.sh("parley --as bob send messaging:club hello");
  expect(refused.code).toBe(5);
  await run("parley --as ana member unban bob -c messaging:club");
  await bob.waitFor((pty) => !/banned/i.test(pty.text().split("\n").slice(-4).join("\n")), AT_ONCE);
  await run("parley --as bob send messaging:club 'hello again'");
});

test("a campaign reaches all its receivers and reports completion, and importing an export reproduces the same channels", async () => {
  await run(
    `seq -f '%04g' ${PEOPLE} | sed 's/.*/{"id":"u&","name":"Person &"}/' | parley user upsert --file - --jq .id | wc -l | grep -x '${PEOPLE}'`,
  );
  await run(
    `{ printf 'name: Spring\\nsender_id: ana\\ncreate_channels: true\\nchannel_template: {type: messaging, id: "spring-{{receiver.id}}"}\\nmessage_template: {text: "Hello {{receiver.name}}"}\\nuser_ids:\\n'; seq -f '  - u%04g' ${PEOPLE}; } > c.yaml; parley campaign create c.yaml --id spring > /dev/null`,
  );
  await run(
    "parley campaign start spring --yes --confirm Spring > /dev/null || parley campaign start spring --yes --confirm spring > /dev/null",
  );
  await run("parley campaign watch spring > /dev/null");
  expect(JSON.parse(await run("parley campaign stats spring --json"))).toMatchObject({ status: "completed" });
  expect(await run("parley --as u0177 message list -c messaging:spring-u0177 --jq .text")).toBe(
    "Hello Person 0177",
  );

  await run(
    "parley channel export messaging:club messaging:spring-u0177 --users --out one.jsonl > /dev/null; parley import convert one.jsonl | sort > one.lines",
  );
  // The clock of the first provider was moved, and an import refuses what lies in the future; its own user is overwritten.
  await run(
    "export PARLEY_LOCAL_DATA=$PWD/second PARLEY_LOCAL_SEED=none; parley local clock advance 20m > /dev/null; parley import convert one.jsonl > one.import; parley local import one.import --replace > /dev/null; parley channel export messaging:club messaging:spring-u0177 --users --out two.jsonl > /dev/null; parley import convert two.jsonl | sort > two.lines; parley local stop",
  );
  expect(await run("wc -l < one.lines")).not.toBe("0");
  await run("cmp one.lines two.lines");
});
