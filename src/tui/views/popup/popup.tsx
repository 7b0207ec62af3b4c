/** The popup on top of the stack: a picker, question, help or sheet. */
import { memo, useMemo } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import { ringed } from "../../components/box.ts";
import type { Layout } from "../../screen/layout.ts";
import { topPopup, type Popup } from "../../screen/popup.ts";
import { choicesOf } from "../../screen/choices.ts";
import { drawPopup } from "./rows.ts";

const Box = memo(
  ({ popup, layout }: { popup: Exclude<Popup, { kind: "poll" | "fields" }>; layout: Layout }) => {
    const { keys } = usePorts();
    const look = useLook();
    const at = useModel(["now"], ({ now }) => (popup.kind === "picker" && popup.followsTime ? now : 0));
    const drawn = useMemo(() => {
      const choices = choicesOf(popup, { now: at, look });
      const { rect, rows } = drawPopup(popup, {
        theme: look.theme,
        columns: layout.columns,
        rows: layout.rows,
        table: keys,
        choices,
      });
      return ringed(rect, rows, layout.rows);
    }, [popup, layout, at, look, keys]);
    return <Rows drawn={drawn} />;
  },
);

export const PopupView = memo(({ layout }: { layout: Layout }) => {
  const popup = useModel(["popups"], ({ screen }) => topPopup(screen));
  return popup && popup.kind !== "poll" && popup.kind !== "fields" ? (
    <Box popup={popup} layout={layout} />
  ) : null;
});
