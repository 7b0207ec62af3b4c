/** Bugs planted on purpose: each breaks one promise, and the checker of the stories must find every one of them. */
import { describe, expect, test } from "vitest";
import type { CorePorts } from "../../src/core/client.ts";
import type { Core } from "../../src/core/core.ts";
import type { HttpRequest } from "../../src/core/base/ports.ts";
import type { ChannelEntry, ClientMessage, MessageSet, State } from "../../src/model/state.ts";
import { timelineOf } from "../support/timeline.ts";
import type { Store } from "../../src/core/store/store.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import { spread } from "../support/proof.ts";
import { playSeed, type Plant } from "./world.ts";

interface Bug {
  /** The failure that the checker must report. */
  sees: RegExp;
  plant: Plant;
}

/** Changes frames received over a WebSocket; an empty list drops the frame. */
function frames(change: (event: AnyEvent) => AnyEvent[]): Plant {
  return {
    ports: (ports: CorePorts): CorePorts => ({
      ...ports,
      socket: (url, handlers) =>
        ports.socket(url, {
          ...handlers,
          message(text) {
            for (const event of change(JSON.parse(text) as AnyEvent)) handlers.message(JSON.stringify(event));
          },
        }),
    }),
  };
}

/** Changes requests before they are sent. */
function requests(change: (request: HttpRequest) => HttpRequest): Plant {
  return { ports: (ports) => ({ ...ports, request: (request) => ports.request(change(request)) }) };
}

/** Changes the provider's responses. */
function answers(change: (request: HttpRequest, text: string) => string): Plant {
  return {
    ports: (ports) => ({
      ...ports,
      request: async (request) => {
        const reply = await ports.request(request);
        return reply.status < 300 ? { ...reply, text: change(request, reply.text) } : reply;
      },
    }),
  };
}

function store(change: (held: Store) => Partial<Store>): Plant {
  return {
    ports: (ports) => {
      const changed = change(ports.store);
      return {
        ...ports,
        store: new Proxy(ports.store, {
          get: (target, key) => changed[key as keyof Store] ?? target[key as keyof Store],
        }),
      };
    },
  };
}

/** Shows a state that differs from core's, as a broken reducer would. */
function reducer(change: (entry: ChannelEntry) => ChannelEntry): Plant {
  return {
    core: (core: Core) =>
      new Proxy(core, {
        get(target, key) {
          if (key !== "state") return target[key as keyof Core];
          return (): State => {
            const state = target.state();
            const channels = new Map([...state.channels].map(([cid, entry]) => [cid, change(entry)]));
            return { ...state, channels };
          };
        },
      }),
  };
}

const latest = (
  entry: ChannelEntry,
  change: (messages: ClientMessage[], set: MessageSet) => MessageSet,
): ChannelEntry => ({
  ...entry,
  sets: entry.sets.map((set) => (set.isLatest ? change([...set.messages], set) : set)),
});

const isSend = ({ method, url }: HttpRequest): boolean => method === "POST" && /\/message\?/.test(url);
let tries = 0;

