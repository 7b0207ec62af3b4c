/** The completion list above the composer, aligned with the word being completed. */
import { memo, useMemo } from "react";
import { cellWidth } from "../../../text/width.ts";
import { useLook, useModel } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import { boxOf, type CompletionState, type Screen } from "../../screen/screen.ts";
import type { Layout } from "../../screen/layout.ts";
import { drawCompletion } from "./completion-rows.ts";

/** Cells of the line before the word that is completed. */
function cellsBefore(screen: Pick<Screen, "composers" | "cid" | "panels">, start: number): number {
  const { editor } = boxOf(screen);
  return cellWidth(editor.text.slice(editor.text.lastIndexOf("\n", start - 1) + 1, start));
}

const List = memo(({ completion, layout }: { completion: CompletionState; layout: Layout }) => {
  const { theme } = useLook();
  const before = useModel(["composers", "cid", "panels"], ({ screen }) =>
    cellsBefore(screen, completion.start),
  );
  const drawn = useMemo(() => {
    const { composer, columns, divider } = layout;
    const left = composer.x + 2 + (before % Math.max(1, composer.width));
    return drawCompletion(completion, { theme, columns, bottom: divider ?? composer.y, left });
  }, [completion, layout, theme, before]);
  return drawn && <Rows drawn={drawn} />;
});

export const Completion = memo(({ layout }: { layout: Layout }) => {
  const completion = useModel(["popups", "completion"], ({ screen }) =>
    screen.popups.length ? undefined : screen.completion,
  );
  return completion ? <List completion={completion} layout={layout} /> : null;
});
