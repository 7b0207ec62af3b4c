/** Loads channels and pages of messages into the state: queries, watching, older and newer pages, jumps, threads (R-SET-12…15). */
import type { ChannelState } from "../../wire/entities/channel.ts";
import { MESSAGE_PAGE } from "../../wire/constants.ts";
import type { QueryChannelBody, QueryChannelsBody } from "../../wire/endpoints/index.ts";
import { isRouteAbsent } from "../../wire/errors.ts";
import { mapReceived } from "../../wire/reading.ts";
import { channelTypeProblem } from "../../wire/ids.ts";
import type { Message } from "../../wire/entities/message.ts";
import { FEW_PEOPLE, type MessagePagination } from "../../wire/entities/query.ts";
import { MEMBERS_REQUIRED, partsOf } from "../base/validate-call.ts";
import type { ThreadRef } from "../../model/state.ts";
import { LocalError } from "../../model/errors.ts";
import type { ApiCall } from "../base/api-types.ts";
import type { StateMachine } from "../state/machine.ts";
import type { PageCall } from "../../model/page-size.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { latestSet, loadableSet, setsOf } from "../../model/select.ts";
import { isLocal } from "../../model/message-state.ts";

export interface PageLoading {
  /** Loads the channels of a query; returns their cids in the answer's order. `receivedLength` counts unreadable ones too. */
  queryChannels(query: QueryChannelsBody, page?: PageCall): Promise<string[]>;
  /**
   * Names the list that a start loads: the first recovery reads the cached channels from it, so that no channel is asked for
   * twice (specification/wire.md §9).
   */
  expectList(query: QueryChannelsBody): void;
  /** The offset behind what that recovery has read of the list, Infinity at its end; undefined where it has not. */
  listed(): Promise<number | undefined>;
  /** Gets or creates a channel, watches it, and loads its newest page. */
  watch(cid: string, data?: Record<string, unknown>): Promise<void>;
  /** Like `watch`, but never creates a channel: an unknown one is looked up first. */
  watchExisting(cid: string): Promise<void>;
  /** A channel that the user is no member of is then dropped, also from the cache. */
  stopWatching(cid: string): Promise<void>;
  /** Opens the channel with exactly these members and the current user; returns its cid. */
  openDirect(userIds: string[], type?: string): Promise<string>;
  /** Loads a page before or after the current set; false without a request where R-SET-15 forbids it. */
  loadOlder(place: ThreadRef): Promise<boolean>;
  loadNewer(place: ThreadRef): Promise<boolean>;
  /** R-SET-12: makes the set with the message current; loads a page around it when no set has it. */
  jumpTo(place: ThreadRef, messageId: string): Promise<void>;
  /** Loads the page around a message that no set has; what is shown stays. */
  loadAround(place: ThreadRef, messageId: string): Promise<void>;
  /** R-SET-14. */
  backToLatest(place: ThreadRef): Promise<void>;
  openThread(cid: string, parentId: string): Promise<void>;
}

interface ChannelPages extends Pick<
  PageLoading,
  "queryChannels" | "expectList" | "listed" | "watch" | "watchExisting" | "stopWatching" | "openDirect"
> {
  /** The last query of a first page of the channel list, for recovery. */
  listQuery(): QueryChannelsBody | undefined;
  /** Ends the expectation of a list; undefined where there is none. */
  listing(): ((upTo: number | undefined) => void) | undefined;
  reset(): void;
}

type MessagePages = Omit<PageLoading, keyof ChannelPages>;

export interface Pages extends ChannelPages, MessagePages {}

interface PagesDeps {
  call: ApiCall;
  machine: Pick<StateMachine, "state" | "apply" | "revision">;
  userId(): string | undefined;
}

const RETRIES = 1;

const WATCHING = { state: true, watch: true, presence: true, messages: { limit: MESSAGE_PAGE } } as const;

export function createPages(deps: PagesDeps): Pages {
  return { ...channelPages(deps), ...messagePages(deps) };
}

type ListOfStart = Pick<ChannelPages, "expectList" | "listed" | "listQuery" | "listing" | "reset">;

/** The query of the channel list, and how far the first recovery has read it where a start waits for that. */
function listOfStart(): ListOfStart & { keep(query: QueryChannelsBody): void } {
  let listQuery: QueryChannelsBody | undefined;
  let expected: PromiseWithResolvers<number | undefined> | undefined;
  let isExpected = false;
  const done = (upTo: number | undefined): void => {
    isExpected = false;
    expected?.resolve(upTo);
  };
  return {
    keep(query) {
      listQuery = query;
    },
    expectList(query) {
      listQuery = query;
      expected = Promise.withResolvers();
      isExpected = true;
    },
    async listed() {
      const upTo = await expected?.promise;
      expected = undefined;
      return upTo;
    },
    listQuery: () => listQuery,
    listing: () => (isExpected ? done : undefined),
    reset() {
      listQuery = undefined;
      done(undefined);
    },
  };
}

