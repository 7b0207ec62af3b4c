/** Previews the written text as others will see it. */
import { clean } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { bodyRows } from "../../render/body.ts";
import { boxOf } from "../../screen/screen.ts";
import { layoutKind } from "../../screen/layout.ts";
import type { Look } from "../../screen/look.ts";
import type { Action } from "../../ports/ports.ts";
import { BOTH_HALVES, memoizeLast, type Reads } from "../../screen/store.ts";
import { showNotice } from "../../screen/notices.ts";

/** Cells of the mark before each row. */
const MARK_WIDTH = 3;

const rowsOf = memoizeLast((text: string, width: number, look: Look, id: string): readonly string[] => {
  const { theme, glyphs, hyperlinks } = look;
  const row = { width, theme, now: 0, me: { id }, expanded: true, hyperlinks, ...(glyphs && { glyphs }) };
  return bodyRows({ text } as Message, width, row).map((row) => ` ${theme.accent("┃")} ${row}`);
}, BOTH_HALVES);

type Input = Reads<"state" | "look" | "composers" | "cid" | "panels" | "columns" | "rows"> &
  Partial<Reads<"layout">>;

/** Undefined while nothing or a command is written. */
export function previewRows({ state, screen, look, layout }: Input): readonly string[] | undefined {
  const { text } = boxOf(screen).editor;
  if (text.trim() === "" || (text.startsWith("/") && !text.startsWith("//"))) return undefined;
  const tiny = layoutKind(screen.columns, screen.rows) === "tiny";
  const width = (layout?.composer.width ?? screen.columns) - (tiny ? 0 : 2) - MARK_WIDTH - 1;
  return rowsOf(clean(text.replace(/^\/\//, "/")), Math.max(4, width), look, state.me?.id ?? "");
}

/** Toggles the preview; a notice confirms it when the composer is empty and shows no difference. */
export const togglePreview: Action = (ports) => {
  ports.store.update((s) => ({ ...s, preview: !s.preview }));
  if (ports.boxes.at().editor.text.trim() === "")
    showNotice(ports, words.preview.now(ports.store.screen.preview === true));
};
