/** Finds the messages of a campaign's runs at the provider, and whom each was for (specification/campaigns.md §11). */
import { QUERY_CHANNELS_LIMIT, SEARCH_LIMIT } from "../../../wire/constants.ts";
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { Filter } from "../../../wire/entities/query.ts";
import type { User } from "../../../wire/entities/user.ts";
import { makeCid } from "../../../wire/ids.ts";
import { renderChannelId } from "../../../wire/entities/template.ts";
import { listChannels } from "../../base/lists/channels.ts";
import { byCursor } from "../../base/lists/cursor.ts";
import { objectsFor, renderFor } from "../audience/render.ts";
import { inGroups, type AudienceCall } from "../audience/people.ts";
import { isNamedAfter } from "./family.ts";
import { markOf, RECEIVER_MARK, ROOT_MARK } from "./marks.ts";
import { itemName } from "../../../wire/reading.ts";

/** The first message that somebody got of a run. */
export interface Receipt {
  /** The run. */
  campaign: string;
  message: string;
  cid: string;
  /** RFC 3339. */
  at: string;
  text: string;
}

/** A run whose messages are looked for; WH-3: only messages of its sender count, as every member can write a campaign's id into theirs. */
export interface SoughtRun {
  id: string;
  sender: string;
  /** Receivers that the provider has counted; undefined if nobody has. */
  counted?: number;
  /** Its receivers; undefined for anybody. */
  audience?: ReadonlySet<string>;
  /** Its templates, which tell channels and texts. */
  fields?: CampaignInput;
}

interface Scope {
  root: string;
  runs: readonly SoughtRun[];
  /** Everybody who may have received it, with their users. */
  people: ReadonlyMap<string, User | undefined>;
  sender: User | undefined;
}

const ALL = { limit: Infinity };
/** Ids per search request: a search covers at most 500 channels, and people are in several. */
const PEOPLE_PER_SEARCH = 25;
const CHANNELS_PER_SEARCH = 100;
const MEMBERS = 100;

/** The channels with their number of members and the ids of the first ones; those that are not there are left out. */
export async function* membersOf(
  { core }: Pick<AudienceCall, "core">,
  cids: readonly string[],
  member_limit: number,
): AsyncIterable<{ cid: string; ids: string[]; count: number }> {
  for (const part of inGroups(cids, QUERY_CHANNELS_LIMIT[1])) {
    const filter_conditions = { cid: { $in: part } };
    const { channels } = await core.call("queryChannels", {
      body: {
        filter_conditions,
        limit: part.length,
        state: true,
        watch: false,
        message_limit: 1,
        member_limit,
      },
    });
    for (const { channel, members } of channels) {
      const ids = members.map(({ user_id: id }) => id!);
      yield { cid: channel.cid, ids, count: channel.member_count ?? ids.length };
    }
  }
}

export class ReceiptSearch {
  readonly #call: AudienceCall;
  readonly #scope: Scope;
  readonly #runs: ReadonlyMap<string, SoughtRun>;
  readonly #senders: ReadonlySet<string>;
  readonly #byRun = new Map<string, Map<string, Receipt>>();
  readonly #received = new Set<string>();
  /** Ids of all messages of the runs, and of those whose receiver is known. */
  readonly #seen = new Set<string>();
  readonly #assigned = new Set<string>();
  /** Messages without a mark, by channel. */
  readonly #unmarked = new Map<string, Message[]>();
  /** Those of these channels that have new messages. */
  readonly #fresh = new Set<string>();

  constructor(call: AudienceCall, scope: Scope) {
    this.#call = call;
    this.#scope = scope;
    this.#runs = new Map(scope.runs.map((run) => [run.id, run]));
    this.#senders = new Set(scope.runs.map(({ sender }) => sender));
  }

  /** Runs with messages → their receivers. */
  get found(): ReadonlyMap<string, ReadonlyMap<string, Receipt>> {
    return this.#byRun;
  }

  /** How many messages were found of which it cannot be told whom they were for. */
  get unassigned(): number {
    return this.#seen.size - this.#assigned.size;
  }

