/** A provider killed again and again during long work: the work continues, nothing is done twice or half. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { signToken } from "../../../src/wire/token.ts";
import { runs, spread } from "../../support/proof.ts";
import { httpRequest } from "../tiny.ts";
import { removeFolder } from "../../support/remove-folder.ts";

const CHILD = path.join(import.meta.dirname, "../../net/provider-child.ts");
const SECRET = "s".repeat(32);
const KILLS = runs(5, 1);
const WORKS = ["a campaign", "an import", "an export", "deleted users", "reminders"];
const chosenWorks = spread(WORKS, 2);
const longTest = (name: string, run: () => Promise<void>, timeout?: number): void =>
  test.runIf(chosenWorks.some((work) => name.startsWith(work)))(name, run, timeout);
let folder: string;
let child: ChildProcess | undefined;
let at: { url: string; apiKey: string };
/** What a client does after each restart of the provider. */
let afterRestart: () => Promise<void>;
beforeEach(() => {
  afterRestart = async () => {};
  folder = mkdtempSync(path.join(tmpdir(), "parley-killed-"));
});
afterEach(async () => {
  await kill();
  removeFolder(folder);
});

async function start(): Promise<void> {
  child = spawn(process.execPath, [CHILD, folder, SECRET], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  at = JSON.parse(line.toString()) as typeof at;
}
async function kill(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;
async function call(method: string, route: string, body?: object): Promise<Json> {
  const answer = await httpRequest(
    `${at.url}${route}${route.includes("?") ? "&" : "?"}api_key=${at.apiKey}`,
    {
      method,
      headers: { Authorization: signToken({ server: true }, SECRET), "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    },
  );
  if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as Json;
}
/** Kills the provider after every `every` ms until `done`, at most `KILLS` times; then waits until `done`. Returns the number of kills. */
async function killUntil(every: number, done: () => Promise<boolean>): Promise<number> {
  let kills = 0;
  for (; kills < KILLS; kills++) {
    await sleep(every);
    if (await done()) break;
    await kill();
    await start();
    await afterRestart();
  }
  while (!(await done())) await sleep(10);
  return kills;
}
/** Rows read from the database file after the provider was killed. */
async function rows(sql: string): Promise<Json[]> {
  await kill();
  const db = new DatabaseSync(path.join(folder, "provider.db"));
  try {
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    return db.prepare(sql).all() as Json[];
  } finally {
    db.close();
  }
}
const numberedIds = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);
async function createUsers(ids: string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 100)
    await call("POST", "/users", {
      users: Object.fromEntries(ids.slice(from, from + 100).map((id) => [id, { id, name: id }])),
    });
}
async function sendMessages(cid: string, authors: string[], count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      call("POST", `/channels/${cid}/message`, {
        message: {
          id: `${cid.replace("/", "-")}-${n}`,
          text: `kettle ${n}`,
          user_id: authors[n % authors.length],
        },
      }),
    ),
  );
}

longTest("a campaign sends each target exactly one message (RUN, D13)", async () => {
  await start();
  const targets = numberedIds("t", 400);
  await createUsers(["ann", ...targets]);
  const { campaign } = await call("POST", "/campaigns", {
    sender_id: "ann",
    message_template: { text: "Hi {{ receiver.name }}" },
    channel_template: { type: "messaging", id: "c-{{receiver.id}}" },
    create_channels: true,
    user_ids: targets,
  });
  await call("POST", `/campaigns/${campaign.id}/start`);
  let last: Json = {};
  const kills = await killUntil(60, async () => {
    last = (await call("GET", `/campaigns/${campaign.id}`)).campaign;
    return last.status === "completed";
  });
  expect(last.stats).toMatchObject({ progress: 1, stats_messages_sent: 400, stats_channels_created: 400 });
  const sent = await rows("SELECT cid, text FROM messages ORDER BY cid");
  expect(sent).toEqual(
    targets
      .map((id) => ({ cid: `messaging:c-${id}`, text: `Hi ${id}` }))
      .toSorted((a, b) => (a.cid < b.cid ? -1 : 1)),
  );
  expect(kills).toBeGreaterThan(0);
});

