/** Factories of wire objects, and a state machine to apply them to, for the tests of core's state. */
import { createStateMachine, type StateMachine } from "../../../src/core/state/machine.ts";
import type { ChannelEntry, ClientMessage, MessageSet } from "../../../src/model/state.ts";
import type { ChannelState, Member } from "../../../src/wire/entities/channel.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import type { OwnUser, User } from "../../../src/wire/entities/user.ts";
import { ownUser } from "../../support/own-user.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";

export const CID = "messaging:kitchen";
export const silentLog = { debug() {}, info() {}, warn() {}, error() {} };

/** `2026-01-01T00:00:00Z` plus so many seconds. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

export const user = (id: string, more: Partial<User> = {}): User => ({
  id,
  name: id,
  created_at: at(0),
  updated_at: at(0),
  ...more,
});

/** A message of bob with id `m<seconds>` and that time. */
export function msg(seconds: number, more: Partial<Message> & Record<string, unknown> = {}): Message {
  return {
    id: `m${seconds}`,
    cid: CID,
    type: more.parent_id ? "reply" : "regular",
    text: `text ${seconds}`,
    html: "",
    user: user("bob"),
    attachments: [],
    mentioned_users: [],
    reply_count: 0,
    reaction_counts: {},
    reaction_scores: {},
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    created_at: at(seconds),
    updated_at: at(seconds),
    ...more,
  };
}

export const msgs = (from: number, to: number): Message[] =>
  Array.from({ length: to - from + 1 }, (_, i) => msg(from + i));

export function channel(
  messages: Message[] = [],
  more: Partial<ChannelState> & { cid?: string } = {},
): ChannelState {
  const { cid = CID, ...rest } = more;
  const [type, id] = cid.split(":") as [string, string];
  return {
    channel: {
      id,
      type,
      cid,
      created_at: at(0),
      updated_at: at(0),
      frozen: false,
      disabled: false,
      member_count: 3,
      ...(messages.length && { last_message_at: messages.at(-1)!.created_at }),
    },
    messages,
    pinned_messages: [],
    members: [],
    read: [],
    ...rest,
  };
}

export function me(more: Partial<OwnUser> = {}): OwnUser {
  return ownUser("ada", { ...user("ada"), ...more });
}

export const event = (type: string, seconds: number, more: Record<string, unknown> = {}): AnyEvent =>
  ({ type, cid: CID, created_at: at(seconds), ...more }) as AnyEvent;

export const isNew = (message: Message): AnyEvent =>
  ({
    type: "message.new",
    cid: message.cid,
    created_at: message.created_at,
    user: message.user,
    message,
  }) as AnyEvent;

export interface Subject {
  machine: StateMachine;
  clock: VirtualClock;
  entry(cid?: string): ChannelEntry;
  sets(parentId?: string): readonly MessageSet[];
  /** Ids of the current set. */
  shown(parentId?: string): string[];
  loaded(id: string): ClientMessage | undefined;
}

/** Ada's state machine with the given channel loaded and watched. */
export function subject(state: ChannelState | null = channel(), limit = 25): Subject {
  const clock = new VirtualClock(Date.UTC(2026, 0, 2));
  const machine = createStateMachine({ clock, random: fixedRandom(), log: silentLog, userId: () => "ada" });
  machine.apply({ kind: "me", me: me() });
  if (state) machine.apply({ kind: "channels", states: [state], messageLimit: limit, watched: true });
  const entry = (cid = CID): ChannelEntry => machine.state().channels.get(cid)!;
  const sets = (parentId?: string): readonly MessageSet[] =>
    parentId === undefined ? entry().sets : (entry().threads.get(parentId)?.sets ?? []);
  return {
    machine,
    clock,
    entry,
    sets,
    shown: (parentId) =>
      [...(sets(parentId).find((set) => set.isCurrent)?.messages ?? [])].map((message) => message.id),
    loaded(id) {
      for (const set of [
        ...entry().sets,
        ...[...entry().threads.values()].flatMap((thread) => thread.sets),
      ]) {
        const index = set.messages.indexOf(id);
        if (index >= 0) return set.messages.at(index);
      }
      return undefined;
    },
  };
}

export const ids = (set: MessageSet | undefined): string[] => [...(set?.messages ?? [])].map((m) => m.id);
export const messageIds = (from: number, to: number): string[] => msgs(from, to).map((m) => m.id);

export const member = (id: string, more: Partial<Member> = {}): Member => ({
  user_id: id,
  user: user(id),
  channel_role: "channel_member",
  created_at: at(0),
  updated_at: at(0),
  ...more,
});
