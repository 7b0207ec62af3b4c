/** Every list of the client behind a provider that pages in odd manners: it is whole and without doubles, or ends with a sentence. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../../src/core/core.ts";
import { SAME_PAGE } from "../../src/model/page-walk.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { parseObject } from "../../src/wire/json-object.ts";
import { signToken } from "../../src/wire/token.ts";
import { jsonReply } from "../support/fake-ports.ts";
import { helloFrame, startFakeProvider, type FakeProvider } from "../support/fake-provider.ts";
import { Home } from "../support/home.ts";
import * as here from "../support/shell-here.ts";
import { miraToken, virtualCore } from "../support/virtual-core.ts";
import { sample } from "../support/wrong-values.ts";
import { MANNERS, servePage, type Asked, type Manner, type Paging } from "./page-server.ts";

type Json = Record<string, unknown>;

interface Listed {
  endpoint: EndpointName;
  /** Where the answer has the items. */
  list: string;
  paging: Paging;
  /** What makes an item the one of this name. */
  named(name: string, n: number): Json;
}

const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const byId = (id: string, n: number): Json => ({ id, created_at: timeOf(n) });
const user = (id: string): Json => ({ id, name: id, role: "user" });
const message = (id: string, n: number): Json => ({
  ...sampleOf("getReplies", "messages"),
  ...byId(id, n),
  cid: "messaging:tea",
  type: "regular",
  user: user("ana"),
  updated_at: timeOf(n),
  reply_count: 0,
  deleted_reply_count: 0,
  reaction_counts: {},
  reaction_groups: {},
  latest_reactions: [],
});

function sampleOf(endpoint: EndpointName, list: string): Json {
  const field = (endpoints[endpoint] as EndpointRow).answer!()[list]!;
  return JSON.parse(JSON.stringify(sample(field.item!, 1, true))) as Json;
}

const CHANNELS: Listed = {
  endpoint: "queryChannels",
  list: "channels",
  paging: "offset",
  named: (id, n) => ({
    channel: {
      ...(sampleOf("queryChannels", "channels").channel as Json),
      ...byId(id, 1000 - n),
      cid: `messaging:${id}`,
      type: "messaging",
      last_message_at: timeOf(1000 - n),
    },
    messages: [],
    members: [],
  }),
};
const members = (paging: Paging): Listed => ({
  endpoint: "queryMembers",
  list: "members",
  paging,
  named: (id, n) => ({ user_id: id, user: user(id), created_at: timeOf(n) }),
});
const users = (paging: Paging): Listed => ({
  endpoint: "queryUsers",
  list: "users",
  paging,
  named: (id, n) => ({ ...user(id), created_at: timeOf(1000 - n) }),
});
const messages: Listed = { endpoint: "queryChannel", list: "messages", paging: "messages", named: message };
const simple = (endpoint: EndpointName, list: string, named: Listed["named"] = byId): Listed => ({
  endpoint,
  list,
  paging: "next",
  named,
});
const THREADS = simple("queryThreads", "threads", (id) => ({
  parent_message_id: id,
  channel_cid: "messaging:tea",
}));
const REMINDERS = simple("queryReminders", "reminders", (id) => ({
  message_id: id,
  channel_cid: "messaging:tea",
}));
const SEARCH = simple("search", "results", (id, n) => ({ message: message(id, n) }));

