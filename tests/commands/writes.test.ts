/** Every command with a provider that records requests: a dry run sends nothing, and a protected profile asks first. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExitError } from "../../src/cli/base/exit.ts";
import { guard } from "../../src/cli/base/guard.ts";
import { Plan } from "../../src/cli/base/plan.ts";
import { settleSend } from "../../src/cli/run/one-shot.ts";
import { tree } from "../../src/cli/tree.ts";
import { findOperation } from "../../src/cli/shell-commands/api.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { fillArgs, assignPositionals } from "../../src/commands/base/args.ts";
import { commands } from "../support/commands.ts";
import type { Args, Call, RawArgs } from "../../src/commands/base/define-command.ts";
import type { HttpRequest } from "../../src/core/base/ports.ts";
import type { Opened } from "../../src/open.ts";
import { endpoints } from "../../src/wire/endpoints/index.ts";
import { CAPABILITIES } from "../../src/wire/entities/capabilities.ts";
import { signToken } from "../../src/wire/token.ts";
import { coreOn } from "../support/core-on.ts";

/** Command lines for commands whose first example does not reach its write; `FOLDER` is the test's folder. */
const LINES: Readonly<Record<string, string>> = {
  "message send": "message send -c messaging:ops done",
  wait: "wait messaging:ops --since 2001-01-01",
  "channel create": "channel create messaging:fresh --name Fresh",
  "channel set": "channel set messaging:ops name=Ops",
  "user export": "user export bo",
  "push provider set": "push provider set firebase main --file FOLDER/settings.json",
  "push template set": "push template set firebase main message.new --default",
  "app diff": "app diff FOLDER/settings.json",
  "app backup": "app backup --out FOLDER/app-backup.yaml --force",
  plan: "plan FOLDER/app.yaml",
  "gdpr export": "gdpr export bo --out FOLDER/gdpr",
  "gdpr delete": "gdpr delete bo --proof FOLDER/bo.json",
  "push template render": "push template render FOLDER/settings.json --provider apn --user bo",
  "moderation act": "moderation act delete r --by mira",
  apply: "apply FOLDER/app.yaml",
  "message undelete": "message undelete gone-7f3c --by mira",
  "poll option add": "poll option add p Soup",
  "message action": "message action fresh-preview send",
  "channel batch": "channel batch addMembers messaging:ops --member bo",
  "role delete": "role delete cook",
  "permission set": "permission set tidy-own owner=false",
  "permission revoke": "permission revoke team channel_member create-message",
  "location update": "location update 52.1,4.8 --device phone",
  "import validate": "import validate FOLDER/people.jsonl",
  "import upload": "import upload FOLDER/people.jsonl",
  "import convert": "import convert FOLDER/nothing.jsonl --out FOLDER/converted.jsonl",
  "campaign new": "campaign new",
  "campaign check": "campaign check FOLDER/spring.yaml",
  "campaign preview": "campaign preview FOLDER/spring.yaml",
  "campaign create": "campaign create FOLDER/spring.yaml",
  "campaign test": "campaign test FOLDER/whole.yaml --to mira",
  "campaign start": "campaign start spring --stop-at 2h",
  "campaign schedule": "campaign schedule spring 2h",
  "campaign stop": "campaign stop waiting",
  "campaign unschedule": "campaign unschedule waiting",
  "campaign report": "campaign report spring",
  "campaign diff": "campaign diff spring summer",
  "campaign optout add": "campaign optout add bo",
  "segment create": "segment create user --id fresh-testers",
  "role create": "role create waiter",
  "campaign clone": "campaign clone spring fresh-summer",
  "segment diff": "segment diff testers FOLDER/ids.txt",
  "segment sync": "segment sync testers FOLDER/ids.txt",
  "channel export": "channel export messaging:ops --out FOLDER/ops.jsonl",
  upload: "upload -c messaging:ops FOLDER/people.jsonl",
  "archive create": "archive create FOLDER/kept",
  "archive update": "archive update FOLDER/kept",
  "archive verify": "archive verify FOLDER/kept",
  "archive stats": "archive stats FOLDER/kept",
  "archive show": "archive show FOLDER/kept messaging:ops",
  "archive search": "archive search FOLDER/kept tea",
  "archive merge": "archive merge FOLDER/all FOLDER/kept",
  export: "export messaging:ops --out FOLDER/ops.ndjson --force",
};

