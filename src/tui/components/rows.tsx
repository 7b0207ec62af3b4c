/** Rows of text at their place on the screen: one Text a row, cut to its width before it comes here. */
import { Box, Text } from "ink";
import { memo } from "react";
import type { Rect } from "../screen/layout.ts";

export interface Drawn {
  rect: Rect;
  rows: readonly string[];
}

/** An empty Text has no height: a blank keeps the row. */
const Row = memo(({ text }: { text: string }) => <Text wrap="truncate">{text === "" ? " " : text}</Text>);

/** The rows of one view; the same picture is not rendered twice. */
export const Rows = memo(({ drawn }: { drawn: Drawn }) => {
  const { rect, rows } = drawn;
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
