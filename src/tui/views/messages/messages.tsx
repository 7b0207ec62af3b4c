/** The messages of the open channel in the middle, or of a thread in the panel. */
import { memo, useMemo, useState } from "react";
import { shownSet } from "../../../model/select.ts";
import { words } from "../../../text/words.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { scrollOf, type Focus } from "../../screen/screen.ts";
import { placeKey } from "../../screen/place-key.ts";
import { selectedRange } from "../../screen/selectors.ts";
import { hintsIn } from "../../screen/hints.ts";
import type { Theme } from "../../render/theme.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { listedChannels, typingNames } from "../../../model/channels.ts";
import { listHeight } from "./list.ts";
import { FEED_SLICES } from "./feed/feeds.ts";
import { listRows, listWraps, newBelow } from "./rows.ts";

interface ListProps {
  rect: Rect;
  cid: string;
  parentId?: string;
  /** The browse cursor is shown while this has the keys. */
  focus: Focus;
}

/** Whether the open thread disappeared after it was shown: its first message was hard-deleted. */
function useThreadGone(cid: string, parentId: string | undefined): boolean {
  const isHeld = useModel(
    ["state"],
    ({ state }) => parentId !== undefined && state.channels.get(cid)?.threads.has(parentId) === true,
  );
  const [seenParentId, setSeenParentId] = useState<string>();
  if (isHeld && seenParentId !== parentId) setSeenParentId(parentId);
  return !isHeld && parentId !== undefined && seenParentId === parentId;
}

/** The visible messages, and below them who is typing and how many new messages are further down. */
export const MessageList = memo(({ rect, cid, parentId, focus }: ListProps) => {
  const { feeds } = usePorts();
  const { theme } = useLook();
  const place = useMemo(() => (parentId === undefined ? { cid } : { cid, parentId }), [cid, parentId]);
  const feed = useModel(FEED_SLICES, (model) => feeds.feed(model, place, rect.width));
  const view = useModel(["views"], ({ screen }) => scrollOf(screen, place));
  const below = useModel(["state", "views"], ({ state, screen }) =>
    newBelow(shownSet(state, place), scrollOf(screen, place), feed, listHeight(rect)),
  );
  const hints = useModel(["hints"], ({ screen }) => screen.hints);
  // Joined into one string, so that it compares equal while the selection is unchanged.
  const selectedIds = useModel(["state", "range", "views", "cid", "panels", "focus"], (model) =>
    model.screen.range?.key === placeKey(place)
      ? (selectedRange(model) ?? []).map(({ id }) => id).join("\n")
      : "",
  );
  const isFocused = useModel(["focus"], ({ screen }) => screen.focus === focus);
  // Joined for the same reason.
  const typers = useModel(["state", "now"], ({ state, now }) =>
    typingNames(state.channels.get(cid), state.me, now, parentId).join("\n"),
  );
  const gone = useThreadGone(cid, parentId);
  const drawn = useMemo((): DrawnRows => {
    if (gone) return { rect, rows: goneRows(theme, rect.width) };
    return {
      rect,
      rows: listRows({
        theme,
        feed,
        place,
        width: rect.width,
        height: listHeight(rect),
        hasFooter: rect.height > 1,
        view,
        browsing: isFocused,
        typers: typers ? typers.split("\n") : [],
        below,
        selectedIds: selectedIds ? selectedIds.split("\n") : [],
        hints: hintsIn(hints, place),
        typed: hints?.typed ?? "",
      }),
      wraps: () => listWraps({ feed, place, height: listHeight(rect), view }),
    };
  }, [rect, theme, feed, view, isFocused, typers, below, selectedIds, hints, place, gone]);
  return <Rows drawn={drawn} />;
});

const goneRows = (theme: Theme, width: number): string[] => [
  "",
  ...wrapText(words.message.threadGone, width - 2).map((row) => ` ${theme.dim(row)}`),
];

/** First steps for a user who is in no channel yet. */
function firstRows(theme: Theme, width: number): string[] {
  const { title, ways, end } = words.channel.first;
  const rows = ways.map(([typed, what]) => {
    const name = truncate(`   ${padEnd(typed, 20)}`, width);
    return theme.accent(name) + theme.dim(truncate(what, width - cellWidth(name)));
  });
  const titles = wrapText(title, width - 2).map((row) => ` ${row}`);
  return ["", ...titles, "", ...rows, "", ` ${theme.dim(truncate(end, width - 1))}`];
}

/** Shown in the middle while no channel is open. */
const NoChannel = memo(({ rect }: { rect: Rect }) => {
  const { theme } = useLook();
  const loading = useModel(["loading"], ({ screen }) => screen.loading);
  const empty = useModel(
    ["state"],
    ({ state }) => state.link.phase === "open" && listedChannels(state).length === 0,
  );
  const notLoaded = useModel(["notLoaded", "now"], ({ screen: { notLoaded: failure }, now }) => {
    if (!failure) return undefined;
    const { why, retryAt } = failure;
    return words.channel.notLoaded(why, retryAt === undefined ? undefined : Math.max(0, retryAt - now));
  });
  const drawn = useMemo((): DrawnRows => {
    if (notLoaded !== undefined)
      return {
        rect,
        rows: ["", ...wrapText(notLoaded, rect.width - 2).map((row) => ` ${theme.hint(row)}`)],
      };
    if (empty && !loading) return { rect, rows: firstRows(theme, rect.width) };
    return { rect, rows: ["", ` ${theme.dim(loading ? words.message.loading : words.channel.none)}`] };
  }, [rect, theme, loading, empty, notLoaded]);
  return <Rows drawn={drawn} />;
});

export const Messages = memo(({ rect }: { rect: Rect }) => {
  const cid = useModel(["cid"], ({ screen }) => screen.cid);
  return cid === undefined ? (
    <NoChannel rect={rect} />
  ) : (
    <MessageList rect={rect} cid={cid} focus="messages" />
  );
});
