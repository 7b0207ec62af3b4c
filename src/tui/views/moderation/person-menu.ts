/** The menu of a person: write, mute, block, report, remove from the channel, ban; changes can be undone for ten seconds. */
import { averageAnswer, channelTitle, userName } from "../../../model/channels.ts";
import { isUserMuted } from "../../../model/mutes.ts";
import { isGranted } from "../../../model/permissions.ts";
import type { ChannelEntry, ClientMessage } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import { openDirect } from "../../navigation/open-channel.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";
import { askReportReason } from "./report.ts";

const texts = words.people;

/** Minutes and their labels. */
const DURATIONS = [
  [60, texts.anHour],
  [480, texts.eightHours],
  [1440, "for a day"],
  [10_080, "for a week"],
] as const;

type MenuPorts = Pick<Ports, "core" | "store" | "clock" | "keys" | "boxes" | "settings">;
type Limit = { timeout?: number };

/** Makes a choice that changes something about a person, which can be taken back. */
type ChangeChoice = (what: Change, label: string, minutes?: number) => Choice;
type Change = "mute" | "unmute" | "block" | "unblock" | "remove" | "ban" | "unban";

function changesOf(ports: MenuPorts, { id, name }: { id: string; name: string }, cid: string): ChangeChoice {
  const { core } = ports;
  const inChannel = { target_user_id: id, ...splitCid(cid) };
  const changeMembers = (body: { add_members: string[] } | { remove_members: string[] }) => () =>
    core.call("updateChannel", { path: splitCid(cid)!, body });
  const mute = (limit: Limit) => core.call("muteUser", { body: { target_ids: [id], ...limit } });
  const unmute = () => core.call("unmuteUser", { body: { target_ids: [id] } });
  const block = () => core.call("blockUser", { body: { blocked_user_id: id } });
  const unblock = () => core.call("unblockUser", { body: { blocked_user_id: id } });
  const ban = (limit: Limit) => core.call("ban", { body: { ...inChannel, ...limit } });
  const unban = () => core.call("unban", { query: inChannel });
  const [remove, add] = [changeMembers({ remove_members: [id] }), changeMembers({ add_members: [id] })];
  type Call = (limit: Limit) => Promise<unknown>;
  /** The call, its notice, and the call that undoes it. */
  const changes: Readonly<Record<Change, readonly [work: Call, done: string, back: Call]>> = {
    mute: [mute, texts.muted(name), unmute],
    unmute: [unmute, texts.unmuted(name), mute],
    block: [block, texts.blocked(name), unblock],
    unblock: [unblock, texts.unblocked(name), block],
    remove: [remove, texts.removed(name), add],
    ban: [ban, texts.banned(name), unban],
    unban: [unban, texts.unbanned(name), ban],
  };
  return (what, label, minutes) => {
    const [work, done, back] = changes[what];
    const choose = (): void =>
      runAndOfferTakeBack(
        ports,
        work(minutes === undefined ? {} : { timeout: minutes }),
        { done, what: texts.change },
        () => back({}),
      );
    return { label, choose };
  };
}

/** Choices such as muting for an hour; the last one has no duration. */
const choicesByDuration = (
  change: ChangeChoice,
  what: "mute" | "ban",
  label: string,
  last: string,
): Choice[] => [
  ...DURATIONS.map(([minutes, time]) => change(what, `${label} ${time}`, minutes)),
  change(what, `${label} ${last}`),
];

const destructive = (choice: Choice): Choice => ({ ...choice, destructive: true });

function banChoices(
  change: ChangeChoice,
  entry: ChannelEntry | undefined,
  id: string,
  me: string | undefined,
): Choice[] {
  if (!entry || !isGranted(entry, "ban-channel-members")) return [];
  const title = channelTitle(entry, me);
  if (entry.members.get(id)?.banned) return [change("unban", texts.unban(title))];
  return choicesByDuration(change, "ban", texts.ban(title), texts.permanently).map(destructive);
}

/** Offers to remove a member; also a user who is not held, if not all members are. */
function removeChoices(
  change: ChangeChoice,
  entry: ChannelEntry | undefined,
  id: string,
  me: string | undefined,
): Choice[] {
  if (!entry || !isGranted(entry, "update-channel-members")) return [];
  if (!entry.members.has(id) && entry.members.size >= entry.memberCount) return [];
  return [{ ...destructive(change("remove", texts.remove(channelTitle(entry, me)))), keywords: "kick" }];
}

/** The menu of a message's author. */
export const openAuthorMenu = (ports: MenuPorts, { user, cid }: ClientMessage): void =>
  openPersonMenu(ports, user?.id ?? ports.core.userId ?? "", cid);

/** The menu of any user, opened from a channel. */
export function openPersonMenu(ports: MenuPorts, id: string, cid: string): void {
  const { state } = ports.store;
  const { userId: me } = ports.core;
  if (id === me) return showNotice(ports, texts.yourself);
  const name = userName(state.users.get(id) ?? { id });
  const change = changesOf(ports, { id, name }, cid);
  const muted = isUserMuted(state.me, id, ports.clock.now());
  const blocked = state.me?.blocked_user_ids?.includes(id) ?? false;
  const entry = state.channels.get(cid);
  const choices: Choice[] = [
    { label: texts.write, choose: () => attempt(ports, openDirect(ports, [id])) },
    ...(muted
      ? [change("unmute", texts.unmute)]
      : choicesByDuration(change, "mute", texts.mute, texts.untilUnmuted)),
    blocked ? change("unblock", texts.unblock) : destructive(change("block", texts.block)),
    { label: texts.report, choose: () => askReportReason(ports, { target_user_id: id }, name) },
    ...removeChoices(change, entry, id, me),
    ...banChoices(change, entry, id, me),
  ];
  const answers = averageAnswer(state.users.get(id));
  openPicker(ports, { title: answers ? `${name} · ${texts.answers(answers)}` : name, choices });
}

/** Lists blocked users; choosing one unblocks. */
export function showBlocked(ports: MenuPorts): void {
  const show = async (): Promise<void> => {
    const { blocks } = await ports.core.call("getBlockedUsers", { query: {} });
    if (blocks.length === 0) return showNotice(ports, texts.nobodyBlocked);
    const choices = blocks.map(({ blocked_user: user, blocked_user_id: id }): Choice => {
      const name = userName(user ?? { id });
      return { ...changesOf(ports, { id, name }, "")("unblock", name), detail: texts.unblocks };
    });
    openPicker(ports, { title: texts.blockedTitle, choices });
  };
  attempt(ports, show());
}
