/** The composer at the bottom, with a banner that tells what Enter will do. */
import { memo, useMemo } from "react";
import { channelTitle } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { useLook, useModel, useModelParts, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { cursorInBox, drawComposer, composerWraps, placeholderFor } from "./rows.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import { visualSpan } from "../../editor/vim-visual.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Reads } from "../../screen/store.ts";
import { composerNote, NOTE_SLICES } from "./composer-note.ts";
import { composerContext, CONTEXT_SLICES } from "./composer-context.ts";

const PLACEHOLDER_SLICES = ["state", "cid", "panels", "loading"] as const;

function placeholderIn(
  { screen, state }: Reads<(typeof PLACEHOLDER_SLICES)[number]>,
  me: string | undefined,
) {
  const place = composerPlace(screen);
  const entry = place && state.channels.get(place.cid);
  if (entry) return placeholderFor(channelTitle(entry, me), place.parentId !== undefined);
  return screen.loading ? words.message.loading : words.channel.none;
}

export const ComposerView = memo(({ rect }: { rect: Rect }) => {
  const { core } = usePorts();
  const { theme } = useLook();
  const composer = useModel(["composers", "cid", "panels"], ({ screen }) => boxOf(screen));
  const placeholder = useModel(PLACEHOLDER_SLICES, (model) => placeholderIn(model, core.userId));
  const context = useModelParts(CONTEXT_SLICES, (model) => composerContext(model, core.userId));
  const note = useModel(NOTE_SLICES, composerNote);
  const vim = useModel(["vim"], ({ screen }) => screen.vim);
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    const rows = drawComposer({
      theme,
      width,
      height,
      composer,
      placeholder,
      context,
      note,
      selected: vim && visualSpan(vim, composer.editor),
    });
    return { rect, rows, wraps: () => composerWraps({ width, height, composer, context }) };
  }, [rect, theme, composer, placeholder, context, note, vim]);
  return <Rows drawn={drawn} />;
});

/** The position of the text cursor on the screen. */
export function composerCursor(
  model: Reads<"layout" | (typeof CONTEXT_SLICES)[number]>,
  me: string | undefined,
): { x: number; y: number } {
  const { x, y, width, height } = model.layout.composer;
  const at = cursorInBox({
    composer: boxOf(model.screen),
    width,
    height,
    context: composerContext(model, me),
  });
  return { x: x + at.x, y: y + at.y };
}