/** Lists of the shell; with `ops`, by the app's secret. */
const COMMANDS: Readonly<Record<string, Listed>> = {
  "channel list": CHANNELS,
  "user list": users("after"),
  "user list --sort newest": users("offset"),
  "member list -c messaging:tea": members("after"),
  "member list -c messaging:tea --sort newest": members("offset"),
  "message list -c messaging:tea": messages,
  "message list -c messaging:tea --limit 13": messages,
  "message list -c messaging:tea --pinned": {
    ...simple("getPinnedMessages", "messages", (id, n) => ({
      ...message(id, 1000 - n),
      pinned: true,
      pinned_at: timeOf(1000 - n),
    })),
    paging: "after",
  },
  "message replies m": { ...messages, endpoint: "getReplies" },
  "message reactions m": simple("queryReactions", "reactions", (id) => ({ user_id: id, type: "like" })),
  "thread list": THREADS,
  "reminder list": REMINDERS,
  "draft list": simple("queryDrafts", "drafts", (id) => ({
    channel_cid: `messaging:${id}`,
    message: { id: `d-${id}`, text: "tea" },
  })),
  "poll list": simple("queryPolls", "polls"),
  "poll votes p": simple("queryPollVotes", "votes", (id, n) => ({ ...byId(id, n), poll_id: "p" })),
  "search tea": SEARCH,
  "channel watchers messaging:tea": {
    endpoint: "queryChannel",
    list: "watchers",
    paging: "offset",
    named: user,
  },
  "moderation ban list": {
    ...simple("queryBannedUsers", "bans", (id, n) => ({ user: user(id), created_at: timeOf(1000 - n) })),
    paging: "offset",
  },
  "moderation flags": {
    ...simple("queryMessageFlags", "flags", (id, n) => ({
      message: message(id, n),
      user: user("bo"),
      created_at: timeOf(1000 - n),
    })),
    paging: "offset",
  },
  "moderation future-bans": {
    ...simple("queryFutureChannelBans", "bans", (id) => ({ user: user(id), banned_by: user("bo") })),
    paging: "offset",
  },
  "moderation queue --profile ops": {
    ...simple("queryFlagReports", "flag_reports", (id, n) => ({
      ...byId(id, 1000 - n),
      message: message(`of-${id}`, n),
    })),
    paging: "offset",
  },
  "message history m --profile ops": simple("queryMessageHistory", "message_history", (id, n) => ({
    message_id: "m",
    message_updated_by_id: "bo",
    message_updated_at: timeOf(n),
    text: id,
  })),
  "segment list --profile ops": simple("querySegments", "segments"),
  "segment targets s --profile ops": simple("querySegmentTargets", "targets", (id) => ({ target_id: id })),
  "campaign list --profile ops": simple("queryCampaigns", "campaigns"),
  "import list --profile ops": { ...simple("listImports", "import_tasks"), paging: "offset" },
};

const isOf = ({ endpoint }: Listed, method: string, path: string): boolean => {
  const row = endpoints[endpoint] as EndpointRow;
  const pattern = row.path.replace(/\{[^}]+\}/g, "[^/]+");
  return row.method === method && new RegExp(`^${pattern}$`).test(path);
};

const first = (...values: unknown[]): string | undefined => {
  const found = values.find((value) => value !== undefined && value !== null);
  return found === undefined ? undefined : String(found as string);
};

/** Where a request asks to begin; `list`: the part of a channel that is asked for. */
function askedBy({ list, endpoint }: Listed, query: URLSearchParams, body: string): Asked {
  const whole = {
    ...Object.fromEntries(query),
    ...parseObject(query.get("payload") ?? ""),
    ...parseObject(body),
  };
  const fields = (endpoint === "queryChannel" ? whole[list] : whole) as Json;
  const offset = first(fields.offset);
  return {
    limit: Number(fields.limit),
    offset: offset === undefined ? undefined : Number(offset),
    next: first(fields.next),
    after: first(
      fields.id_gt,
      fields.user_id_gt,
      endpoint === "getPinnedMessages" ? fields.id_lt : undefined,
    ),
    before: first(fields.id_lt),
    since: fields.created_at_after_or_equal !== undefined,
  };
}

