/** The list of channels the user can join. */
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import { popupChanged, topPopup, type Choice } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import type { JoinableChannel } from "../screen/joinable-channels.ts";
import { openPicker } from "../screen/notices.ts";

type Needs = Pick<Ports, "store" | "joinableChannels">;

const choiceOf = ({ cid, title, topic, members }: JoinableChannel): Choice => ({
  label: cleanLine(title),
  detail: cleanLine(topic),
  ...(members !== undefined && { mark: words.channel.members(members) }),
  value: cid,
  keywords: cid,
});

/** The choices found so far plus those for the present query, without duplicates. */
function joinChoices({ store, joinableChannels }: Needs, query: string, before: readonly Choice[]): Choice[] {
  const found = joinableChannels
    .search(query.replace(/^#/, "").trim())
    .filter(({ cid }) => !store.state.channels.has(cid))
    .map(choiceOf);
  return [...before, ...found.filter(({ value }) => !before.some((choice) => choice.value === value))];
}

export function openJoinList(ports: Needs): void {
  const { title } = words.joining;
  const choices = joinChoices(ports, "", []);
  openPicker(ports, { name: "join", title, choices });
}

/** Called when the query changed or a response arrived. */
export function refreshJoinList(ports: Needs): void {
  const popup = topPopup(ports.store.screen);
  if (popup?.kind !== "picker" || popup.name !== "join") return;
  const { choices: before = [], query } = popup;
  const choices = joinChoices(ports, query, before);
  if (choices.length > before.length)
    ports.store.update((s) => popupChanged(s, () => ({ ...popup, choices })));
}

/** Offers the typed text as a channel id if no channel of that name was found. */
export function channelByTypedId(query: string, choices: readonly Choice[]): Choice[] {
  const id = cleanLine(query.trim()).replace(/^#/, "");
  const isListed = choices.some(({ value }) => value === id || value.endsWith(`:${id}`));
  return isListed || !/^[\w-]+(?::[\w-]+)?$/.test(id) ? [] : [{ label: words.joining.named(id), value: id }];
}
