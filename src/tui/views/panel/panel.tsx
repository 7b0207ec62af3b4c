/** The right panel: a title, and a thread, list, details, members or another view. */
import { wrapsOf } from "../../../text/wrap.ts";
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { memo, useMemo } from "react";
import { cidTitle } from "../../../model/channels.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { titleRow } from "../../components/title-row.ts";
import { topPanel } from "../../screen/screen.ts";
import { CampaignView } from "../campaigns/campaign.tsx";
import { ChannelFiles } from "../channel-files/channel-files.tsx";
import { List } from "../lists/list.tsx";
import { MapView } from "../map/map.tsx";
import { Members } from "../members/members.tsx";
import { MessageList } from "../messages/messages.tsx";
import { PictureView } from "../picture/picture.tsx";
import { panelRows, panelTitle, type ChannelPanel, type PagePanel } from "./rows.ts";

interface Props<P extends ChannelPanel> {
  panel: P;
  rect: Rect;
}

/** The title of a thread names its channel unless the channel is visible beside it. */
const Title = memo(({ panel, rect, beside }: Props<ChannelPanel> & { beside: boolean }) => {
  const { core } = usePorts();
  const { theme } = useLook();
  const title = useModel((model) => panelTitle(model, panel, core.userId));
  const crumb = useModel(({ state, screen }) =>
    panel.kind !== "thread" || (beside && panel.cid === screen.cid) ? "" : cidTitle(state, panel.cid),
  );
  const drawn = useMemo(
    (): DrawnRows => ({ rect: { ...rect, height: 1 }, rows: [titleRow(theme, title, crumb, rect.width)] }),
    [rect, theme, title, crumb],
  );
  return <Rows drawn={drawn} />;
});

/** A page of rows, scrolled to `panelTop`. */
const Page = memo(({ panel, rect }: Props<PagePanel>) => {
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
  if (panel.kind === "campaign") return <CampaignView panel={panel} rect={rect} />;
  if (panel.kind === "list") return <List list={panel.list} rect={rect} />;
  return (
    <>
      <Title panel={panel} rect={rect} beside={beside} />
      {panel.kind === "thread" ? (
        <MessageList rect={body} cid={panel.cid} parentId={panel.parentId} focus="panel" />
      ) : panel.kind === "members" ? (
        <Members panel={panel} rect={body} />
      ) : panel.kind === "files" ? (
        <ChannelFiles panel={panel} rect={body} />
      ) : panel.kind === "picture" ? (
        <PictureView panel={panel} rect={body} />
      ) : panel.kind === "map" ? (
        <MapView panel={panel} rect={body} />
      ) : (
        <Page panel={panel} rect={body} />
      )}
    </>
  );
});
