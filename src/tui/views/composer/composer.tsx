/** The composer at the bottom, with a banner that tells what Enter will do. */
import { memo, useMemo } from "react";
import { channelTitle } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { cursorInBox, drawComposer, composerWraps, placeholderFor, type ComposerContext } from "./rows.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import { visualSpan } from "../../editor/vim-visual.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Model } from "../../screen/store.ts";
import { composerNote } from "./composer-note.ts";
import { composerContext } from "./composer-context.ts";

function placeholderIn({ screen, state }: Model, me: string | undefined): string {
  const place = composerPlace(screen);
  const entry = place && state.channels.get(place.cid);
  if (entry) return placeholderFor(channelTitle(entry, me), place.parentId !== undefined);
  return screen.loading ? words.message.loading : words.channel.none;
}

/** Each part is selected as a string, so that equal values do not repaint. */
function useComposerContext(): ComposerContext {
  const { core } = usePorts();
  const { utc } = useLook();
  const context = (model: Model): ComposerContext => composerContext(model, core.userId, { utc });
  const closedReason = useModel((model) => context(model).closedReason);
  const linkProblem = useModel((model) => context(model).linkProblem?.join("\n"));
  const reply = useModel((model) => context(model).reply);
  const target = useModel((model) => context(model).target);
  const preview = useModel((model) => context(model).preview?.join("\n"));
  return useMemo(
    () => ({
      closedReason,
      linkProblem: linkProblem?.split("\n") as [string, ...string[]] | undefined,
      reply,
      target,
      preview: preview?.split("\n"),
    }),
    [closedReason, linkProblem, reply, target, preview],
  );
}

export const ComposerView = memo(({ rect }: { rect: Rect }) => {
  const { core } = usePorts();
  const { theme } = useLook();
  const composer = useModel(({ screen }) => boxOf(screen));
  const placeholder = useModel((model) => placeholderIn(model, core.userId));
  const context = useComposerContext();
  const note = useModel(composerNote);
  const vim = useModel(({ screen }) => screen.vim);
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
export function composerCursor(model: Model, me: string | undefined): { x: number; y: number } {
  const rect = model.layout.composer;
  const context = composerContext(model, me, { utc: model.look.utc });
  const at = cursorInBox({ composer: boxOf(model.screen), width: rect.width, height: rect.height, context });
  return { x: rect.x + at.x, y: rect.y + at.y };
}
