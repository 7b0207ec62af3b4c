/** The choices of the goto and forward lists: channels, people and views. */
import { compareNames } from "../screen/name-order.ts";
import { channelTitle, isDirect, listedChannels, userName } from "../../model/channels.ts";
import type { ChannelEntry, State } from "../../model/state.ts";
import { cleanName } from "../../text/sanitize.ts";
import { splitCid } from "../../wire/ids.ts";
import type { User } from "../../wire/entities/user.ts";
import { actionRow } from "../keys/action-table.ts";
import type { Ports } from "../ports/ports.ts";
import { attempt } from "../screen/notices.ts";
import type { Choice } from "../screen/popup.ts";
import { openChannel, openDirect } from "./open-channel.ts";
import { profileChoices } from "./profiles.ts";

/** The people of a direct channel. */
const peopleIn = (entry: ChannelEntry): string[] => (isDirect(entry) ? [...entry.members.keys()] : []);

function channelChoice(entry: ChannelEntry, me: string | undefined): Choice {
  const people = peopleIn(entry);
  return {
    label: channelTitle(entry, me),
    // A channel is found by its id, a direct one by the ids of its members.
    keywords: (people.length > 0 ? people.filter((id) => id !== me) : [splitCid(entry.cid)?.id]).join(" "),
    ...(entry.hidden ? { detail: "hidden" } : entry.membership?.archived_at ? { detail: "archived" } : {}),
    ...(entry.mentions ? { mark: `@${entry.mentions}` } : entry.unread ? { mark: String(entry.unread) } : {}),
  };
}

function personChoice(user: User): Choice {
  const name = userName(user);
  return {
    label: `@${name}`,
    ...(name === user.id ? {} : { detail: cleanName(user.id) }),
    ...(user.online ? { mark: "●" } : {}),
  };
}

/** Where a choice leads. */
type Go = (to: { cid: string } | { userId: string }) => void;

/** Channels, hidden ones and then the open one last, and people without a direct channel. */
export function placeChoices(state: State, openCid: string | undefined, go: Go): Choice[] {
  const me = state.me?.id;
  const hidden = [...state.channels.values()].filter(
    (entry) => entry.hidden && !entry.unavailable && !entry.channel.blocked,
  );
  const entries = [...listedChannels(state), ...hidden].toSorted(
    (a, b) => Number(a.cid === openCid) - Number(b.cid === openCid),
  );
  const directUsers = new Set(entries.flatMap(peopleIn));
  const people = [...state.users.values()]
    .filter((user) => user.id !== me && !directUsers.has(user.id))
    .map((user): Choice => ({ ...personChoice(user), choose: () => go({ userId: user.id }) }))
    .toSorted((a, b) => compareNames(a.label, b.label));
  const channels = entries.map((entry): Choice => ({
    ...channelChoice(entry, me),
    choose: () => go({ cid: entry.cid }),
  }));
  return [...channels, ...people];
}

/** The choices of the goto list: places, views, and the other profiles. */
export function gotoChoices(ports: Ports): Choice[] {
  const { state, screen } = ports.store;
  const places = placeChoices(state, screen.cid, (to) => {
    if ("cid" in to) openChannel(ports, to.cid);
    else attempt(ports, openDirect(ports, [to.userId]));
  });
  const views = (["inbox.show", "threads.show", "later.show", "drafts.show", "unsent"] as const).map(
    (name): Choice => ({
      label: actionRow(name).title,
      runs: name,
    }),
  );
  return [...places, ...views, ...profileChoices(ports)];
}
