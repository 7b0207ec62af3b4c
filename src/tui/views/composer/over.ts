/** The line over the composer: what is edited or quoted, why nothing can be posted, or what a reply goes to. */
import type { Zone } from "../../../text/times.ts";
import { cellWidth } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { isPending } from "../../../model/membership.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { heldNear } from "../../../model/select.ts";
import { channelTitle } from "../../../model/channels.ts";
import { cannotPostReason } from "../../screen/posting.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";
import { previewRows } from "./preview.ts";
import type { Over } from "./rows.ts";
import { troubleRoom } from "../status/header-row.ts";
import { linkWords } from "../status/link-words.ts";

/** What the place being written in says over its box; its height does not depend on the zone. */
export function overBox(model: Snapshot, me: string | undefined, zone: Zone): Over {
  const preview = previewRows(model, me);
  const about = aboutIn(model);
  return {
    ...overPlace(model, me, zone),
    ...(about && { about }),
    ...(preview.length > 0 && { preview }),
  };
}

/** The message that is edited or quoted, as it stands now: others may have changed it since. */
function aboutIn({ screen, state }: Snapshot): Message | undefined {
  const place = composerPlace(screen);
  const { editing, quote } = boxOf(screen, place);
  const about = editing?.message ?? quote;
  return place && about && (heldNear(state, place, about.id) ?? about);
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
