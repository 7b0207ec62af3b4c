/** Renders the rows of one view at their position: one Text per row, already cut to width. */
import { Box, Text } from "ink";
import { stripVTControlCharacters } from "node:util";
import { createContext, memo, use, useEffect, useRef } from "react";
import type { Theme } from "../render/theme.ts";
import type { Pane } from "../screen/drawn-panes.ts";
import { topPopup, type Popup } from "../screen/popup.ts";
import { dragIn, withSelection } from "../screen/selection.ts";
import { useLook, useModel, usePorts } from "./context.ts";

export type DrawnRows = Pane;

/** An empty Text has no height, so a blank is drawn instead. */
const Row = memo(({ text }: { text: string }) => <Text wrap="truncate">{text === "" ? " " : text}</Text>);

/** Highlights the mouse selection, and registers the rows so that the mouse can find them. */
function useSelection(drawn: DrawnRows): readonly string[] {
  const { drawnPanes } = usePorts();
  const { theme } = useLook();
  const owner = useRef(drawn);
  useEffect(() => void (owner.current = drawn), [drawn]);
  useEffect(() => drawnPanes.add(owner), [drawnPanes]);
  const drag = useModel(["drag"], ({ screen }) => screen.drag && dragIn(screen.drag, drawn.rect));
  return drag ? withSelection(drawn.rows, drag, theme.marked) : drawn.rows;
}

/** A row behind a popup: its colours are replaced by one dim colour. */
const dimmedRow = (row: string, { behind }: Theme): string => behind(stripVTControlCharacters(row));

/** Rows inside this context are dimmed while a popup is open. */
export const Backdrop = createContext(false);

const dimsBackdrop = (popup: Popup | undefined): boolean =>
  popup !== undefined && !(popup.kind === "picker" && popup.undimmed);

function useDimmed(rows: readonly string[]): readonly string[] {
  const { theme } = useLook();
  const behindPopups = use(Backdrop);
  const covered = useModel(
    ["popups"],
    ({ screen }) => screen.popups.length > 0 && dimsBackdrop(topPopup(screen)),
  );
  return covered && behindPopups ? rows.map((row) => dimmedRow(row, theme)) : rows;
}

/** Memoised: the same `drawn` object is not rendered again. */
export const Rows = memo(({ drawn }: { drawn: DrawnRows }) => {
  const { rect } = drawn;
  const rows = useDimmed(useSelection(drawn));
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
        // Rows have no identity other than their index.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={i} text={text} />
      ))}
    </Box>
  );
});
