/** Collects what the composer shows above its text: the edited or quoted message, why posting is impossible, where a reply goes. */
import type { Zone } from "../../../text/zones.ts";
import { cellWidth } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { isPending } from "../../../model/membership.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { heldNear } from "../../../model/select.ts";
import { channelTitle } from "../../../model/channels.ts";
import { cannotPostReason } from "../../screen/selectors.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";
import { previewRows } from "./preview.ts";
import type { ComposerContext } from "./rows.ts";
import { errorRoom } from "../status/header-row.ts";
import { linkWords } from "../status/link-words.ts";

/** The context of the open composer; its height does not depend on the time zone. */
export function composerContext(model: Snapshot, me: string | undefined, zone: Zone): ComposerContext {
  const preview = previewRows(model, me);
  const target = targetMessage(model);
  return {
    ...placeContext(model, me, zone),
    ...(target && { target }),
    ...(preview.length > 0 && { preview }),
  };
}

/** The edited or quoted message in its current version, which others may have changed. */
function targetMessage({ screen, state }: Snapshot): Message | undefined {
  const place = composerPlace(screen);
  const { editing, quote } = boxOf(screen, place);
  const message = editing?.message ?? quote;
  return place && message && (heldNear(state, place, message.id) ?? message);
}

function placeContext(model: Snapshot, me: string | undefined, zone: Zone): ComposerContext {
  const place = composerPlace(model.screen);
  if (!place) return {};
  if (model.look.readOnly) return { closedReason: words.readOnly.box };
  const entry = model.state.channels.get(place.cid);
  const closedReason = cannotPostReason(model.state, entry, model.now, zone);
  if (closedReason !== undefined) return { closedReason };
  const { help, states } = linkWords(model.state.link, model.now);
  // Not repeated where the header has room for all of it.
  if (help && cellWidth(states[0]) > errorRoom(model.screen.columns)) return { linkProblem: help };
  if (place.parentId === undefined)
    return isPending(entry?.membership) ? { reply: words.channel.invite } : {};
  const title = entry ? channelTitle(entry, me) : place.cid;
  const box = boxOf(model.screen, place);
  return { reply: `${words.channel.reply} · ${box.alsoChannel ? "☑" : "☐"} ${words.channel.alsoTo(title)}` };
}
