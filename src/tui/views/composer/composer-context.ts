/** Collects what the composer shows above its text: the edited or quoted message, why posting is impossible, where a reply goes. */
import { cellWidth } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { isPending } from "../../../model/membership.ts";
import type { State } from "../../../model/state.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { heldNear } from "../../../model/select.ts";
import { channelTitle } from "../../../model/channels.ts";
import { cannotPostReason } from "../../screen/selectors.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import type { Look } from "../../screen/look.ts";
import { memoizeLast, type Reads } from "../../screen/store.ts";
import { previewRows } from "./preview.ts";
import type { ComposerContext } from "./rows.ts";
import { errorRoom } from "../status/header-row.ts";
import { linkWords } from "../status/link-words.ts";

/** The slices that {@link composerContext} reads. */
export const CONTEXT_SLICES = [
  "state",
  "now",
  "look",
  "composers",
  "cid",
  "panels",
  "preview",
  "columns",
  "rows",
] as const;

type Input = Reads<(typeof CONTEXT_SLICES)[number]>;

/** The context of the open composer. */
export function composerContext(model: Input, me: string | undefined): ComposerContext {
  const { state, now, look, screen } = model;
  const { cid, parentId } = composerPlace(screen) ?? {};
  const { alsoChannel } = boxOf(screen);
  const preview = previewRows(model, me);
  const target = targetMessage(model);
  return {
    ...placeContext(state, cid, parentId, alsoChannel, now, look, screen.columns, me),
    ...(target && { target }),
    ...(preview && { preview }),
  };
}

/** The edited or quoted message in its current version, which others may have changed. */
function targetMessage({ screen, state }: Input): Message | undefined {
  const place = composerPlace(screen);
  const { editing, quote } = boxOf(screen, place);
  const message = editing?.message ?? quote;
  return place && message && (heldNear(state, place, message.id) ?? message);
}

/** What does not change with the text: worked out once for a state of the client. */
const placeContext = memoizeLast(
  (
    state: State,
    cid: string | undefined,
    parentId: string | undefined,
    alsoChannel: boolean,
    now: number,
    { readOnly, utc }: Look,
    columns: number,
    me: string | undefined,
  ): ComposerContext => {
    if (cid === undefined) return {};
    if (readOnly) return { closedReason: words.readOnly.box };
    const entry = state.channels.get(cid);
    const closedReason = cannotPostReason(state, entry, now, { utc });
    if (closedReason !== undefined) return { closedReason };
    const { help, states } = linkWords(state.link, now);
    // Not repeated where the header has room for all of it.
    if (help && cellWidth(states[0]) > errorRoom(columns)) return { linkProblem: help };
    if (parentId === undefined) return isPending(entry?.membership) ? { reply: words.channel.invite } : {};
    const title = entry ? channelTitle(entry, me) : cid;
    return { reply: `${words.channel.reply} · ${alsoChannel ? "☑" : "☐"} ${words.channel.alsoTo(title)}` };
  },
);
