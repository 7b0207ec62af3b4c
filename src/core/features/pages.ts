/** Loads channels and pages of messages into the state: queries, watching, older and newer pages, jumps, threads (R-SET-12…15). */
import { MESSAGE_PAGE } from "../../wire/constants.ts";
import type { QueryChannelBody, QueryChannelsBody } from "../../wire/endpoints/index.ts";
import { channelTypeFault } from "../../wire/ids.ts";
import type { Message } from "../../wire/message.ts";
import type { MessagePagination } from "../../wire/query.ts";
import { MEMBERS_REQUIRED, partsOf } from "../base/validate-call.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { ChannelPages } from "./channel.ts";
import type { Core } from "../core.ts";
import { LocalError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import type { StateMachine } from "../state/machine.ts";
import { latestSet, loadableSet, setsOf } from "../../model/select.ts";
import { isLocal } from "../../model/message-state.ts";

/** The part of core's face that loads, and what recovery needs to know of it. */
export interface Pages
  extends
    ChannelPages,
    Pick<
      Core,
      | "queryChannels"
      | "watch"
      | "stopWatching"
      | "openDirect"
      | "loadOlder"
      | "loadNewer"
      | "jumpTo"
      | "backToLatest"
      | "openThread"
    > {
  /** The last query of a channel list from its beginning, for recovery. */
  listQuery(): QueryChannelsBody | undefined;
  /** The user is gone. */
  forget(): void;
}

/** Retries of a read that a person waits for. */
const RETRIES = 1;

export function createPages(deps: {
  call: ApiCall;
  machine: Pick<StateMachine, "state" | "apply" | "revision">;
  userId(): string | undefined;
}): Pages {
  const { call, machine } = deps;
  let listQuery: QueryChannelsBody | undefined;

  const watching = { state: true, watch: true, presence: true, messages: { limit: MESSAGE_PAGE } } as const;

  /** One page of a channel or thread, oldest → newest (PAGE-1). */
  async function fetchPage(
    place: ThreadRef,
    pagination: MessagePagination & { limit: number },
  ): Promise<Message[]> {
    if (place.parentId !== undefined) {
      const reply = await call("getReplies", {
        path: { parent_id: place.parentId },
        query: pagination,
        retries: RETRIES,
      });
      return reply.messages ?? [];
    }
    const body: QueryChannelBody = {
      state: true,
      messages: pagination,
      members: { limit: 1 },
      watchers: { limit: 1 },
    };
    const reply = await call("queryChannel", { path: partsOf(place.cid), body, retries: RETRIES });
    return reply.messages ?? [];
  }

  async function load(
    place: ThreadRef,
    pagination: MessagePagination & { limit: number },
    current: boolean,
  ): Promise<void> {
    const since = machine.revision();
    const messages = await fetchPage(place, pagination);
    machine.apply({ kind: "page", ...place, messages, pagination, since, ...(current && { current }) });
  }

  async function side(place: ThreadRef, which: "prev" | "next"): Promise<boolean> {
    const set = loadableSet(machine.state(), place, which);
    if (!set) return false;
    // An own message that is still on its way has no place at the provider to page from.
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

  return {
    async queryChannels(query) {
      const limit = query.message_limit ?? MESSAGE_PAGE;
      const body = { state: true, watch: true, presence: true, message_limit: limit, ...query };
      const list = body.watch && !body.offset && !("cid" in (query.filter_conditions ?? {}));
      if (list) listQuery = query;
      const since = machine.revision();
      const { channels = [] } = await call("queryChannels", { body, retries: RETRIES });
      machine.apply({ kind: "channels", states: channels, messageLimit: limit, watched: body.watch, since });
      return channels.map((state) => state.channel.cid);
    },
    async watch(cid, data) {
      const body: QueryChannelBody = { ...watching, ...(data && { data }) };
      const since = machine.revision();
      const reply = await call("queryChannel", { path: partsOf(cid), body, retries: RETRIES });
      machine.apply({ kind: "channels", states: [reply], messageLimit: MESSAGE_PAGE, watched: true, since });
    },
    async stopWatching(cid) {
      await call("stopWatching", { path: partsOf(cid), body: {} });
      machine.apply({ kind: "unwatched", cid });
    },
    async openDirect(userIds, type = "messaging") {
      const fault = channelTypeFault(type);
      if (fault) throw new LocalError(fault);
      if (userIds.length === 0) throw new LocalError(MEMBERS_REQUIRED);
      const me = deps.userId();
      const members = [...new Set([...(me === undefined ? [] : [me]), ...userIds])];
      const since = machine.revision();
      const reply = await call("queryDistinctChannel", {
        path: { type },
        body: { ...watching, data: { members } },
        retries: RETRIES,
      });
      machine.apply({ kind: "channels", states: [reply], messageLimit: MESSAGE_PAGE, watched: true, since });
      return reply.channel.cid;
    },
    loadOlder: (place) => side(place, "prev"),
    loadNewer: (place) => side(place, "next"),
    async jumpTo(place, messageId) {
      const held = setsOf(machine.state(), place).some((set) => set.messages.indexOf(messageId) >= 0);
      if (held) machine.apply({ kind: "current", ...place, messageId });
      else await load(place, { id_around: messageId, limit: MESSAGE_PAGE }, true);
    },
    async backToLatest(place) {
      if (latestSet(machine.state(), place)) machine.apply({ kind: "current", ...place });
      else await load(place, { limit: MESSAGE_PAGE }, true);
    },
    async join({ type, id }, body) {
      const since = machine.revision();
      const reply =
        id === undefined
          ? await call("queryDistinctChannel", { path: { type }, body, retries: RETRIES })
          : await call("queryChannel", { path: { type, id }, body, retries: RETRIES });
      const messageLimit = body.messages?.limit ?? MESSAGE_PAGE;
      const anchored = Object.keys(body.messages ?? {}).some((key) => key !== "limit");
      // A page that begins at a message is no newest page: `loadOlder` and `jumpTo` hold those.
      if (body.state && !anchored)
        machine.apply({
          kind: "channels",
          states: [reply],
          messageLimit,
          watched: body.watch === true,
          since,
        });
      return reply;
    },
    async holdReplies(place, pagination) {
      const since = machine.revision();
      const messages = await fetchPage(place, pagination);
      if (machine.state().channels.has(place.cid))
        machine.apply({ kind: "page", ...place, messages, pagination, since });
      return messages;
    },
    openThread: (cid, parentId) => load({ cid, parentId }, { limit: MESSAGE_PAGE }, true),
    listQuery: () => listQuery,
    forget() {
      listQuery = undefined;
    },
  };
}