  /** Whether as many receivers were found as the provider has counted. */
  get #isComplete(): boolean {
    return this.#scope.runs.every(
      ({ id, counted = Infinity }) => (this.#byRun.get(id)?.size ?? 0) >= counted,
    );
  }

  /** Looks in the likeliest channels first, and in others only while receivers are missing. */
  async searchAll(): Promise<void> {
    await this.searchShared();
    const { runs } = this.#scope;
    // Senders need not be members, and receivers may have left the channel.
    await this.#byPeople((group) => ({ members: { $in: group } }));
    for (const sender of this.#senders) if (!this.#isComplete) await this.#inChannelsOf(sender, runs);
  }

  /** Looks in the channels that the templates name, and in those of sender and receiver. */
  async searchShared(): Promise<void> {
    const cids = [...this.#namedChannels().keys()];
    await this.#inGroups(cids, CHANNELS_PER_SEARCH, (group) => ({ cid: { $in: group } }));
    for (const sender of this.#senders)
      await this.#byPeople((group) => ({
        $and: [{ members: { $in: [sender] } }, { members: { $in: group } }],
      }));
  }

  async #byPeople(filterOf: (ids: string[]) => Filter): Promise<void> {
    const people = [...this.#scope.people.keys()].filter((id) => !this.#received.has(id));
    await this.#inGroups(people, PEOPLE_PER_SEARCH, filterOf);
  }

  async #inGroups(ids: readonly string[], size: number, filterOf: (ids: string[]) => Filter): Promise<void> {
    let searched = 0;
    for (const group of inGroups(ids, size)) {
      if (this.#isComplete) return;
      await this.#searchIn(group, filterOf);
      this.#call.progress((searched += group.length), ids.length, "receivers");
    }
  }

  async #searchIn(group: string[], filterOf: (ids: string[]) => Filter): Promise<void> {
    const { core, signal } = this.#call;
    const { root, runs } = this.#scope;
    signal.throwIfAborted();
    let isCut = false;
    const pages = byCursor(ALL, SEARCH_LIMIT[1], itemName("messages"), async (at, once) => {
      const reply = await core.call("search", {
        query: {
          filter_conditions: filterOf(group),
          message_filter_conditions: {
            $or: [{ campaign_id: { $in: runs.map(({ id }) => id) } }, { [ROOT_MARK]: root }],
          },
          ...at,
        },
        ...once,
      });
      isCut ||= reply.results_warning !== undefined;
      return { items: (reply.results ?? []).map(({ message }) => message), next: reply.next };
    });
    for await (const message of pages) this.#take(message);
    await this.#assignUnmarked();
    if (!isCut || group.length === 1) return;
    for (const half of inGroups(group, Math.ceil(group.length / 2))) await this.#searchIn(half, filterOf);
  }

  async #inChannelsOf(sender: string, runs: readonly SoughtRun[]): Promise<void> {
    const starts = runs.map(({ fields }) => (fields as Partial<Campaign>)?.stats?.stats_started_at);
    const since = starts.every((at) => typeof at === "string") ? starts.toSorted()[0] : undefined;
    const filter: Filter = {
      members: { $in: [sender] },
      ...(since === undefined ? {} : { last_message_at: { $gte: since } }),
    };
    const channels = listChannels(ALL, { filter, created: "oldest" }, async (query, once) => {
      const body = { ...query, state: false, watch: false };
      return (await this.#call.core.call("queryChannels", { body, ...once })).channels;
    });
    const cids: string[] = [];
    for await (const { channel } of channels) cids.push(channel.cid);
    await this.#inGroups(cids, CHANNELS_PER_SEARCH, (group) => ({ cid: { $in: group } }));
  }

  /** The run of a message; undefined for messages of others. A deleted follow-up is known by the mark alone. */
  #runOf(message: Message): string | undefined {
    const id = markOf(message, "campaign_id");
    const author = message.user?.id;
    if (id === undefined || author === undefined) return undefined;
    const run = this.#runs.get(id);
    if (run) return run.sender === author ? id : undefined;
    const { root } = this.#scope;
    const continues = markOf(message, ROOT_MARK) === root && isNamedAfter(id, root);
    return continues && this.#senders.has(author) ? id : undefined;
  }

  #take(message: Message): void {
    if (this.#seen.has(message.id) || this.#runOf(message) === undefined) return;
    this.#seen.add(message.id);
    const receiver = markOf(message, RECEIVER_MARK);
    if (receiver !== undefined) return this.#add(receiver, message);
    const others = this.#unmarked.get(message.cid);
    if (others) others.push(message);
    else this.#unmarked.set(message.cid, [message]);
    this.#fresh.add(message.cid);
  }

  #add(receiver: string, message: Message): void {
    const run = this.#runOf(message)!;
    const found = this.#byRun.get(run) ?? new Map<string, Receipt>();
    this.#byRun.set(run, found);
    this.#received.add(receiver);
    this.#assigned.add(message.id);
    const { id, cid, created_at: at, text } = message;
    if (!found.has(receiver)) found.set(receiver, { campaign: run, message: id, cid, at, text });
  }

  /** Channel → the people whose message the templates send there. */
  #namedChannels(): Map<string, Set<string>> {
    const named = new Map<string, Set<string>>();
    const { runs, people, sender } = this.#scope;
    const templates = new Map(
      runs.flatMap(({ fields }) => {
        const template = fields?.channel_template;
        return template?.id === undefined ? [] : [[`${template.type}:${template.id}`, template] as const];
      }),
    );
    for (const { type, id } of templates.values())
      for (const [person, user] of people) {
        const cid = makeCid(
          type,
          renderChannelId(id!, objectsFor(sender, { user: user ?? ({ id: person } as User) })),
        );
        const there = named.get(cid);
        if (there) there.add(person);
        else named.set(cid, new Set([person]));
      }
    return named;
  }

  async #assignUnmarked(): Promise<void> {
    const cids = [...this.#fresh];
    this.#fresh.clear();
    const named = cids.length === 0 ? new Map<string, Set<string>>() : this.#namedChannels();
    for await (const { cid, ids, count } of membersOf(this.#call, cids, MEMBERS))
      this.#assignIn(cid, new Set([...ids, ...(named.get(cid) ?? [])]), count <= ids.length);
  }

  /** Gives the messages of one channel to the people there, by run. */
  #assignIn(cid: string, there: ReadonlySet<string>, knowsAll: boolean): void {
    const { people } = this.#scope;
    for (const [id, messages] of Map.groupBy(this.#unmarked.get(cid) ?? [], (one) => this.#runOf(one)!)) {
      const run = this.#runs.get(id);
      const candidates = [...there].filter(
        (person) => people.has(person) && person !== run?.sender && run?.audience?.has(person) !== false,
      );
      this.#assign(run, messages, candidates, knowsAll);
    }
  }

  /** A message whose text is only one person's is theirs; the rest is everybody's once there are as many messages as people. */
  #assign(
    run: SoughtRun | undefined,
    messages: readonly Message[],
    candidates: readonly string[],
    knowsAll: boolean,
  ): void {
    const open = new Set(candidates);
    const rest: Message[] = [];
    for (const message of messages) {
      const fits =
        open.size > 1 ? [...open].filter((person) => this.#textFor(run, person) === message.text) : [];
      if (fits.length !== 1) rest.push(message);
      else if (open.delete(fits[0]!)) this.#add(fits[0]!, message);
    }
    if (!knowsAll || rest.length < open.size || open.size === 0) return;
    const receivers = [...open];
    for (const [i, message] of rest.entries()) {
      const person = receivers.length === 1 ? receivers[0] : receivers[i];
      if (person !== undefined) this.#add(person, message);
    }
  }

  #textFor(run: SoughtRun | undefined, person: string): string | undefined {
    const user = this.#scope.people.get(person);
    return run?.fields && user && renderFor(run.fields, objectsFor(this.#scope.sender, { user })).text;
  }
}
