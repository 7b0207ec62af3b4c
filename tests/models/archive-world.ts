/** The world of the archive model: the real provider without a socket, the real archive commands, and what the provider holds now. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { commands } from "../support/commands.ts";
import { fillArgs } from "../../src/commands/base/args.ts";
import type { Args, Call } from "../../src/commands/base/define-command.ts";
import type { Core } from "../../src/core/core.ts";
import type { HttpReply, HttpRequest } from "../../src/core/base/ports.ts";
import type { ChannelState } from "../../src/wire/entities/channel.ts";
import type { Message, Reaction } from "../../src/wire/entities/message.ts";
import type { PollVote } from "../../src/wire/entities/poll.ts";
import { SIM_KEY, SIM_SECRET, SimProvider } from "../sim/provider.ts";
import { coreOn } from "../support/core-on.ts";
import { dice } from "../support/seeded.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** In memory where the system has such a folder: an archive waits for the disk at every commit. */
const WORK = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** The person whose archives these are. */
export const ARCHIVER = "ana";
const PEOPLE = ["ana", "bo", "cy"] as const;
/** `quiet` has no search. */
export const CIDS = ["messaging:one", "messaging:two", "quiet:three"] as const;

/** A message as an export has it, and whether the provider still has it. */
export interface Copy {
  json: string;
  cid: string;
  at: number;
  parent?: string;
  shown: boolean;
  gone: boolean;
}
export interface Holdings {
  messages: Map<string, Copy>;
  /** Cid → members; of an archive, those of its last run. */
  members: Map<string, string>;
}

interface ChannelJson {
  channel: { cid: string };
  members: { user_id: string }[];
  messages: (Message & { gone_at?: string; reactions: Reaction[]; votes?: PollVote[] })[];
}

const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1);

/** Text that is equal for equal content: without what only the reader sees, and with lists in one order. */
function copyOf(message: ChannelJson["messages"][number]): Copy {
  const {
    own_reactions: _own,
    latest_reactions: _latest,
    draft: _draft,
    reminder: _reminder,
    ...rest
  } = message;
  const { gone_at: gone, reactions, votes = [], ...fields } = rest;
  if (fields.poll) delete (fields.poll as { own_votes?: unknown }).own_votes;
  const sorted = {
    ...fields,
    reactions: reactions
      .map((one) => ({ key: `${one.type} ${one.user_id}`, score: one.score }))
      .toSorted(byKey),
    votes: votes.map((one) => ({ key: one.id, option: one.option_id })).toSorted(byKey),
  };
  return {
    json: JSON.stringify(sorted),
    cid: message.cid,
    at: Date.parse(message.created_at),
    ...(message.parent_id === undefined ? {} : { parent: message.parent_id }),
    shown: message.show_in_channel === true,
    gone: gone !== undefined,
  };
}

const membersText = (members: readonly { user_id: string }[]): string =>
  members
    .map((one) => one.user_id)
    .toSorted()
    .join(" ");

const pathOf = (cid: string): { type: string; id: string } => {
  const [type = "", id = ""] = cid.split(":");
  return { type, id };
};

/** Changes requests and answers of the archive commands, or stops them. */
export interface Wire {
  answer?(request: HttpRequest, text: string): string;
  /** Called with the number of each request, before it is made. */
  before?(n: number): Promise<void> | void;
}

export class ArchiveWorld {
  readonly clock = new VirtualClock();
  readonly provider: SimProvider;
  readonly folder = mkdtempSync(path.join(WORK, "parley-model-"));
  readonly server: Core;
  readonly reader: Core;
  readonly #archiving: Core;
  #wire: Wire = {};
  #requests = 0;
  /** Whether the last command was killed. */
  wasKilled = false;

  constructor(seed: number) {
    this.provider = new SimProvider(this.clock, dice(seed).fork("provider"));
    this.server = this.#core((request) => this.provider.handle(request));
    this.reader = this.#core((request) => this.provider.handle(request));
    this.reader.setUser({ id: ARCHIVER }, this.provider.token(ARCHIVER));
    this.#archiving = this.#core((request) => this.#archiveRequest(request));
    this.#archiving.setUser({ id: ARCHIVER }, this.provider.token(ARCHIVER));
  }