function answerOf(listed: Listed, manner: Manner, all: readonly string[], asked: Asked): Json {
  const { names, next } = servePage(all, manner, listed.paging, asked);
  const items = names.map((name) => ({
    ...sampleOf(listed.endpoint, listed.list),
    ...listed.named(name, all.indexOf(name)),
  }));
  const rest = listed.endpoint === "queryChannel" ? CHANNELS.named("tea", 0) : {};
  return { ...rest, [listed.list]: items, ...(next !== undefined && { next }), duration: "" };
}

const fits = ([, { only }]: [string, Manner], { paging }: Listed): boolean => only?.includes(paging) ?? true;
/** Three pages of four, the last one full. */
const NAMES = Array.from({ length: 12 }, (_, n) => `n${String(n).padStart(2, "0")}`);
const MOST_CALLS = 60;

describe("in the shell", () => {
  let home: Home;
  let fake: FakeProvider;
  beforeAll(async () => {
    home = new Home({ here });
    fake = await startFakeProvider();
    const token = signToken({ user_id: "ana" }, "s");
    const profile = `--url ${fake.url} --key k3y --no-test`;
    for (const line of [
      `printf %s s | parley login ops ${profile} --kind secret --secret-stdin`,
      `printf %s '${token}' | parley login fake ${profile} --with-token`,
    ])
      expect(await home.sh(line)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await fake.close();
    await home.end();
  });

  function answerWith(listed: Listed, manner: Manner): void {
    const one = { channels: [CHANNELS.named("tea", 0)], duration: "" };
    fake.on = new Proxy(
      {},
      {
        get:
          (_, call: string) =>
          ({ query, body }: { query: URLSearchParams; body: string }) => {
            const [method, path] = call.split(" ") as [string, string];
            if (isOf(listed, method, path))
              return { body: answerOf(listed, manner, NAMES, askedBy(listed, query, body)) };
            if (call === "POST /channels") return { body: one };
            const poll = { id: "p", name: "Which?", options: [], created_at: timeOf(0) };
            return { body: { message: message("m", 0), poll, ...one } };
          },
      },
    );
  }

  const cases = Object.entries(COMMANDS).flatMap(([line, listed]) =>
    Object.entries(MANNERS)
      .filter((manner) => fits(manner, listed))
      .map(([how, manner]) => ({ line, how, listed, manner })),
  );

  test.each(cases)("$line, with $how", async ({ line, listed, manner }) => {
    answerWith(listed, manner);
    const before = fake.seen.length;
    const all = line.includes("--limit") ? "" : "--all";
    const { out, err, code } = await home.sh(`parley ${line} ${all} --page-size 4 --ndjson --retries 0`);
    const shown = out
      .trim()
      .split("\n")
      .map((row) => /\bn\d\d\b/.exec(row)?.[0]);
    expect(fake.seen.length - before).toBeLessThan(MOST_CALLS);
    expect(new Set(shown).size).toBe(shown.length);
    if (manner.stuck)
      return expect([code, err]).toEqual([expect.any(Number), expect.stringContaining(SAME_PAGE)]);
    expect([code, err, shown.toSorted()]).toEqual([0, "", NAMES]);
  });
});

describe("in an archive", () => {
  let home: Home;
  let fake: FakeProvider;
  beforeAll(async () => {
    home = new Home({ here });
    fake = await startFakeProvider();
    const token = signToken({ user_id: "ana" }, "s");
    const login = `parley login fake --url ${fake.url} --key k3y --no-test --with-token`;
    expect(await home.sh(`printf %s '${token}' | ${login}`)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await fake.close();
    await home.end();
  });

  /** Two full pages of messages. */
  const many = Array.from({ length: 600 }, (_, n) => `n${String(n).padStart(3, "0")}`);
  const cases = Object.entries(MANNERS).filter((manner) => fits(manner, messages));

  test.each(cases)("messages are kept once each, with %s", async (how, manner) => {
    const tea = { ...CHANNELS.named("tea", 0), read: [], duration: "" };
    const people = many.slice(0, 3).map((id) => ({ user_id: id, user: user(id) }));
    fake.on = {
      "POST /channels": ({ body }) => ({
        body: { channels: body.includes('"hidden":true') ? [] : [tea], duration: "" },
      }),
      "POST /channels/messaging/tea/query": ({ query, body }) => ({
        body: answerOf(messages, manner, many, askedBy(messages, query, body)),
      }),
      "GET /members": () => ({ body: { members: people, duration: "" } }),
    };
    const name = `kept-${how.replaceAll(" ", "-")}`;
    const { out, code } = await home.sh(`parley archive create ${name} --json=messages,gaps messaging:tea`);
    expect([code, JSON.parse(out)]).toEqual([0, { messages: many.length, gaps: 0 }]);
  });
});

interface OwnList extends Listed {
  /** Loads the whole list; what it shows, and why it ended before its end. */
  load(core: Core): Promise<{ shown: readonly unknown[]; error?: string | undefined }>;
}

const OWN: Readonly<Record<string, OwnList>> = {
  threads: {
    ...THREADS,
    async load({ threads }) {
      await threads.load();
      while (await threads.more());
      const { threads: list, error } = threads.state();
      return { shown: list.map(({ parent_message_id }) => parent_message_id), error };
    },
  },
  reminders: {
    ...REMINDERS,
    async load({ reminders }) {
      await reminders.load();
      while (await reminders.more());
      const { items, error } = reminders.state();
      return { shown: items.map(({ message_id }) => message_id), error };
    },
  },
  members: {
    ...members("after"),
    async load(core) {
      const list = core.members("messaging:tea", { limit: 10 });
      await list.load();
      while (await list.more());
      return { shown: list.state().items.map(({ user_id }) => user_id), error: list.state().error };
    },
  },
  "members in another order": {
    ...members("offset"),
    async load(core) {
      const sort = [{ field: "created_at", direction: 1 as const }];
      const list = core.members("messaging:tea", { limit: 10, sort });
      await list.load();
      while (await list.more());
      return { shown: list.state().items.map(({ user_id }) => user_id), error: list.state().error };
    },
  },
  search: {
    ...SEARCH,
    async load(core) {
      const source = core.search({ filter_conditions: { members: { $in: ["mira"] } } });
      source.type("tea");
      const answered = (): Promise<void> =>
        new Promise((done) => {
          const look = (): void => void (source.state().loading || done());
          source.subscribe(look);
        });
      await answered();
      while (source.more()) await answered();
      return { shown: source.state().results.map(({ id }) => id), error: source.state().error };
    },
  },
};

describe("of core", () => {
  const many = Array.from({ length: 120 }, (_, n) => `n${String(n).padStart(3, "0")}`);
  const cases = Object.entries(OWN).flatMap(([name, own]) =>
    Object.entries(MANNERS)
      .filter((manner) => fits(manner, own))
      .map(([how, manner]) => ({ name, how, own, manner })),
  );

  test.each(cases)("$name, with $how", async ({ own, manner }) => {
    let calls = 0;
    const { method, path } = endpoints[own.endpoint] as EndpointRow;
    const at = virtualCore(
      {},
      { unchecked: undefined as never },
      {
        [`${method} ${path}`]: ({ url, body }) => {
          calls += 1;
          const asked = askedBy(own, url.searchParams, JSON.stringify(body));
          return jsonReply(answerOf(own, manner, many, asked));
        },
      },
    );
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    at.sockets.last.frame(helloFrame("mira"));
    await done;
    const loading = own.load(at.core);
    loading.catch(() => undefined);
    for (let n = 0; n < 100; n++) await at.clock.advance(1000);
    const { shown, error } = await loading;
    expect(calls).toBeLessThan(MOST_CALLS);
    expect(new Set(shown).size).toBe(shown.length);
    if (manner.stuck) return expect(error).toBe(SAME_PAGE);
    expect([error, shown.toSorted()]).toEqual([undefined, many]);
  });
});
