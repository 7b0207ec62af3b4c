/** The choices of the goto and forward lists: channels, people and views. */
import { compareNames } from "../screen/name-order.ts";
import { channelTitle, isDirect, listedChannels, userName } from "../../model/channels.ts";
import type { State } from "../../model/state.ts";
import { cleanName } from "../../text/sanitize.ts";
import { splitCid } from "../../wire/ids.ts";
import { actionRow } from "../keys/action-table.ts";
import type { Choice } from "../screen/popup.ts";

/** `value` is `channel:<cid>`, `user:<id>` or `action:<name>`. Hidden channels and then the open one are the last of the channels. */
export function gotoChoices(state: State, openCid: string | undefined): Choice[] {
  const me = state.me?.id;
  const directUsers = new Set<string>();
  const hidden = [...state.channels.values()].filter(
    (entry) => entry.hidden && !entry.unavailable && !entry.channel.blocked,
  );
  const channels = [...listedChannels(state), ...hidden].map((entry): Choice => {
    const people = isDirect(entry) ? [...entry.members.keys()] : [];
    for (const id of people) directUsers.add(id);
    return {
      label: channelTitle(entry, me),
      value: `channel:${entry.cid}`,
      // A channel is found by its id, a direct one by the ids of its members.
      keywords: (people.length > 0 ? people.filter((id) => id !== me) : [splitCid(entry.cid)?.id]).join(" "),
      ...(entry.hidden ? { detail: "hidden" } : entry.membership?.archived_at ? { detail: "archived" } : {}),
      ...(entry.mentions
        ? { mark: `@${entry.mentions}` }
        : entry.unread
          ? { mark: String(entry.unread) }
          : {}),
    };
  });
  const people = [...state.users.values()]
    .filter((user) => user.id !== me && !directUsers.has(user.id))
    .map((user): Choice => {
      const name = userName(user);
      return {
        label: `@${name}`,
        value: `user:${user.id}`,
        ...(name === user.id ? {} : { detail: cleanName(user.id) }),
        ...(user.online ? { mark: "●" } : {}),
      };
    })
    .toSorted((a, b) => compareNames(a.label, b.label));
  const views: Choice[] = (["inbox", "threads", "later", "drafts", "unsent"] as const).map((name) => ({
    label: actionRow(name).title,
    value: `action:${name}`,
  }));
  const openValue = `channel:${openCid}`;
  const [otherChannels, current] = [
    channels.filter((c) => c.value !== openValue),
    channels.filter((c) => c.value === openValue),
  ];
  return [...otherChannels, ...current, ...people, ...views];
}
