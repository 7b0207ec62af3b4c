/** The list of channels the user can join. */
import { cleanLine } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import type { Choice } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import type { JoinableChannel } from "../screen/finder.ts";
import { openPicker } from "../screen/notices.ts";
import { filterChoices } from "../screen/filter-choices.ts";

const choiceOf = ({ cid, title, topic, members }: JoinableChannel): Choice => ({
  label: cleanLine(title),
  detail: cleanLine(topic),
  ...(members !== undefined && { mark: words.channel.members(members) }),
  runs: `/join ${cid}`,
  keywords: cid,
});

/** Collects the channels found for each query that is typed. */
export function openJoinList(ports: Pick<Ports, "store" | "joinableChannels">): void {
  const { store, joinableChannels } = ports;
  const found = new Map<string, Choice>();
  const search = (query: string): void => {
    for (const channel of joinableChannels.search(query.replace(/^#/, "").trim()))
      if (!store.state.channels.has(channel.cid) && !found.has(channel.cid))
        found.set(channel.cid, choiceOf(channel));
  };
  search("");
  openPicker(ports, {
    title: words.joining.title,
    hint: words.joining.none,
    choices: ({ query }) => [
      ...filterChoices([...found.values()], query.replace(/^#/, "")),
      ...channelByTypedId(query, [...found.keys()]),
    ],
    refresh: (picker) => {
      const before = found.size;
      search(picker.query);
      return found.size > before ? { ...picker } : picker;
    },
  });
}

/** Offers the typed text as a channel id if no channel of that name was found. */
function channelByTypedId(query: string, cids: readonly string[]): Choice[] {
  const id = cleanLine(query).replace(/^#/, "");
  const isListed = cids.some((cid) => cid === id || cid.endsWith(`:${id}`));
  return isListed || !/^[\w-]+(?::[\w-]+)?$/.test(id)
    ? []
    : [{ label: words.joining.named(id), runs: `/join ${id}` }];
}