  #core(request: (request: HttpRequest) => Promise<HttpReply>): Core {
    return coreOn(
      "http://sim:1",
      { apiKey: SIM_KEY, secret: SIM_SECRET },
      { request, unchecked: true, clock: this.clock },
    );
  }

  async #archiveRequest(request: HttpRequest): Promise<HttpReply> {
    // Each request takes a moment, so that times differ.
    this.clock.sleep(7);
    await this.#wire.before?.(++this.#requests);
    const reply = await this.provider.handle(request);
    return this.#wire.answer && reply.status < 300
      ? { ...reply, text: this.#wire.answer(request, reply.text) }
      : reply;
  }

  async begin(): Promise<void> {
    await this.server.call("upsertUsers", {
      body: { users: Object.fromEntries(PEOPLE.map((id) => [id, { id, role: "user" }])) },
    });
    await this.server.call("createChannelType", { body: { name: "quiet", search: false, polls: true } });
    for (const cid of CIDS)
      await this.server.call("queryChannel", {
        path: pathOf(cid),
        body: { data: { created_by_id: "bo", members: [...PEOPLE] } },
      });
  }

  /** Runs a command; returns what it yields or returns. `stopAt`: the request at which it is killed. */
  async run(
    line: string,
    words: Record<string, unknown>,
    wire: Wire = {},
    stopAt = Infinity,
  ): Promise<unknown[]> {
    const command = commands[line]!;
    const killed = new AbortController();
    this.#requests = 0;
    this.wasKilled = false;
    this.#wire = {
      ...wire,
      before: async (n) => {
        await wire.before?.(n);
        if (n >= stopAt) killed.abort();
        this.wasKilled = killed.signal.aborted;
        killed.signal.throwIfAborted();
      },
    };
    const written: string[] = [];
    const args = fillArgs(command.args, words as never, { channelType: "messaging", now: this.clock.now() });
    const call = {
      args,
      core: this.#archiving,
      channelType: "messaging",
      page: { limit: Infinity },
      signal: killed.signal,
      progress: () => {},
      dry: false,
      now: () => this.clock.now(),
      random: () => "0b6c2f4e-0000-4000-8000-000000000000",
      output: async (bytes: Uint8Array) => void written.push(Buffer.from(bytes).toString()),
      machine: {
        profile: "p",
        folder: path.join(this.folder, "machine"),
        version: "0",
        terminal: false,
        announceLongRun: () => {},
        identity: async () => ({
          operation: line,
          target: {},
          address: "http://sim:1",
          key: "k",
          user: ARCHIVER,
        }),
        about: async () => ({ app: "k@sim", profile: "p", user: ARCHIVER, provider: "http://sim:1" }),
      },
    } as unknown as Call<Args>;
    const result = command.run(call);
    const items: unknown[] = [];
    if (Symbol.asyncIterator in result) for await (const item of result) items.push(item);
    else {
      const item = await result;
      items.push(item);
      const fault = written.length > 0 ? undefined : command.fault?.(item);
      if (fault) throw fault;
    }
    return written.length > 0 ? [written.join("")] : items;
  }

  archive(name: string): string {
    return path.join(this.folder, name);
  }

  /** What an archive holds, by its export. */
  async held(name: string): Promise<Holdings> {
    const [text] = (await this.run("export", {
      from: this.archive(name),
      format: ["json"],
      threads: "flat",
    })) as string[];
    const holdings: Holdings = { messages: new Map(), members: new Map() };
    for (const { channel, members, messages } of JSON.parse(text!) as ChannelJson[]) {
      holdings.members.set(channel.cid, membersText(members));
      for (const message of messages) holdings.messages.set(message.id, copyOf(message));
    }
    return holdings;
  }

  /** What the provider shows the archiver. */
  async state(): Promise<Holdings> {
    const holdings: Holdings = { messages: new Map(), members: new Map() };
    const filter_conditions = { members: { $in: [ARCHIVER] } };
    const { channels } = await this.reader.call("queryChannels", {
      body: { filter_conditions, state: true, watch: false, message_limit: 300, member_limit: 30, limit: 30 },
    });
    for (const channel of channels) await this.#readState(channel, holdings);
    return holdings;
  }

  async #readState({ channel, messages, members }: ChannelState, into: Holdings): Promise<void> {
    into.members.set(channel.cid, membersText(members));
    for (const message of messages) {
      await this.#add(message, into);
      if (message.reply_count + (message.deleted_reply_count ?? 0) === 0) continue;
      const path = { parent_id: message.id };
      const { messages: replies } = await this.reader.call("getReplies", { path, query: { limit: 300 } });
      for (const reply of replies) await this.#add(reply, into);
    }
  }

  async #add(message: Message, { messages }: Holdings): Promise<void> {
    const poll_id = message.poll?.id;
    const votes =
      poll_id === undefined
        ? []
        : (await this.reader.call("queryPollVotes", { path: { poll_id }, query: {}, body: { filter: {} } }))
            .votes;
    messages.set(message.id, copyOf({ ...message, reactions: message.latest_reactions, votes }));
  }

  async end(): Promise<void> {
    await Promise.all([this.server, this.reader, this.#archiving].map((core) => core.close()));
    this.provider.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
