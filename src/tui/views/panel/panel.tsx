/** The right panel: its title, and below it what its definition draws. */
import { memo, useMemo } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { titleRow } from "../../components/title-row.ts";
import { openPanelIn, TITLE_SLICES, type AnyPanel } from "../../ports/panels.ts";
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { ASIDE_SLICES, cidAside, detailsPanel, topPanel, type Panel } from "../../screen/screen.ts";

const Title = memo(({ panel, of, rect }: { panel: Panel; of: AnyPanel; rect: Rect }) => {
  const ports = usePorts();
  const { theme } = useLook();
  const title = useModel(TITLE_SLICES, (model) => of.title(model, panel, ports.core.userId));
  const crumb = useModel(TITLE_SLICES, (model) => of.crumb?.(model, panel) ?? "");
  const aside = useModel(["panels"], ({ screen: { panels } }) => panels.length === 0);
  const place = useModel(TITLE_SLICES, (model) => of.position?.(model, panel, ports) ?? "");
  const focused = useModel(["focus"], ({ screen: { focus } }) => focus === "panel" || focus === "composer");
  const drawn = useMemo((): DrawnRows => {
    const row = titleRow(theme, { title, crumb, place, width: rect.width, focused, aside });
    return { rect: { ...rect, height: 1 }, rows: [row] };
  }, [rect, theme, title, crumb, place, focused, aside]);
  return <Rows drawn={drawn} />;
});

export const PanelView = memo(({ rect }: { rect: Rect }) => {
  const opened = useModel(["panels"], ({ screen }) => topPanel(screen));
  const cid = useModel(ASIDE_SLICES, ({ screen }) => cidAside(screen));
  const panel = useMemo(() => (cid === undefined ? opened : detailsPanel(cid)), [cid, opened]);
  const body = useMemo(() => belowTitle(rect), [rect]);
  const own = panel && openPanelIn({ panels: [panel] });
  return (
    own && (
      <>
        <Title {...own} rect={rect} />
        <own.of.Body panel={own.panel} rect={body} />
      </>
    )
  );
});