function channelPages({ call, machine, userId }: PagesDeps): ChannelPages {
  const { keep, ...list } = listOfStart();
  /** Applies a channel requested at revision `since`. */
  const applyChannel = (state: ChannelState, since: number): void =>
    machine.apply({ kind: "channels", states: [state], messageLimit: MESSAGE_PAGE, watched: true, since });
  const watch: PageLoading["watch"] = async (cid, data) => {
    const body: QueryChannelBody = { ...WATCHING, ...(data && { data }) };
    const since = machine.revision();
    applyChannel(await call("queryChannel", { path: partsOf(cid), body, retries: RETRIES }), since);
  };
  return {
    async queryChannels(query, page = {}) {
      const limit = query.message_limit ?? MESSAGE_PAGE;
      const body = { state: true, watch: true, presence: true, message_limit: limit, ...query };
      const isList = body.watch && !body.offset && !("cid" in (query.filter_conditions ?? {}));
      if (isList) keep(query);
      const since = machine.revision();
      const { channels = [] } = await call("queryChannels", { body, retries: RETRIES, ...page });
      machine.apply({ kind: "channels", states: channels, messageLimit: limit, watched: body.watch, since });
      return mapReceived(channels, (state) => state.channel.cid);
    },
    watch,
    async watchExisting(cid) {
      const known = machine.state().channels.get(cid);
      if (!known || known.unavailable) {
        partsOf(cid);
        await lookUpChannel({ call, userId: userId() }, cid, {
          state: false,
          message_limit: 1,
          retries: RETRIES,
        });
      }
      await watch(cid);
    },
    async stopWatching(cid) {
      await call("stopWatching", { path: partsOf(cid), body: {} }).catch((error: unknown) => {
        // Without the route the watch ends with the connection; here the channel is left at once.
        if (!isRouteAbsent(error)) throw error;
      });
      const isMember = machine.state().channels.get(cid)?.membership !== undefined;
      machine.apply(isMember ? { kind: "unwatched", cid } : { kind: "unavailable", cids: [cid] });
    },
    async openDirect(userIds, type = "messaging") {
      const problem = channelTypeProblem(type);
      if (problem) throw new LocalError(problem);
      if (userIds.length === 0) throw new LocalError(MEMBERS_REQUIRED);
      const me = userId();
      const members = [...new Set([...(me === undefined ? [] : [me]), ...userIds])];
      const since = machine.revision();
      const body = { ...WATCHING, data: { members } };
      const reply = await call("queryDistinctChannel", { path: { type }, body, retries: RETRIES });
      applyChannel(reply, since);
      return reply.channel.cid;
    },
    ...list,
  };
}

/** One page of a channel or thread, oldest → newest (PAGE-1). */
async function fetchPage(
  call: PagesDeps["call"],
  { cid, parentId }: ThreadRef,
  pagination: MessagePagination & { limit: number },
): Promise<Message[]> {
  const reply =
    parentId === undefined
      ? await call("queryChannel", {
          path: partsOf(cid),
          body: { state: true, messages: pagination, ...FEW_PEOPLE },
          retries: RETRIES,
        })
      : await call("getReplies", { path: { parent_id: parentId }, query: pagination, retries: RETRIES });
  return reply.messages ?? [];
}

function messagePages({ call, machine }: PagesDeps): MessagePages {
  async function load(
    place: ThreadRef,
    pagination: MessagePagination & { limit: number },
    current: boolean,
  ): Promise<void> {
    const since = machine.revision();
    const messages = await fetchPage(call, place, pagination);
    machine.apply({ kind: "page", ...place, messages, pagination, since, ...(current && { current }) });
  }

  async function loadBeside(place: ThreadRef, which: "prev" | "next"): Promise<boolean> {
    const set = loadableSet(machine.state(), place, which);
    if (!set) return false;
    // An unsent message cannot be a cursor: the provider does not know it.
    const held = set.messages.slice(0, set.messages.length).filter((m) => !isLocal(m));
    const anchor = which === "prev" ? held[0] : held.at(-1);
    if (!anchor) return false;
    machine.apply({ kind: "loading", ...place, loading: which });
    try {
      const cursor = which === "prev" ? { id_lt: anchor.id } : { id_gt: anchor.id };
      await load(place, { ...cursor, limit: MESSAGE_PAGE }, false);
    } finally {
      machine.apply({ kind: "loading", ...place, loading: undefined });
    }
    return true;
  }

  const loadAround = (place: ThreadRef, id: string, current: boolean): Promise<void> =>
    load(place, { id_around: id, limit: MESSAGE_PAGE }, current);

  return {
    loadOlder: (place) => loadBeside(place, "prev"),
    loadNewer: (place) => loadBeside(place, "next"),
    async jumpTo(place, messageId) {
      const held = setsOf(machine.state(), place).some((set) => set.messages.indexOf(messageId) >= 0);
      if (held) machine.apply({ kind: "current", ...place, messageId });
      else await loadAround(place, messageId, true);
    },
    loadAround: (place, messageId) => loadAround(place, messageId, false),
    async backToLatest(place) {
      if (latestSet(machine.state(), place)) machine.apply({ kind: "current", ...place });
      else await load(place, { limit: MESSAGE_PAGE }, true);
    },
    openThread: (cid, parentId) => load({ cid, parentId }, { limit: MESSAGE_PAGE }, true),
  };
}
