/** The line over the composer: why nothing can be posted, or what a reply goes to. */
import type { ChannelEntry, State } from "../../../model/state.ts";
import { shortWhen } from "../../../text/times.ts";
import type { Zone } from "../../../text/times.ts";
import { cellWidth } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { postingBlock, isPending } from "../../../wire/membership.ts";
import { channelTitle } from "../../../model/channels.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";
import { previewRows } from "./preview.ts";
import type { Over } from "./rows.ts";
import { troubleRoom } from "../status/header-row.ts";
import { linkWords } from "../status/link-words.ts";

/** Why nothing can be posted in a place, as a sentence; undefined where it can. `now` = wall clock, ms. */
export function cannotPostReason(
  state: State,
  entry: ChannelEntry | undefined,
  now: number,
  zone: Zone,
): string | undefined {
  if (!entry) return undefined;
  const { channel, unavailable, members } = entry;
  const membership = entry.membership ?? (state.me && members.get(state.me.id));
  const found = postingBlock({ channel, unavailable, membership, me: state.me }, now);
  if (!found) return undefined;
  const { shut } = words.channel;
  if (found.kind !== "banned" && found.kind !== "bannedEverywhere") return shut[found.kind];
  return shut[found.kind](found.until === undefined ? "" : shortWhen(found.until, now, zone));
}

/** What the place being written in says over its box; its height does not depend on the zone. */
export function overBox(model: Snapshot, me: string | undefined, zone: Zone): Over {
  const preview = previewRows(model, me);
  return { ...overPlace(model, me, zone), ...(preview.length > 0 && { preview }) };
}

function overPlace(model: Snapshot, me: string | undefined, zone: Zone): Over {
  const place = composerPlace(model.screen);
  if (!place) return {};
  if (model.look.readOnly) return { shut: words.readOnly.box };
  const entry = model.state.channels.get(place.cid);
  const shut = cannotPostReason(model.state, entry, model.now, zone);
  if (shut !== undefined) return { shut };
  const { help, said } = linkWords(model.state.link, model.now);
  // Where the header has room for all of it, once is enough.
  if (help && cellWidth(said[0]) > troubleRoom(model.screen.columns)) return { link: help };
  if (place.parentId === undefined)
    return isPending(entry?.membership) ? { reply: words.channel.invite } : {};
  const title = entry ? channelTitle(entry, me) : place.cid;
  const box = boxOf(model.screen, place);
  return { reply: `${words.channel.reply} · ${box.alsoChannel ? "☑" : "☐"} ${words.channel.alsoTo(title)}` };
}
