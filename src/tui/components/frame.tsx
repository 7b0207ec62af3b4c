/** The lines drawn between the views. */
import { Box, Text } from "ink";
import { memo, useMemo } from "react";
import type { Layout } from "../screen/layout.ts";
import { useLook } from "./context.ts";
import { Rows, type DrawnRows } from "./rows.tsx";

function Line({ x, y, height }: { x: number; y: number; height: number }) {
  const { theme } = useLook();
  return (
    <Box position="absolute" top={y} left={x} width={1} height={height} flexShrink={0}>
      <Text>{Array.from({ length: height }, () => theme.line("│")).join("\n")}</Text>
    </Box>
  );
}

/** The vertical rules between the panes. */
export const Rules = memo(({ layout }: { layout: Layout }) => (
  <>
    {layout.rules.map((x) =>
      // That between two halves parts their titles and their composers, too.
      layout.other && x === layout.middle ? (
        <Line key={x} x={x} y={0} height={layout.rows - 1} />
      ) : (
        <Line key={x} x={x} y={1} height={(layout.divider ?? 1) - 1} />
      ),
    )}
  </>
));

/** The horizontal line between the panes and the composer, joined to the rules above it. */
export const Divider = memo(({ layout, y }: { layout: Layout; y: number }) => {
  const { theme } = useLook();
  const drawn = useMemo((): DrawnRows => {
    const joint = (x: number): string => (layout.other && x === layout.middle ? "┼" : "┴");
    const joints = Array.from({ length: layout.columns }, (_, x) =>
      layout.rules.includes(x) ? joint(x) : "─",
    );
    return { rect: { x: 0, y, width: layout.columns, height: 1 }, rows: [theme.line(joints.join(""))] };
  }, [layout, y, theme]);
  return <Rows drawn={drawn} />;
});
