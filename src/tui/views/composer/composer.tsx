/** The composer at the bottom, with a banner that tells what Enter will do. */
import { memo, useMemo } from "react";
import { useLook, useModel, useModelParts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { cursorInBox, drawComposer, composerWraps } from "./rows.ts";
import { boxOf } from "../../screen/screen.ts";
import { visualSpan } from "../../editor/vim-visual.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Reads } from "../../screen/store.ts";
import { composerContext, CONTEXT_SLICES } from "./composer-context.ts";

export const ComposerView = memo(({ rect }: { rect: Rect }) => {
  const { theme } = useLook();
  const composer = useModel(["composers", "cid", "panels"], ({ screen }) => boxOf(screen));
  const context = useModelParts(CONTEXT_SLICES, composerContext);
  const focused = useModel(["focus"], ({ screen }) => screen.focus === "composer");
  const vim = useModel(["vim"], ({ screen }) => screen.vim);
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    const rows = drawComposer({
      theme,
      width,
      height,
      composer,
      context,
      focused,
      selected: vim && visualSpan(vim, composer.editor),
    });
    return { rect, rows, wraps: () => composerWraps({ width, height, composer, context }) };
  }, [rect, theme, composer, context, focused, vim]);
  return <Rows drawn={drawn} />;
});

/** The position of the text cursor on the screen. */
export function composerCursor(model: Reads<"layout" | (typeof CONTEXT_SLICES)[number]>): {
  x: number;
  y: number;
} {
  const { x, y, width, height } = model.layout.composer;
  const at = cursorInBox({
    composer: boxOf(model.screen),
    width,
    height,
    context: composerContext(model),
  });
  return { x: x + at.x, y: y + at.y };
}
