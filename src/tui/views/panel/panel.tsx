/** The right panel: a title, and a thread, a list, a page, or a panel that is a folder of its own. */
import { wrapsOf } from "../../../text/wrap.ts";
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { memo, useMemo, type JSX } from "react";
import { cidTitle } from "../../../model/channels.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { titleRow } from "../../components/title-row.ts";
import { openPanelIn } from "../../ports/panels.ts";
import { topPanel } from "../../screen/screen.ts";
import type { Model } from "../../screen/store.ts";
import { List } from "../lists/list.tsx";
import { MessageList } from "../messages/messages.tsx";
import { panelRows, panelTitle, type ChannelPanel, type PagePanel } from "./rows.ts";

interface TitleProps {
  title: (model: Model, me: string | undefined) => string;
  /** What the panel covers, named before the title. */
  crumb?: (model: Model) => string;
  rect: Rect;
}

const NO_CRUMB = (): string => "";

function Title({ title, crumb = NO_CRUMB, rect }: TitleProps): JSX.Element {
  const { core } = usePorts();
  const { theme } = useLook();
  const text = useModel((model) => title(model, core.userId));
  const covered = useModel(crumb);
  const drawn = useMemo(
    (): DrawnRows => ({ rect: { ...rect, height: 1 }, rows: [titleRow(theme, text, covered, rect.width)] }),
    [rect, theme, text, covered],
  );
  return <Rows drawn={drawn} />;
}

/** The title of a thread names its channel unless the channel is visible beside it. */
const crumbOf =
  (panel: ChannelPanel, beside: boolean) =>
  ({ state, screen }: Model): string =>
    panel.kind !== "thread" || (beside && panel.cid === screen.cid) ? "" : cidTitle(state, panel.cid);

/** A page of rows, scrolled to `panelTop`. */
const Page = memo(({ panel, rect }: { panel: PagePanel; rect: Rect }) => {
  const { feeds } = usePorts();
  const look = useLook();
  const state = useModel((model) => model.state);
  const second = useModel(({ now }) => Math.floor(now / 1000));
  const top = useModel(({ screen }) => screen.panelTop);
  const drawn = useMemo((): DrawnRows => {
    const context = feeds.context({ state, now: second * 1000, look }, rect.width);
    const { theme, utc } = look;
    const rows = (): string[] => panelRows({ state, panel, theme, width: rect.width, context, utc });
    const shown = rows().slice(top, top + Math.max(0, rect.height));
    return { rect, rows: shown, wraps: () => wrapsOf(rows).slice(top) };
  }, [feeds, look, state, panel, rect, second, top]);
  return <Rows drawn={drawn} />;
});

export const PanelView = memo(({ rect, beside }: { rect: Rect; beside: boolean }) => {
  const panel = useModel(({ screen }) => topPanel(screen));
  const body = useMemo(() => belowTitle(rect), [rect]);
  // The search panel is a separate view.
  if (!panel || panel.kind === "search") return null;
  if (panel.kind === "list") return <List list={panel.list} rect={rect} />;
  const own = openPanelIn({ panels: [panel] });
  if (own)
    return (
      <>
        <Title title={(model, me) => own.of.title(model, own.panel, me)} rect={rect} />
        <own.of.Body panel={own.panel} rect={body} />
      </>
    );
  if (panel.kind === "own") return null;
  return (
    <>
      <Title title={(model, me) => panelTitle(model, panel, me)} crumb={crumbOf(panel, beside)} rect={rect} />
      {panel.kind === "thread" ? (
        <MessageList rect={body} cid={panel.cid} parentId={panel.parentId} focus="panel" />
      ) : (
        <Page panel={panel} rect={body} />
      )}
    </>
  );
});
