/** The poll form. */
import { memo, useMemo, useSyncExternalStore } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import { ringed } from "../../components/box.ts";
import type { Layout } from "../../screen/layout.ts";
import { topPopup, type PollPopup } from "../../screen/popup.ts";
import { drawForm } from "./rows.ts";

const Form = memo(({ popup, layout }: { popup: PollPopup; layout: Layout }) => {
  const { core } = usePorts();
  const { theme } = useLook();
  const { poll } = core.composer(popup.place);
  const { form } = useSyncExternalStore(poll.subscribe, poll.state);
  const drawn = useMemo(() => {
    const { rect, rows } = drawForm(form, { theme, columns: layout.columns, rows: layout.rows, ...popup });
    return ringed(rect, rows, layout.rows);
  }, [form, theme, layout, popup]);
  return <Rows drawn={drawn} />;
});

export const PollFormView = memo(({ layout }: { layout: Layout }) => {
  const popup = useModel(["popups"], ({ screen }) => topPopup(screen));
  return popup?.kind === "poll" ? <Form popup={popup} layout={layout} /> : null;
});
