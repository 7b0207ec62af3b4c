/** The completion list above the composer, aligned with the word being completed. */
import { memo, useMemo } from "react";
import { cellWidth } from "../../../text/width.ts";
import { useLook, useModel } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import { boxOf, type Screen } from "../../screen/screen.ts";
import type { Layout } from "../../screen/layout.ts";
import { drawCompletion } from "./completion-rows.ts";

/** Cells of the line before the word that is completed. */
function cellsBefore(screen: Pick<Screen, "composers" | "cid" | "panels">, start: number): number {
  const { editor } = boxOf(screen);
  return cellWidth(editor.text.slice(editor.text.lastIndexOf("\n", start - 1) + 1, start));
}

export const Completion = memo(({ layout }: { layout: Layout }) => {
  const { theme } = useLook();
  const completion = useModel(["popups", "completion"], ({ screen }) =>
    screen.popups.length ? undefined : screen.completion,
  );
  const before = useModel(["completion", "composers", "cid", "panels"], ({ screen }) =>
    completion ? cellsBefore(screen, completion.start) : 0,
  );
  const drawn = useMemo(() => {
    const { composer, columns, divider } = layout;
    const left = composer.x + 2 + (before % Math.max(1, composer.width));
    return completion && drawCompletion(completion, { theme, columns, bottom: divider ?? composer.y, left });
  }, [completion, layout, theme, before]);
  return drawn ? <Rows drawn={drawn} /> : null;
});
