/** The composer at the bottom, and over it what Enter will do. */
import { memo, useMemo } from "react";
import { channelTitle } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { cursorInBox, drawComposer, placeholderFor, type Over } from "./rows.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import { visualSpan } from "../../editor/vim-visual.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Model } from "../../screen/store.ts";
import { noteIn } from "./notes.ts";
import { overBox } from "./over.ts";

/** What an empty box says. */
function placeholderIn({ screen, state }: Model, me: string | undefined): string {
  const place = composerPlace(screen);
  const entry = place && state.channels.get(place.cid);
  if (entry) return placeholderFor(channelTitle(entry, me), place.parentId !== undefined);
  return screen.loading ? words.message.loading : words.channel.none;
}

/** As texts, so that the same words are the same picture. */
function useOver(): Over {
  const { core } = usePorts();
  const { utc } = useLook();
  const over = (model: Model): Over => overBox(model, core.userId, { utc });
  const shut = useModel((model) => over(model).shut);
  const link = useModel((model) => over(model).link?.join("\n"));
  const reply = useModel((model) => over(model).reply);
  const about = useModel((model) => over(model).about);
  const preview = useModel((model) => over(model).preview?.join("\n"));
  return useMemo(
    () => ({
      ...(shut !== undefined && { shut }),
      ...(link !== undefined && { link: link.split("\n") as [string, ...string[]] }),
      ...(reply !== undefined && { reply }),
      ...(about && { about }),
      ...(preview !== undefined && { preview: preview.split("\n") }),
    }),
    [shut, link, reply, about, preview],
  );
}

export const ComposerView = memo(({ rect }: { rect: Rect }) => {
  const { core } = usePorts();
  const { theme } = useLook();
  const composer = useModel(({ screen }) => boxOf(screen));
  const placeholder = useModel((model) => placeholderIn(model, core.userId));
  const over = useOver();
  const note = useModel(noteIn);
  const vim = useModel(({ screen }) => screen.vim);
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    const { rows } = drawComposer({
      theme,
      width,
      height,
      composer,
      placeholder,
      over,
      note,
      selected: vim && visualSpan(vim, composer.editor),
    });
    return { rect, rows };
  }, [rect, theme, composer, placeholder, over, note, vim]);
  return <Rows drawn={drawn} />;
});

/** Where the cursor stands in the box, from the top left of the screen. */
export function composerCursor(model: Model, me: string | undefined): { x: number; y: number } {
  const rect = model.layout.composer;
  const over = overBox(model, me, { utc: model.look.utc });
  const at = cursorInBox({ composer: boxOf(model.screen), width: rect.width, height: rect.height, over });
  return { x: rect.x + at.x, y: rect.y + at.y };
}
