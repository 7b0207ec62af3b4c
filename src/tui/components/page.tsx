/** A panel that is a page of rows, scrolled by the keys of lists and the wheel. */
import { memo, useMemo } from "react";
import type { ChannelEntry, State } from "../../model/state.ts";
import { words } from "../../text/words.ts";
import { wrapsOf } from "../../text/wrap.ts";
import { titleInChannel, type PanelDefinition } from "../ports/panels.ts";
import type { Ports } from "../ports/ports.ts";
import type { RowContext } from "../render/context.ts";
import { belowTitle, type Rect } from "../screen/layout.ts";
import { panelsChanged, type Panel } from "../screen/screen.ts";
import { memoizeLast } from "../screen/store.ts";
import { useLook, useModel, usePorts } from "./context.ts";
import { Rows, type DrawnRows } from "./rows.tsx";
import { linesShown } from "./box.ts";
import { besideThumb, thumbOf } from "./thumb.ts";

/** The state of a page about a channel, or about something in it. */
export interface PageState extends Panel {
  readonly cid: string;
  /** The first visible row. */
  readonly top?: number;
}

interface PageRows<P extends PageState> {
  entry: ChannelEntry;
  panel: P;
  state: State;
  width: number;
  context: RowContext;
}

interface Page<P extends PageState> extends Pick<PanelDefinition<P>, "show" | "restore" | "copies"> {
  name: string;
  /** Before the name of the channel. */
  title: string | ((panel: P) => string);
  rows(about: PageRows<P>): string[];
}

type Drawing = Pick<Parameters<Ports["feeds"]["context"]>[0], "state" | "now" | "look">;

/** All rows of a page. */
function pageRows<P extends PageState>(
  { rows }: Pick<Page<P>, "rows">,
  panel: P,
  { feeds }: Pick<Ports, "feeds">,
  model: Drawing,
  width: number,
): string[] {
  const { state } = model;
  const context = feeds.context(model, width);
  const entry = state.channels.get(panel.cid);
  return entry
    ? rows({ entry, panel, state, width, context })
    : [context.theme.dim(` ${words.channel.gone}`)];
}

interface Fitted {
  rows: string[];
  width: number;
}

/** All rows at the width of the body: a cell less beside a thumb, if the body has too few rows for the page. */
type Fit<P extends PageState> = (
  panel: P,
  ports: Pick<Ports, "feeds">,
  model: Drawing,
  rect: Pick<Rect, "width" | "height">,
) => Fitted;

/** Title and body need the same rows, which are made once. */
function fitOf<P extends PageState>(page: Pick<Page<P>, "rows">): Fit<P> {
  const fitted = memoizeLast(
    (
      panel: P,
      feeds: Ports["feeds"],
      state: Drawing["state"],
      now: number,
      look: Drawing["look"],
      width: number,
      height: number,
    ): Fitted => {
      const rowsIn = (cells: number): string[] =>
        pageRows(page, panel, { feeds }, { state, now, look }, cells);
      const rows = rowsIn(width);
      return rows.length <= height ? { rows, width } : { rows: rowsIn(width - 1), width: width - 1 };
    },
  );
  return (panel, { feeds }, { state, now, look }, { width, height }) =>
    fitted(panel, feeds, state, now, look, width, height);
}

function scroll<P extends PageState>(fit: Fit<P>, ports: Ports, panel: P, by: number): void {
  const model = ports.store.get();
  const rect = model.layout.panel && belowTitle(model.layout.panel);
  if (!rect) return;
  const { length } = fit(panel, ports, model, rect).rows;
  const last = Math.max(0, length - rect.height);
  const top = Math.max(0, Math.min(last, (panel.top ?? 0) + by));
  if (top !== (panel.top ?? 0))
    ports.store.update((s) => panelsChanged<P>(s, panel, (one) => ({ ...one, top })));
}

function bodyOf<P extends PageState>(page: Page<P>, fit: Fit<P>): PanelDefinition<P>["Body"] {
  return memo(({ panel, rect }: { panel: P; rect: Rect }) => {
    const ports = usePorts();
    const look = useLook();
    const state = useModel(["state"], (model) => model.state);
    const now = useModel(["now"], (model) => model.now);
    const drawn = useMemo((): DrawnRows => {
      const { top = 0 } = panel;
      const { theme } = look;
      const model = { state, now, look };
      const { rows: all, width } = fit(panel, ports, model, rect);
      const thumb = thumbOf(top, rect.height, all.length);
      const shown = all.slice(top, top + Math.max(0, rect.height));
      const drawnRows = thumb ? besideThumb(shown, thumb, { theme, width: rect.width }) : shown;
      const wraps = () => wrapsOf(() => pageRows(page, panel, ports, model, width)).slice(top);
      return { rect, rows: drawnRows, wraps };
    }, [ports, look, state, panel, rect, now]);
    return <Rows drawn={drawn} />;
  }) as unknown as PanelDefinition<P>["Body"];
}

/** Its keys are those of browsing. */
export function pagePanel<P extends PageState>(page: Page<P>): PanelDefinition<P> & Pick<Page<P>, "rows"> {
  const { name, title, ...rest } = page;
  const fit = fitOf(page);
  return {
    ...rest,
    name,
    place: "browse",
    mode: "PANEL",
    title: (model, panel, me) =>
      titleInChannel(model, typeof title === "string" ? title : title(panel), panel.cid, me),
    position(model, panel, ports) {
      const rect = model.layout.panel && belowTitle(model.layout.panel);
      if (!rect) return "";
      return linesShown(panel.top ?? 0, rect.height, fit(panel, ports, model, rect).rows.length);
    },
    Body: bodyOf(page, fit),
    actions: {},
    hints: [{ action: "lineDown" }, { action: "lineUp" }],
    list: { move: (ports, panel, by) => scroll(fit, ports, panel, by), page: (height) => height - 1 },
    wheel: (ports, panel, rows) => scroll(fit, ports, panel, rows),
  };
}
