/** Rows of text at their place on the screen: one Text a row, already cut to its width. */
import { Box, Text } from "ink";
import { stripVTControlCharacters } from "node:util";
import { createContext, memo, use, useEffect, useMemo, useRef } from "react";
import type { Theme } from "../render/theme.ts";
import type { Rect } from "../screen/layout.ts";
import { topPopup, type Popup } from "../screen/popup.ts";
import { dragIn, withSelection } from "../screen/selection.ts";
import { useLook, useModel, usePorts } from "./context.ts";

export interface DrawnRows {
  rect: Rect;
  rows: readonly string[];
}

/** An empty Text has no height: a blank keeps the row. */
const Row = memo(({ text }: { text: string }) => <Text wrap="truncate">{text === "" ? " " : text}</Text>);

/** The rows with what of them is selected; the mouse finds them where they stand. */
function useSelection(drawn: DrawnRows): readonly string[] {
  const { painted } = usePorts();
  const { theme } = useLook();
  const owner = useRef(drawn);
  useEffect(() => painted.put(owner, drawn), [painted, drawn]);
  useEffect(() => () => painted.remove(owner), [painted]);
  const drag = useModel(({ screen }) => dragIn(screen.drag, drawn.rect));
  return useMemo(
    () => (drag ? withSelection(drawn.rows, drag, theme.selected) : drawn.rows),
    [drawn, drag, theme],
  );
}

/** A colour that covers what was drawn: what stands behind a popup is there, and asks for nothing. */
const behind = (row: string, { dim }: Theme): string => dim(stripVTControlCharacters(row));

/** What stands in it is dimmed while a popup has the keys, where there are colours. */
export const Backdrop = createContext(false);

/** A theme is chosen by what it looks like. */
const coversAll = (popup: Popup | undefined): boolean =>
  popup !== undefined && !(popup.kind === "picker" && popup.name === "theme");

/** The rows as they are drawn now. */
function useDepth(rows: readonly string[]): readonly string[] {
  const { theme } = useLook();
  const behindPopups = use(Backdrop);
  const dimmed = useModel(({ screen }) => behindPopups && coversAll(topPopup(screen))) && theme.level > 0;
  return useMemo(() => (dimmed ? rows.map((row) => behind(row, theme)) : rows), [dimmed, rows, theme]);
}

/** The rows of one view; the same picture is not rendered twice. */
export const Rows = memo(({ drawn }: { drawn: DrawnRows }) => {
  const { rect } = drawn;
  const rows = useDepth(useSelection(drawn));
  return (
    <Box
      position="absolute"
      top={rect.y}
      left={rect.x}
      width={rect.width}
      height={rect.height}
      flexShrink={0}
      flexDirection="column"
    >
      {rows.slice(0, rect.height).map((text, i) => (
        // Rows have no life of their own: a row is its place.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={i} text={text} />
      ))}
    </Box>
  );
});