const at = "2026-01-01T00:00:00Z";
const user = { id: "mira", role: "user", created_at: at, updated_at: at };
const poll = {
  id: "p",
  name: "Lunch?",
  options: ["Noodles", "Salad"].map((text, n) => ({ id: `o${n}`, text })),
  own_votes: [{ id: "v", option_id: "o0", poll_id: "p" }],
  allow_answers: true,
  created_by: user,
  created_by_id: "mira",
  vote_counts_by_option: {},
  latest_votes_by_option: {},
};
const channel = {
  cid: "messaging:ops",
  type: "messaging",
  id: "ops",
  config: { commands: [], name: "messaging" },
  own_capabilities: [...CAPABILITIES],
  created_at: at,
  updated_at: at,
};
const message = {
  id: "ana-7f3c",
  cid: channel.cid,
  text: "hi",
  user,
  poll,
  poll_id: "p",
  type: "regular",
  own_reactions: [{ type: "like" }],
  channel,
};
/** Paths that contain these words answer 404. */
const NOTHING = /fresh|whole|-r2|polls\/0b6c2f4e/;
/** Queries with these filters return no users and no channels. */
const UNUSED = /"role":"cook"|"type":"kitchen"/;
const member = {
  user,
  user_id: "mira",
  channel_role: "channel_member",
  invited: true,
  created_at: at,
  updated_at: at,
};
const state = {
  channel,
  messages: [message],
  members: [member],
  read: [{ user, unread_messages: 1, last_read: at }],
  watchers: [user],
  pinned_messages: [],
  membership: member,
};
const campaign = {
  id: "spring",
  status: "stopped",
  user_ids: ["bo"],
  message_template: { text: "hi" },
  sender_id: "mira",
  stats: { stats_users_sent: 0 },
};
const live = { message_id: "ana-7f3c", created_by_device_id: "phone", channel_cid: channel.cid, end_at: at };
/** One answer with every field that any read looks for. */
const EVERYTHING = {
  ...state,
  channels: [state],
  message,
  user,
  users: [user, ...["ana", "bo", "cy"].map((id) => ({ ...user, id }))],
  poll,
  polls: [poll],
  campaign,
  campaigns: [campaign],
  segment: { id: "testers", type: "user", name: "Testers", size: 1 },
  thread: { parent_message_id: message.id, channel_cid: channel.cid, channel },
  draft: { channel_cid: channel.cid, message: { id: "d", text: "x" }, created_at: at },
  permission: { id: "tidy-own", name: "Tidy", action: "DeleteMessage", custom: true },
  command: { name: "ticket" },
  name: "team",
  grants: { channel_member: ["create-message"] },
  blocklist: { name: "sweet", words: [] },
  channel_types: { messaging: { grants: {}, commands: [] } },
  app: { name: "x" },
  active_live_locations: [live],
  flag_reports: [{ id: "r", message, message_user_id: "ana" }],
  import_task: { id: "i", state: "completed" },
  status: "completed",
  ...Object.fromEntries(
    `votes segments targets threads drafts roles permissions commands blocklists items
     results replies reactions bans flags mutes blocks import_tasks message_history reports templates`
      .split(/\s+/)
      .map((key) => [key, []]),
  ),
  push_providers: [{ type: "firebase", name: "main", created_at: at, updated_at: at }],
  reminders: [{ message_id: message.id, channel_cid: channel.cid, remind_at: null, created_at: at }],
  devices: [{ id: "9f2c41d0", push_provider: "firebase", created_at: at }],
  roles: ["cook", "moderator", "channel_moderator", "channel_member"].map((name) => ({
    name,
    custom: name === "cook",
    scopes: [],
  })),
  permissions: ["create-message", "use-frozen-channel"].map((id) => ({
    id,
    name: id,
    action: "DeleteMessage",
  })),
};

