/** Actions on a person: write, mute, block, report, remove from the channel, ban, each with ten seconds to undo. */
import { channelTitle, userName } from "../../../model/channels.ts";
import { isUserMuted } from "../../../model/mutes.ts";
import { isGranted } from "../../../model/permissions.ts";
import type { ChannelEntry, HeldMessage } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import type { User } from "../../../wire/entities/user.ts";
import { openDirect } from "../../navigation/opening.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { doAndOffer } from "../../ports/take-back.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { askWhy } from "./flagging.ts";

/** Minutes, and what they are called. */
const TIMES = [
  [60, words.people.anHour],
  [480, words.people.eightHours],
  [1440, "for a day"],
  [10_080, "for a week"],
] as const;

/** `mute 60`; without a number for good. */
const timed = (what: string, label: string, last: string): Choice[] => [
  ...TIMES.map(([minutes, time]) => ({ label: `${label} ${time}`, value: `${what} ${minutes}` })),
  { label: `${label} ${last}`, value: what },
];

const one = (label: string, value: string): Choice => ({ label, value });
const careful = (choice: Choice): Choice => ({ ...choice, destructive: true });

function bans(entry: ChannelEntry | undefined, user: Pick<User, "id">, me: string | undefined): Choice[] {
  if (!entry || !isGranted(entry, "ban-channel-members")) return [];
  const where = channelTitle(entry, me);
  if (entry.members.get(user.id)?.banned) return [one(words.people.unban(where), "unban")];
  return timed("ban", words.people.ban(where), words.people.permanently).map(careful);
}

/** Who is in the channel, or may be among those who are not held, can be taken out of it by those who may. */
function removal(entry: ChannelEntry | undefined, user: Pick<User, "id">, me: string | undefined): Choice[] {
  if (!entry || !isGranted(entry, "update-channel-members")) return [];
  if (!entry.members.has(user.id) && entry.members.size >= entry.memberCount) return [];
  return [{ ...careful(one(words.people.remove(channelTitle(entry, me)), "remove")), keywords: "kick" }];
}

type Needs = Pick<Ports, "core" | "store" | "clock">;

function choicesFor(ports: Needs, user: Pick<User, "id">, cid: string): Choice[] {
  const { state } = ports.store;
  const muted = isUserMuted(state.me, user.id, ports.clock.now());
  const blocked = state.me?.blocked_user_ids?.includes(user.id) ?? false;
  return [
    one(words.people.write, "write"),
    ...(muted
      ? [one(words.people.unmute, "unmute")]
      : timed("mute", words.people.mute, words.people.untilUnmuted)),
    blocked ? one(words.people.unblock, "unblock") : careful(one(words.people.block, "block")),
    one(words.people.report, "report"),
    ...removal(state.channels.get(cid), user, ports.core.userId),
    ...bans(state.channels.get(cid), user, ports.core.userId),
  ];
}

/** The menu of a message's author. */
export const askAbout = (ports: Needs, { user, cid }: HeldMessage): void =>
  askAboutUser(ports, user?.id ?? ports.core.userId ?? "", cid);

/** The same of somebody who is mentioned in a channel. */
export function askAboutUser(ports: Needs, id: string, cid: string): void {
  if (id === ports.core.userId) return showNotice(ports, words.people.yourself);
  const user = ports.store.state.users.get(id) ?? { id };
  const choices = choicesFor(ports, user, cid);
  const about = `${user.id} ${cid}`;
  openPicker(ports, { name: "person", title: userName(user), choices, about });
}

/** What was chosen of a person; `about` is the id and the channel. */
export function personChosen(ports: Ports, about: string, value: string): void {
  const [id, cid] = about.split(" ") as [string, string];
  const [what, minutes] = value.split(" ");
  const { core, store } = ports;
  const name = userName(store.state.users.get(id) ?? { id });
  const time = minutes === undefined ? {} : { timeout: Number(minutes) };
  const calls = {
    mute: () => core.call("muteUser", { body: { target_ids: [id], ...time } }),
    unmute: () => core.call("unmuteUser", { body: { target_ids: [id] } }),
    block: () => core.call("blockUser", { body: { blocked_user_id: id } }),
    unblock: () => core.call("unblockUser", { body: { blocked_user_id: id } }),
    remove: () => core.call("updateChannel", { path: splitCid(cid)!, body: { remove_members: [id] } }),
    add: () => core.call("updateChannel", { path: splitCid(cid)!, body: { add_members: [id] } }),
    ban: () => core.call("ban", { body: { target_user_id: id, ...splitCid(cid), ...time } }),
    unban: () => core.call("unban", { query: { target_user_id: id, ...splitCid(cid) } }),
  };
  if (what === "write") return attempt(ports, openDirect(ports, [id]));
  if (what === "report") return askWhy(ports, `user ${id}`, name);
  const said = words.people;
  type Call = () => Promise<unknown>;
  /** What it does, what is said of it, and what takes it back. */
  const changes: Readonly<Record<string, readonly [work: Call, done: string, back: Call]>> = {
    mute: [calls.mute, said.muted(name), calls.unmute],
    unmute: [calls.unmute, said.unmuted(name), calls.mute],
    block: [calls.block, said.blocked(name), calls.unblock],
    unblock: [calls.unblock, said.unblocked(name), calls.block],
    remove: [calls.remove, said.removed(name), calls.add],
    ban: [calls.ban, said.banned(name), calls.unban],
    unban: [calls.unban, said.unbanned(name), calls.ban],
  };
  const [work, done, back] = changes[what!]!;
  doAndOffer(ports, work(), { done, what: said.change }, back);
}

/** Whom one has blocked; choosing one unblocks. */
export function showBlocked(ports: Ports): void {
  const show = async (): Promise<void> => {
    const { blocks } = await ports.core.call("getBlockedUsers", { query: {} });
    if (blocks.length === 0) return showNotice(ports, words.people.nobodyBlocked);
    const choices = blocks.map(({ blocked_user: user, blocked_user_id: id }): Choice => ({
      label: userName(user ?? { id }),
      detail: words.people.unblocks,
      value: `unblock ${id}`,
    }));
    openPicker(ports, { name: "blocked", title: words.people.blockedTitle, choices });
  };
  attempt(ports, show());
}