longTest("an import stores every line exactly once", async () => {
  await start();
  const lines = [
    ...numberedIds("i", 300).map((id) => ({ type: "user", data: { id, role: "user", name: id } })),
    { type: "channel", data: { type: "messaging", id: "hall", created_by: "i0" } },
    ...numberedIds("i", 300).map((user_id) => ({
      type: "member",
      data: { channel_type: "messaging", channel_id: "hall", user_id },
    })),
    ...Array.from({ length: 1500 }, (_, n) => ({
      type: "message",
      data: {
        id: `im${n}`,
        channel_type: "messaging",
        channel_id: "hall",
        user: `i${n % 300}`,
        text: `imported ${n}`,
        type: "regular",
        created_at: new Date(Date.UTC(2024, 0, 1) + n * 1000).toISOString(),
      },
    })),
  ];
  const { path: stored, upload_url: to } = await call("POST", "/import_urls", { filename: "people.jsonl" });
  const put = await httpRequest(to, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  expect(put.status).toBe(200);
  const { import_task: made } = await call("POST", "/imports", { path: stored, mode: "upsert" });
  let last: Json = {};
  const kills = await killUntil(60, async () => {
    last = (await call("GET", `/imports/${made.id}`)).import_task;
    return ["completed", "failed", "analyze_failed"].includes(last.state);
  });
  expect([last.state, last.result]).toEqual(["completed", expect.anything()]);
  const [counted] = await rows(`SELECT (SELECT count(*) FROM users WHERE id LIKE 'i%') AS users,
    (SELECT count(*) FROM members WHERE cid = 'messaging:hall') AS members,
    (SELECT count(*) FROM messages) AS messages,
    (SELECT message_count FROM channels WHERE id = 'hall') AS told,
    (SELECT member_count FROM channels WHERE id = 'hall') AS heads`);
  expect(counted).toEqual({ users: 300, members: 300, messages: 1500, told: 1500, heads: 300 });
  expect(kills).toBeGreaterThan(0);
});

longTest("an export contains every channel and every message exactly once", async () => {
  await start();
  const names = numberedIds("x", 12);
  await createUsers(["ann"]);
  for (const id of names) {
    await call("POST", `/channels/messaging/${id}/query`, {
      data: { created_by_id: "ann", members: ["ann"] },
    });
    await sendMessages(`messaging/${id}`, ["ann"], 60);
  }
  const { task_id: task } = await call("POST", "/export_channels", {
    channels: names.map((id) => ({ type: "messaging", id })),
  });
  let last: Json = {};
  await killUntil(40, async () => {
    last = await call("GET", `/tasks/${task}`);
    return last.status === "completed" || last.status === "failed";
  });
  expect(last).toMatchObject({ status: "completed", result: { url: expect.any(String) } });
  const file = await httpRequest(last.result.url as string);
  expect(file.status).toBe(200);
  const channels = JSON.parse(file.text) as Json[];
  expect(channels.map(({ channel }) => channel.id as string).toSorted()).toEqual(names.toSorted());
  for (const { channel, messages } of channels)
    expect((messages as Json[]).map(({ id }) => id as string).toSorted()).toEqual(
      Array.from({ length: 60 }, (_, n) => `messaging-${channel.id}-${n}`).toSorted(),
    );
});

longTest("deleted users lose every message, and other users keep theirs", async () => {
  await start();
  const leaving = numberedIds("d", 20);
  await createUsers(["ann", ...leaving]);
  await call("POST", "/channels/messaging/hall/query", {
    data: { created_by_id: "ann", members: ["ann", ...leaving] },
  });
  await sendMessages("messaging/hall", [...leaving, "ann"], 630);
  const { task_id: task } = await call("POST", "/users/delete", {
    user_ids: leaving,
    user: "hard",
    messages: "hard",
    conversations: "hard",
  });
  let last: Json = {};
  const kills = await killUntil(20, async () => {
    last = await call("GET", `/tasks/${task}`);
    return last.status === "completed" || last.status === "failed";
  });
  expect(last.status).toBe("completed");
  expect(await rows("SELECT user_id, count(*) AS n FROM messages GROUP BY user_id")).toEqual([
    { user_id: "ann", n: 30 },
  ]);
  expect(await rows("SELECT id FROM users WHERE id LIKE 'd%' AND deleted_at IS NULL")).toEqual([]);
  expect(await rows("SELECT message_count AS n FROM channels")).toEqual([{ n: 30 }]);
  expect(kills).toBeGreaterThanOrEqual(0);
});

longTest(
  "reminders that become due while the provider is down are announced once after its start (RE-5)",
  async () => {
    await start();
    await createUsers(["ann"]);
    await call("PUT", "/channeltypes/messaging", { user_message_reminders: true });
    await call("POST", "/channels/messaging/hall/query", {
      data: { created_by_id: "ann", members: ["ann"] },
    });
    const began = performance.now();
    await sendMessages("messaging/hall", ["ann"], 120);
    // The first reminder must not be due before the last one is created; as many messages took half of this time.
    const due = Date.now() + 900 + 2 * (performance.now() - began);
    await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        call("POST", `/messages/messaging-hall-${n}/reminders?user_id=ann`, {
          user_id: "ann",
          remind_at: new Date(due + n * 3).toISOString(),
        }),
      ),
    );
    const announced: string[] = [];
    afterRestart = async () => {
      const query = new URLSearchParams({
        api_key: at.apiKey,
        authorization: signToken({ user_id: "ann" }, SECRET),
        "stream-auth-type": "jwt",
        json: JSON.stringify({ user_id: "ann" }),
      });
      const socket = new WebSocket(`${at.url.replace("http", "ws")}/connect?${query}`);
      socket.on("error", () => {});
      socket.on("message", (data) => {
        const event = JSON.parse(String(data)) as Json;
        if (event.type === "notification.reminder_due") announced.push(event.message_id as string);
      });
      await once(socket, "message");
    };
    await afterRestart();
    await sleep(Math.max(0, due - Date.now()));
    const allAnnounced = async (): Promise<boolean> => {
      const db = new DatabaseSync(path.join(folder, "provider.db"), { readOnly: true });
      try {
        return db.prepare("SELECT count(*) AS n FROM reminders WHERE told = 0").get()!.n === 0;
      } finally {
        db.close();
      }
    };
    await killUntil(30, allAnnounced);
    expect(await rows("SELECT count(*) AS n FROM reminders WHERE told = 1")).toEqual([{ n: 120 }]);
    expect(new Set(announced).size).toBe(announced.length);
    expect(announced.length).toBeGreaterThan(0);
  },
);
