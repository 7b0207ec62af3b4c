/** The menu of a person: write, mute, block, report, remove from the channel, ban; changes can be undone for ten seconds. */
import { channelTitle, userName } from "../../../model/channels.ts";
import { isUserMuted } from "../../../model/mutes.ts";
import { isGranted } from "../../../model/permissions.ts";
import type { ChannelEntry, HeldMessage } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import type { User } from "../../../wire/entities/user.ts";
import { openDirect } from "../../navigation/open-channel.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { askReportReason } from "./report.ts";

/** Minutes and their labels. */
const DURATIONS = [
  [60, words.people.anHour],
  [480, words.people.eightHours],
  [1440, "for a day"],
  [10_080, "for a week"],
] as const;

/** Choices such as `mute 60`; the last one has no duration. */
const choicesByDuration = (what: string, label: string, last: string): Choice[] => [
  ...DURATIONS.map(([minutes, time]) => ({ label: `${label} ${time}`, value: `${what} ${minutes}` })),
  { label: `${label} ${last}`, value: what },
];

const choice = (label: string, value: string): Choice => ({ label, value });
const destructive = (choice: Choice): Choice => ({ ...choice, destructive: true });

function banChoices(
  entry: ChannelEntry | undefined,
  user: Pick<User, "id">,
  me: string | undefined,
): Choice[] {
  if (!entry || !isGranted(entry, "ban-channel-members")) return [];
  const title = channelTitle(entry, me);
  if (entry.members.get(user.id)?.banned) return [choice(words.people.unban(title), "unban")];
  return choicesByDuration("ban", words.people.ban(title), words.people.permanently).map(destructive);
}

/** Offers to remove a member; also a user who is not held, if not all members are. */
function removeChoices(
  entry: ChannelEntry | undefined,
  user: Pick<User, "id">,
  me: string | undefined,
): Choice[] {
  if (!entry || !isGranted(entry, "update-channel-members")) return [];
  if (!entry.members.has(user.id) && entry.members.size >= entry.memberCount) return [];
  return [
    { ...destructive(choice(words.people.remove(channelTitle(entry, me)), "remove")), keywords: "kick" },
  ];
}

type MenuPorts = Pick<Ports, "core" | "store" | "clock">;

function choicesFor(ports: MenuPorts, user: Pick<User, "id">, cid: string): Choice[] {
  const { state } = ports.store;
  const muted = isUserMuted(state.me, user.id, ports.clock.now());
  const blocked = state.me?.blocked_user_ids?.includes(user.id) ?? false;
  return [
    choice(words.people.write, "write"),
    ...(muted
      ? [choice(words.people.unmute, "unmute")]
      : choicesByDuration("mute", words.people.mute, words.people.untilUnmuted)),
    blocked ? choice(words.people.unblock, "unblock") : destructive(choice(words.people.block, "block")),
    choice(words.people.report, "report"),
    ...removeChoices(state.channels.get(cid), user, ports.core.userId),
    ...banChoices(state.channels.get(cid), user, ports.core.userId),
  ];
}

/** The menu of a message's author. */
export const openAuthorMenu = (ports: MenuPorts, { user, cid }: HeldMessage): void =>
  openPersonMenu(ports, user?.id ?? ports.core.userId ?? "", cid);

/** The menu of any user, opened from a channel. */
export function openPersonMenu(ports: MenuPorts, id: string, cid: string): void {
  if (id === ports.core.userId) return showNotice(ports, words.people.yourself);
  const user = ports.store.state.users.get(id) ?? { id };
  const choices = choicesFor(ports, user, cid);
  const about = `${user.id} ${cid}`;
  openPicker(ports, { name: "person", title: userName(user), choices, about });
}

/** Runs a choice of the menu; `about`: user id and cid. */
export function runPersonChoice(ports: Ports, about: string, value: string): void {
  const [id, cid] = about.split(" ") as [string, string];
  const [what, minutes] = value.split(" ");
  const { core, store } = ports;
  const name = userName(store.state.users.get(id) ?? { id });
  const timeout = minutes === undefined ? {} : { timeout: Number(minutes) };
  const calls = {
    mute: () => core.call("muteUser", { body: { target_ids: [id], ...timeout } }),
    unmute: () => core.call("unmuteUser", { body: { target_ids: [id] } }),
    block: () => core.call("blockUser", { body: { blocked_user_id: id } }),
    unblock: () => core.call("unblockUser", { body: { blocked_user_id: id } }),
    remove: () => core.call("updateChannel", { path: splitCid(cid)!, body: { remove_members: [id] } }),
    add: () => core.call("updateChannel", { path: splitCid(cid)!, body: { add_members: [id] } }),
    ban: () => core.call("ban", { body: { target_user_id: id, ...splitCid(cid), ...timeout } }),
    unban: () => core.call("unban", { query: { target_user_id: id, ...splitCid(cid) } }),
  };
  if (what === "write") return attempt(ports, openDirect(ports, [id]));
  if (what === "report") return askReportReason(ports, `user ${id}`, name);
  const texts = words.people;
  type Call = () => Promise<unknown>;
  /** The call, its notice, and the call that undoes it. */
  const changes: Readonly<Record<string, readonly [work: Call, done: string, back: Call]>> = {
    mute: [calls.mute, texts.muted(name), calls.unmute],
    unmute: [calls.unmute, texts.unmuted(name), calls.mute],
    block: [calls.block, texts.blocked(name), calls.unblock],
    unblock: [calls.unblock, texts.unblocked(name), calls.block],
    remove: [calls.remove, texts.removed(name), calls.add],
    ban: [calls.ban, texts.banned(name), calls.unban],
    unban: [calls.unban, texts.unbanned(name), calls.ban],
  };
  const [work, done, back] = changes[what!]!;
  runAndOfferTakeBack(ports, work(), { done, what: texts.change }, back);
}

/** Lists blocked users; choosing one unblocks. */
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
