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
import { useLook, useModel, usePorts } from "./context.ts";
import { Rows, type DrawnRows } from "./rows.tsx";
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

/** The width of the rows: a cell less beside a thumb, if the body has too few rows for the page. */
function pageWidth(rowsIn: (width: number) => readonly string[], { width, height }: Rect): number {
  return rowsIn(width).length > height ? width - 1 : width;
}

function scroll<P extends PageState>(page: Page<P>, ports: Ports, panel: P, by: number): void {
  const model = ports.store.get();
  const rect = model.layout.panel && belowTitle(model.layout.panel);
  if (!rect) return;
  const rowsIn = (width: number): string[] => pageRows(page, panel, ports, model, width);
  const { length } = rowsIn(pageWidth(rowsIn, rect));
  const last = Math.max(0, length - rect.height);
  const top = Math.max(0, Math.min(last, (panel.top ?? 0) + by));
  if (top !== (panel.top ?? 0))
    ports.store.update((s) => panelsChanged<P>(s, panel, (one) => ({ ...one, top })));
}

function bodyOf<P extends PageState>(page: Page<P>): PanelDefinition<P>["Body"] {
  return memo(({ panel, rect }: { panel: P; rect: Rect }) => {
    const ports = usePorts();
    const look = useLook();
    const state = useModel(["state"], (model) => model.state);
    const now = useModel(["now"], (model) => model.now);
    const drawn = useMemo((): DrawnRows => {
      const { top = 0 } = panel;
      const { theme } = look;
      const rowsIn = (width: number): string[] => pageRows(page, panel, ports, { state, now, look }, width);
      const width = pageWidth(rowsIn, rect);
      const rows = (): string[] => rowsIn(width);
      const all = rows();
      const thumb = thumbOf(top, rect.height, all.length);
      const shown = all.slice(top, top + Math.max(0, rect.height));
      const drawnRows = thumb ? besideThumb(shown, thumb, { theme, width: rect.width }) : shown;
      return { rect, rows: drawnRows, wraps: () => wrapsOf(rows).slice(top) };
    }, [ports, look, state, panel, rect, now]);
    return <Rows drawn={drawn} />;
  }) as unknown as PanelDefinition<P>["Body"];
}

/** Its keys are those of browsing. */
export function pagePanel<P extends PageState>(page: Page<P>): PanelDefinition<P> & Pick<Page<P>, "rows"> {
  const { name, title, ...rest } = page;
  return {
    ...rest,
    name,
    place: "browse",
    mode: "PANEL",
    title: (model, panel, me) =>
      titleInChannel(model, typeof title === "string" ? title : title(panel), panel.cid, me),
    Body: bodyOf(page),
    actions: {},
    hints: [{ action: "lineDown" }, { action: "lineUp" }],
    list: { move: (ports, panel, by) => scroll(page, ports, panel, by), page: (height) => height - 1 },
    wheel: (ports, panel, rows) => scroll(page, ports, panel, rows),
  };
}