let folder: string;
/** Numbers the state folders: no run sees the state of another. */
let runs = 0;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-writes-"));
  writeFileSync(path.join(folder, "settings.json"), "{}");
  writeFileSync(path.join(folder, "people.jsonl"), `{"type":"user","data":{"id":"ana","role":"user"}}\n`);
  writeFileSync(path.join(folder, "nothing.jsonl"), "");
  writeFileSync(path.join(folder, "ids.txt"), "mira\n");
  writeFileSync(path.join(folder, "app.yaml"), "roles: [waiter]\n");
  writeFileSync(
    path.join(folder, "whole.yaml"),
    "id: whole\nsender_id: mira\nmessage_template: {text: hi}\nuser_ids: [mira]\n",
  );
  writeFileSync(
    path.join(folder, "spring.yaml"),
    "name: Spring\nsender_id: mira\nmessage_template: {text: hi}\n",
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const typedFor = (name: string): string =>
  (LINES[name] ?? commands[name]!.examples![0]!).replaceAll("FOLDER", folder);

async function parse(line: string): Promise<{ name: string; raw: RawArgs }> {
  let found: { name: string; raw: RawArgs } | undefined;
  const program = buildProgram(
    tree,
    "0",
    async (name, raw, words) => {
      assignPositionals(commands[name]!.args, words, raw);
      found = { name, raw };
    },
    async () => {},
  );
  await program.parseAsync(
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map((part) => part[1] ?? part[2]!),
    { from: "user" },
  );
  return found!;
}

interface Ended {
  /** Write operations that reached the provider. */
  sent: string[];
  /** How often a write asked for permission first. */
  asked: number;
  /** The requests that a dry run planned. */
  plan: Plan["plan"] | undefined;
  error: unknown;
}

/** Runs one command line. */
async function play(line: string, how: { dry: boolean }): Promise<Ended> {
  const { name, raw } = await parse(line);
  const command = commands[name]!;
  const ended: Ended = { sent: [], asked: 0, plan: undefined, error: undefined };
  const seen = new Set<string>();
  const request = async ({
    method,
    url,
    body,
  }: HttpRequest): Promise<{ status: number; headers: {}; text: string }> => {
    const { pathname } = new URL(url);
    const row = endpoints[findOperation([method, pathname])!.name];
    // Without data, the query of a channel that is known to exist is only a read.
    const looked = seen.has(pathname.replace(/\/query$/, ""));
    const cid = /"cid":"([^:"]+):([^"]+)"/.exec(String(body));
    if (pathname === "/channels" && cid) seen.add(`/channels/${cid[1]}/${cid[2]}`);
    if (!row.safe && !(row.op === "GetOrCreateChannel" && looked && !String(body).includes('"data"')))
      ended.sent.push(row.op);
    if (NOTHING.test(pathname)) return { status: 404, headers: {}, text: `{"code":16,"message":"no"}` };
    const reply = UNUSED.test(decodeURIComponent(url) + String(body))
      ? { ...EVERYTHING, users: [], channels: [] }
      : pathname.includes("gone")
        ? { ...EVERYTHING, message: { ...message, type: "deleted" } }
        : pathname.includes("waiting")
          ? { ...EVERYTHING, campaign: { ...campaign, status: "scheduled" } }
          : EVERYTHING;
    return { status: 200, headers: {}, text: JSON.stringify(reply) };
  };
  const secret = "s".repeat(32);
  const { signal } = new AbortController();
  const core = coreOn(
    "http://provider",
    {
      secret,
      sendWait: { waitMs: 50, withdraw: true },
      calls: { timeout: 1000, retries: 0, signal },
    },
    { request, unchecked: true },
  );
  if (command.needs !== "secret") core.setUser({ id: "mira" }, signToken({ user_id: "mira" }, secret));
  const opened = { core, maybeSent: () => false, giveUp: () => Promise.resolve() } as unknown as Opened;
  guard(core, {
    isDryRun: () => how.dry,
    settle: settleSend({ signal, flags: {}, err: process.stderr } as never, opened, {}),
    beforeWrite() {
      ended.asked++;
      return Promise.reject(new ExitError(2, "Cannot prompt: not a terminal."));
    },
  });
  const call: Call<Args> = {
    args: fillArgs(command.args, raw, {
      channelType: "messaging",
      now: 0,
      currentChannel: channel.cid,
    }) as never,
    core,
    currentChannel: channel.cid,
    channelType: "messaging",
    page: { limit: 30 },
    signal,
    progress: () => {},
    dry: how.dry,
    now: () => 0,
    random: () => "0b6c2f4e-0000-4000-8000-000000000000",
    machine: {
      profile: "local",
      folder: path.join(folder, `kept-${++runs}`),
      version: "0",
      terminal: false,
      onEmptyProvider: () => Promise.reject(new Error("no provider is started here")),
      announceLongRun: () => {},
      sleep: async () => {},
      identity: () =>
        Promise.resolve({ operation: "test", target: {}, address: "embedded", key: "key", user: "mira" }),
      about: async () => ({ app: "k3y@local", profile: "p", user: "u", provider: "http://127.0.0.1:1" }),
      dataFolders: async () => ({ state: "none", cache: "none" }),
      forgetUser: async () => {},
      requireAnswer: () => {},
      ask: async () => {},
      askScreens: async () => false,
      live: async () => ({ stopped: new Promise(() => {}) }),
    },
  };
  try {
    const result = command.run(call);
    if (Symbol.asyncIterator in result) for await (const item of result) void item;
    else await result;
  } catch (error) {
    if (error instanceof Plan) ended.plan = error.plan;
    else ended.error = error;
  } finally {
    await core.close();
  }
  return ended;
}

const names = Object.keys(commands);
const writes = names.filter((name) => commands[name]!.changes === "provider");
const others = names.filter((name) => commands[name]!.changes !== "provider");

test("there are more than 90 writes and more than 60 other commands", () => {
  expect(writes.length).toBeGreaterThan(90);
  expect(others.length).toBeGreaterThan(60);
});

describe("a dry run", () => {
  test.each(writes)("of `%s` ends with the planned request and sends nothing", async (name) => {
    const { sent, plan, error, asked } = await play(typedFor(name), { dry: true });
    expect({ sent, error, asked }).toEqual({ sent: [], error: undefined, asked: 0 });
    expect(plan).toMatchObject({ operation: expect.any(String), path: expect.stringMatching(/^\//) });
    const row = Object.values(endpoints).find(({ op }) => op === plan!.operation)!;
    expect(row.safe).toBe(false);
  });

  test.each(others)("of `%s`, which is not a write, plans and sends nothing", async (name) => {
    const { sent, plan } = await play(typedFor(name), { dry: true });
    expect({ sent, plan }).toEqual({ sent: [], plan: undefined });
  });

  test("of message action on a preview plans the button, although no read shows it", async () => {
    const { plan, error } = await play("message action fresh-preview send", { dry: true });
    expect({ plan, error }).toMatchObject({
      plan: { operation: "RunMessageAction", body: { form_data: { image_action: "send" } } },
      error: undefined,
    });
  });

  test("of a write to something that does not exist fails like the real run", async () => {
    const { plan, error } = await play("message delete fresh-one", { dry: true });
    expect({ plan, error }).toMatchObject({ plan: undefined, error: { code: 16 } });
  });

  test("is allowed only for the listed shell commands", () => {
    const dry = tree.shell.paths.filter((name) => tree.shell.row(name).allowsDryRun);
    const harmless = `__complete|alias list|api|audit list|audit verify|completion|config explain|config get|config list|config path|describe|doctor|event listen|extension list|help|history
local clock show|local coverage|local fault list|local logs|local snapshot list|local status|mcp|notify|profile diff|profile list|profile show
profile test|screen list|send|tail|token check|token decode|user token|webhook verify|whoami`;
    expect(dry.toSorted()).toEqual(harmless.split(/[|\n]/));
  });
});

test("a path without parameters is not taken for another operation with an id", () => {
  for (const [name, row] of Object.entries(endpoints))
    if (!row.path.includes("{")) expect(findOperation([row.method, row.path])?.name).toBe(name);
});

describe("a protected profile", () => {
  test("does not ask if the target does not exist", async () => {
    const { sent, asked, error } = await play("message pin fresh-one", { dry: false });
    expect({ sent, asked, error }).toMatchObject({ sent: [], asked: 0, error: { code: 16 } });
  });

  test.each(writes)("asks once before `%s`, and sends nothing without a yes", async (name) => {
    const { sent, asked, error } = await play(typedFor(name), { dry: false });
    expect({ sent, asked }).toEqual({ sent: [], asked: 1 });
    expect(error).toMatchObject({ exit: 2 });
  });

  test.each(others)("does not ask before `%s`, which is not a write", async (name) => {
    const { sent, asked } = await play(typedFor(name), { dry: false });
    expect({ sent, asked }).toEqual({ sent: [], asked: 0 });
  });
});