const BUGS: Record<string, Bug> = {
  "every retry uses a new id": {
    sees: /twice|nobody sent|no end|lost/,
    plant: requests((request) => {
      if (!isSend(request)) return request;
      const body = JSON.parse(request.body as string) as { message: { id: string } };
      body.message.id = `${body.message.id.slice(0, -6)}${String(100_000 + ++tries).slice(-6)}`;
      return { ...request, body: JSON.stringify(body) };
    }),
  },
  "outbox rows being sent are lost at a crash": {
    sees: /lost|no end/,
    plant: store((held) => ({
      outbox: () => held.outbox().filter((row) => row.state !== "sending" && row.state !== "unknown"),
    })),
  },
  "outbox rows are stored in memory only": {
    sees: /lost/,
    plant: store((held) => ({ outbox: () => (held.outbox(), []) })),
  },
  "live messages are dropped while the connection is open": {
    sees: /silent gap|newer messages are missing|unread/,
    plant: frames((event) => (event.type === "message.new" && event.user?.id !== "ada" ? [] : [event])),
  },
  "edits are not applied": {
    sees: /has text .*\(D7\)/,
    plant: frames((event) => (event.type === "message.updated" ? [] : [event])),
  },
  "deletions are not applied": {
    sees: /has type|deleted|silent gap|unread/,
    plant: frames((event) => (event.type === "message.deleted" ? [] : [event])),
  },
  "reactions are not applied": {
    sees: /has reactions/,
    plant: frames((event) => (event.type.startsWith("reaction.") ? [] : [event])),
  },
  "the user's own reactions are taken from events of others": {
    sees: /has own/,
    plant: reducer((entry) =>
      latest(entry, (messages, set) => ({
        ...set,
        messages: timelineOf(
          messages.map((each) => ({ ...each, own_reactions: each.latest_reactions ?? [] })),
        ),
      })),
    ),
  },
  "a message is shown twice": {
    sees: /stood twice|stands twice/,
    plant: reducer((entry) => ({
      ...entry,
      sets: entry.sets.flatMap((set) =>
        set.messages.length > 3 ? [set, { ...set, isLatest: false, isCurrent: false }] : [set],
      ),
    })),
  },
  "message sets are merged without an overlap": {
    sees: /silent gap|older messages are missing/,
    plant: reducer((entry) =>
      latest(entry, (messages, set) => ({
        ...set,
        messages: timelineOf(messages.filter((_, i) => i !== messages.length - 3)),
      })),
    ),
  },
  "the gap before a page is not shown": {
    sees: /without a gap row/,
    plant: reducer((entry) =>
      latest(entry, (messages, set) => ({
        ...set,
        messages: timelineOf(messages.slice(-3)),
        hasPrev: false,
      })),
    ),
  },
  "the order of messages is reversed": {
    sees: /another order/,
    plant: reducer((entry) =>
      latest(entry, (messages, set) => ({
        ...set,
        messages: timelineOf(
          messages.map((each, i) => ({ ...each, created_at: messages[messages.length - 1 - i]!.created_at })),
        ),
      })),
    ),
  },
  "a repeated read event moves the read position back": {
    sees: /read cursor .* back|has read up to/,
    plant: answers((request, text) =>
      request.url.includes("/channels?")
        ? text.replaceAll(/"last_read":"[^"]*"/g, '"last_read":"2026-01-01T00:00:00.000000Z"')
        : text,
    ),
  },
  "the unread count counts every message that arrives": {
    sees: /unread \d+, the provider says/,
    plant: reducer((entry) => ({ ...entry, unread: entry.unread + entry.sets.length })),
  },
  "a token is logged": {
    sees: /log line holds a secret/,
    plant: {
      ports: (ports) => ({
        ...ports,
        request: (request) => {
          ports.log.debug("request", { headers: request.headers });
          return ports.request(request);
        },
      }),
    },
  },
  "drafts are stored only at a normal exit": {
    sees: /\(D10\)/,
    plant: store(() => ({ saveDraft: () => undefined })),
  },
  "the reply count of a thread's first message is not updated": {
    sees: /has replies/,
    plant: reducer((entry) =>
      latest(entry, (messages, set) => ({
        ...set,
        messages: timelineOf(messages.map((each) => ({ ...each, reply_count: 0 }))),
      })),
    ),
  },
  "an unknown outcome of a send is never looked up": {
    sees: /no end|lost/,
    plant: {
      ports: (ports) => ({
        ...ports,
        request: (request) =>
          request.method === "GET" && /\/messages\/[^/?]+\?/.test(request.url)
            ? new Promise(() => undefined)
            : ports.request(request),
      }),
    },
  },
};

/** Maximum number of stories played until the bug shows itself. */
const STORIES = 25;

describe("planted bugs", () => {
  test.each(spread(Object.entries(BUGS), 3))("the checker sees that %s", async (_name, { sees, plant }) => {
    let seen: string | undefined;
    for (let seed = 1; seed <= STORIES && seen === undefined; seed++)
      seen = (await playSeed(seed, plant)).broken.find((sentence) => sees.test(sentence));
    expect(seen).toMatch(sees);
  });
});
