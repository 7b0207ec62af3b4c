/** Collects what the composer shows beside its text: what is quoted, why posting is impossible, where a reply goes, and the note at the right. */
import { placeKey } from "../../screen/place-key.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { ChannelEntry, State } from "../../../model/state.ts";
import { heldNear, shownSet } from "../../../model/select.ts";
import { cellWidth } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { isPending } from "../../../model/membership.ts";
import { channelTitle, longestText } from "../../../model/channels.ts";
import { cannotPostReason } from "../../screen/selectors.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import type { Look } from "../../screen/look.ts";
import { BOTH_HALVES, memoizeLast, type Reads } from "../../screen/store.ts";
import { seenByWords } from "./audience.ts";
import { previewRows } from "./preview.ts";
import { placeholderFor, type ComposerContext } from "./rows.ts";
import { openView } from "../lists/lists.ts";
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
  "waitingSends",
  "preview",
  "loading",
  "columns",
  "rows",
  "focus",
  "other",
  "layout",
] as const;

/** Without a layout while it is measured: what the box says when it is empty has no influence on it. */
type Input = Reads<Exclude<(typeof CONTEXT_SLICES)[number], "layout">> & Partial<Reads<"layout">>;

/** The context of the open composer. */
export function composerContext(model: Input): ComposerContext {
  const { state, now, look, screen, layout } = model;
  const place = composerPlace(screen);
  const { cid, parentId } = place ?? {};
  const { alsoChannel, editing, quote, editor, onlyFor, audience } = boxOf(screen, place);
  const preview = screen.preview && previewRows(model);
  const written = editing?.message ?? quote;
  // In its current version, which others may have changed.
  const target = place && written && (heldNear(state, place, written.id) ?? written);
  const isForAll = !onlyFor && audience?.length === 0;
  const seenBy = isForAll ? undefined : seenByWords(model);
  // The title of a half has no room for what is wrong with the connection.
  const columns = screen.other ? 0 : screen.columns;
  const ofPlace = placeContext(state, cid, parentId, alsoChannel, now, look, columns, screen.loading);
  const view = editor.text === "" && layout ? openView({ screen, layout }) : undefined;
  return {
    ...ofPlace,
    ...(view && { placeholder: words.channel.besideView(words.places[view], ofPlace.placeholder) }),
    ...(seenBy && { seenBy }),
    ...(target && { target }),
    ...(preview && { preview }),
    note: composerNote(model),
  };
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
    loading: boolean,
  ): Omit<ComposerContext, "note"> => {
    const entry = cid === undefined ? undefined : state.channels.get(cid);
    const title = entry ? channelTitle(entry, state.me?.id) : (cid ?? "");
    const nowhere = loading ? words.message.loading : words.channel.none;
    const placeholder = entry ? placeholderFor(title, parentId !== undefined) : nowhere;
    if (cid === undefined) return { placeholder };
    if (readOnly) return { placeholder, closedReason: words.readOnly.box };
    const closedReason = cannotPostReason(state, entry, now, { utc });
    if (closedReason !== undefined) return { placeholder, closedReason };
    const { help, states } = linkWords(state.link, now);
    // Not repeated where the header has room for all of it.
    if (help && cellWidth(states[0]) > errorRoom(columns)) return { placeholder, linkProblem: help };
    if (parentId === undefined)
      return { placeholder, ...(isPending(entry?.membership) && { reply: words.channel.invite }) };
    const also = `${alsoChannel ? "☑" : "☐"} ${words.channel.alsoTo(title)}`;
    return { placeholder, reply: `${words.channel.reply} · ${also}` };
  },
  BOTH_HALVES,
);

/** The remaining characters are shown from this many on. */
const LENGTH_WARNING = 200;

/** When slow mode lets the user post again, ms; 0 when that is allowed now. */
const slowModeEnd = memoizeLast((state: State, entry: ChannelEntry | undefined, now: number): number => {
  const { cooldown = 0, own_capabilities: capabilities = [] } = entry?.channel ?? {};
  if (!entry || cooldown <= 0 || capabilities.includes("skip-slow-mode")) return 0;
  const messages = shownSet(state, { cid: entry.cid })?.messages;
  for (let i = (messages?.length ?? 0) - 1; i >= 0; i--) {
    const { user, created_at } = messages!.at(i)!;
    const until = timeToMs(created_at) + cooldown * 1000;
    if (until <= now) return 0;
    if (user?.id === state.me?.id) return until;
  }
  return 0;
}, BOTH_HALVES);

/** Whether the composer shows slow mode's countdown. */
export function countsDown({ state, screen, now }: Reads<"state" | "now" | "cid" | "panels">): boolean {
  const place = composerPlace(screen);
  return slowModeEnd(state, place && state.channels.get(place.cid), now) > now;
}

const maxLengthIn = memoizeLast((entry: ChannelEntry | undefined, { longest }: Look): number =>
  longestText(entry?.channel.config, longest),
);

export function composerNote({
  state,
  screen,
  now,
  look,
}: Reads<"state" | "now" | "look" | "composers" | "cid" | "panels" | "waitingSends">): string {
  const place = composerPlace(screen);
  // Nothing is saved there, and nothing sent.
  if (look.readOnly) return "";
  const { editor, editing } = boxOf(screen);
  const entry = place && state.channels.get(place.cid);
  const maxLength = maxLengthIn(entry, look);
  if (place && screen.waitingSends.has(placeKey(place))) return words.files.whenUploaded;
  const remaining = maxLength - editor.text.length;
  if (remaining <= LENGTH_WARNING) return words.channel.left(remaining);
  const until = slowModeEnd(state, entry, now);
  if (until > now && !editing) return words.channel.slowMode(`${Math.ceil((until - now) / 1000)} s`);
  return place && editor.text.trim() !== "" && !editing ? words.channel.draftSaved : "";
}
