/** Shows a short form as a popup. */
import { memo, useMemo } from "react";
import { useLook, useModel } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import { ringed } from "../../components/box.ts";
import type { Layout } from "../../screen/layout.ts";
import { topPopup, type FieldsPopup } from "../../screen/popup.ts";
import { drawFields } from "./rows.ts";

const Box = memo(({ popup, layout }: { popup: FieldsPopup; layout: Layout }) => {
  const { theme } = useLook();
  const drawn = useMemo(() => {
    const { rect, rows } = drawFields(popup, { theme, columns: layout.columns, rows: layout.rows });
    return ringed(rect, rows, layout.rows);
  }, [popup, theme, layout]);
  return <Rows drawn={drawn} />;
});

export const FieldsForm = memo(({ layout }: { layout: Layout }) => {
  const popup = useModel(["popups"], ({ screen }) => topPopup(screen));
  return popup?.kind === "fields" ? <Box popup={popup} layout={layout} /> : null;
});
