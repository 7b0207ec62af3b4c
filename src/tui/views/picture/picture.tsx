/** The picture viewer in the right panel. */
import { memo, useMemo } from "react";
import { words } from "../../../text/words.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import type { PicturePanel } from "../../screen/screen.ts";
import { picturesIn } from "./channel-pictures.ts";
import { pictureBox } from "./place.ts";
import { pictureRows } from "./rows.ts";

export const PictureView = memo(({ panel, rect }: { panel: PicturePanel; rect: Rect }) => {
  const { pictures } = usePorts();
  const look = useLook();
  const entry = useModel(({ state }) => state.channels.get(panel.cid));
  const place = useMemo(() => {
    const { lines, at } = picturesIn(entry, panel);
    // The count has a `+` unless all older messages have been searched.
    const whole = panel.found.length > 0 && panel.next === undefined;
    return at < 0 ? "" : words.pictures.place(at + 1, `${lines.length}${whole ? "" : "+"}`);
  }, [entry, panel]);
  const drawn = useMemo((): DrawnRows => {
    const { theme, utc } = look;
    const { line } = panel;
    const picture = pictures.drawInPanel(line.picture, pictureBox(rect));
    return { rect, rows: pictureRows({ line, place, drawn: picture, body: rect, theme, utc }) };
  }, [pictures, look, panel, rect, place]);
  return <Rows drawn={drawn} />;
});
