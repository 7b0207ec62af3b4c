/** Everything that is on the screen as rows of strings, pane by pane; the same object comes back while nothing in it changed. */
import type { ChannelEntry, HeldMessage, MessageSet, State } from "../model/state.ts";
import { cellWidth } from "../text/width.ts";
import { words } from "../text/words.ts";
import { choicesOf } from "./views/popup/actions.ts";
import type { Layout, Rect } from "./screen/layout.ts";
import { drawComposer, placeholderFor } from "./panes/composer.ts";
import type { DrawnComposer } from "./panes/composer.ts";
import { headerRow } from "./views/status/header-row.ts";
import { measure, overBox } from "./panes/measure.ts";
import { drawFeed, footRow, newBelow } from "./views/messages/rows.ts";
import type { DrawnFeed } from "./views/messages/rows.ts";
import { drawNotices } from "./views/status/notice-rows.ts";
import { panelRows, panelTitle, titleRow } from "./views/panel/rows.ts";
import { drawCompletion, drawPopup } from "./views/popup/rows.ts";
import type { DrawnPopup } from "./views/popup/rows.ts";
import { sidebarRows } from "./views/sidebar/rows.ts";
import { statusRow } from "./views/status/status-row.ts";
import type { StatusProps } from "./views/status/status-row.ts";
import { channelTitle, typingNames } from "../model/channels.ts";
import { EMPTY_COMPOSER } from "./screen/composer.ts";
import type { Composer } from "./screen/composer.ts";
import type { Feed } from "./views/messages/feed.ts";
import type { Popup } from "./screen/popup.ts";
import { browsePlace, composerPlace, placeKey, topPanel, topPopup, viewOf } from "./screen/screen.ts";
import type { Completion, Panel, ScrollView } from "./screen/screen.ts";
import { shownSet } from "../model/select.ts";
import { shownTop } from "./views/sidebar/lines.ts";
import type { SidebarLine } from "./views/sidebar/lines.ts";
import { memoLast } from "./screen/store.ts";
import type { Model } from "./screen/store.ts";
import type { Ui } from "./ui.ts";

export interface Drawn {
  rect: Rect;
  rows: readonly string[];
}

/** A line each: as one text it is the same as long as nothing about it has changed. */
const typersOf = ({ state, now }: Model, cid: string, parentId?: string): string =>
  typingNames(state.channels.get(cid), state.me, now, parentId).join("\n");

/** Selectors of all panes over one Ui. */
export class Picture {
  readonly #ui: Ui;
  constructor(ui: Ui) {
    this.#ui = ui;
  }

  layout = (model: Model): Layout => measure(model, this.#ui.core.userId);

  /** Connected, but nothing has come yet, is no more in step than after a break. */
  readonly #linkNow = memoLast((link: State["link"], loading: boolean): State["link"] =>
    loading && link.phase === "open" ? { ...link, catchingUp: true } : link,
  );
  #link(model: Model): State["link"] {
    return this.#linkNow(model.state.link, model.screen.loading);
  }

  readonly #header = memoLast(
    (
      entry: ChannelEntry | undefined,
      link: State["link"],
      layout: Layout,
      second: number,
    ): Drawn | undefined =>
      layout.header && {
        rect: layout.header,
        rows: [
          headerRow({
            theme: this.#ui.ports.theme,
            width: layout.columns,
            entry,
            me: this.#ui.core.userId,
            link,
            profile: this.#ui.ports.profile,
            now: second * 1000,
            rules: layout.rules,
          }),
        ],
      },
  );
  header = (model: Model): Drawn | undefined => {
    const { channels } = model.state;
    const link = this.#link(model);
    // Only a countdown looks at the clock.
    const second = link.phase === "waiting" ? Math.floor(model.now / 1000) : 0;
    const { cid } = model.screen;
    return this.#header(cid === undefined ? undefined : channels.get(cid), link, this.layout(model), second);
  };

  readonly #sidebar = memoLast(
    (
      lines: readonly SidebarLine[],
      rect: Rect | undefined,
      top: number,
      cursor: string | undefined,
    ): Drawn | undefined =>
      rect && {
        rect,
        rows: sidebarRows(lines, {
          theme: this.#ui.ports.theme,
          width: rect.width,
          height: rect.height,
          top,
          cursor,
        }).map((r) => r.text),
      },
  );
  sidebarTop(model: Model): number {
    const rect = this.layout(model).sidebar;
    return shownTop(model.screen, this.#ui.sidebarLines(model), rect?.height ?? 1);
  }
  sidebar = (model: Model): Drawn | undefined =>
    this.#sidebar(
      this.#ui.sidebarLines(model),
      this.layout(model).sidebar,
      this.sidebarTop(model),
      model.screen.focus === "sidebar" ? model.screen.sidebar.cursor : undefined,
    );

  readonly #main = memoLast(this.#drawMessages.bind(this));
  main = (model: Model): (Drawn & { feed: DrawnFeed }) | undefined => {
    const rect = this.layout(model).main;
    const { cid, focus } = model.screen;
    if (!rect) return undefined;
    if (cid === undefined) return this.#nothing(rect, model.screen.loading);
    const place = { cid };
    const feed = this.#ui.feeds.feed(model, place, rect.width);
    const set = shownSet(model.state, place);
    return this.#main(
      rect,
      feed,
      viewOf(model.screen, place),
      focus === "messages",
      set,
      typersOf(model, cid),
      undefined,
    );
  };
  readonly #nothing = memoLast((rect: Rect, loading: boolean) => ({
    rect,
    rows: ["", ` ${this.#ui.ports.theme.dim(loading ? words.message.loading : words.channel.none)}`],
    feed: { rows: [], window: { lines: [], atEnd: true, atStart: true } },
  }));

  #drawMessages(
    rect: Rect,
    feed: Feed,
    view: ScrollView,
    browsing: boolean,
    set: MessageSet | undefined,
    typers: string,
    parentId: string | undefined,
  ): Drawn & { feed: DrawnFeed } {
    const { theme } = this.#ui.ports;
    const place = parentId === undefined ? { cid: "" } : { cid: "", parentId };
    const height = this.#ui.feeds.height(rect.height, place);
    const drawn = drawFeed({ theme, feed, height, view, browsing });
    const rows = [...drawn.rows];
    while (rows.length < height) rows.push("");
    if (rect.height > height)
      rows.push(
        footRow(theme, rect.width, typers ? typers.split("\n") : [], drawn.window, newBelow(set, view)),
      );
    return { rect, rows, feed: drawn };
  }

  readonly #thread = memoLast(this.#drawMessages.bind(this));
  readonly #titled = memoLast((title: string, crumb: string, body: Drawn): Drawn => ({
    rect: body.rect,
    rows: [titleRow(this.#ui.ports.theme, title, crumb, body.rect.width), ...body.rows],
  }));
  readonly #panel = memoLast(
    (
      panel: Exclude<Panel, { kind: "thread" }>,
      state: State,
      rect: Rect,
      second: number,
      top: number,
    ): Drawn => ({
      rect,
      rows: panelRows({
        state,
        panel,
        theme: this.#ui.ports.theme,
        width: rect.width,
        context: this.#ui.feeds.context({ ...this.#ui.model, state, now: second * 1000 }, rect.width),
        utc: this.#ui.ports.utc,
      }).slice(top, top + Math.max(0, rect.height - 1)),
    }),
  );
  panel = (model: Model): Drawn | undefined => {
    const layout = this.layout(model);
    const panel = topPanel(model.screen);
    if (!panel || !layout.panel) return undefined;
    const me = this.#ui.core.userId;
    const entry = model.state.channels.get(panel.cid);
    const title = panelTitle(model.state, panel, me);
    const crumb = layout.beside || !entry || panel.kind !== "thread" ? "" : channelTitle(entry, me);
    if (panel.kind !== "thread")
      return this.#titled(
        title,
        crumb,
        this.#panel(panel, model.state, layout.panel, Math.floor(model.now / 1000), model.screen.panelTop),
      );
    const place = { cid: panel.cid, parentId: panel.parentId };
    const feed = this.#ui.feeds.feed(model, place, layout.panel.width);
    const set = shownSet(model.state, place);
    const drawn = this.#thread(
      layout.panel,
      feed,
      viewOf(model.screen, place),
      model.screen.focus === "panel",
      set,
      typersOf(model, panel.cid, panel.parentId),
      panel.parentId,
    );
    return this.#titled(title, crumb, drawn);
  };
  /** The window of the thread, for paging. */
  threadWindow = (model: Model): DrawnFeed | undefined => {
    const panel = topPanel(model.screen);
    const rect = this.layout(model).panel;
    if (panel?.kind !== "thread" || !rect) return undefined;
    const place = { cid: panel.cid, parentId: panel.parentId };
    return this.#thread(
      rect,
      this.#ui.feeds.feed(model, place, rect.width),
      viewOf(model.screen, place),
      model.screen.focus === "panel",
      shownSet(model.state, place),
      typersOf(model, panel.cid, panel.parentId),
      panel.parentId,
    ).feed;
  };

  readonly #composer = memoLast(
    (
      rect: Rect,
      composer: Composer,
      placeholder: string,
      shut: string | undefined,
      help: string | undefined,
      reply: string | undefined,
      note: string,
    ): Drawn & DrawnComposer => ({
      rect,
      ...drawComposer({
        theme: this.#ui.ports.theme,
        width: rect.width,
        height: rect.height,
        composer,
        placeholder,
        over: {
          ...(shut !== undefined && { shut }),
          ...(help !== undefined && { link: help.split("\n") as [string, ...string[]] }),
          ...(reply !== undefined && { reply }),
        },
        note,
      }),
    }),
  );
  composer = (model: Model): Drawn & DrawnComposer => {
    const place = composerPlace(model.screen);
    const box = (place && model.screen.composers.get(placeKey(place))) ?? EMPTY_COMPOSER;
    const entry = place && model.state.channels.get(place.cid);
    const placeholder = entry
      ? placeholderFor(channelTitle(entry, this.#ui.core.userId), place.parentId !== undefined)
      : model.screen.loading
        ? words.message.loading
        : words.channel.none;
    const note = box.editor.text !== "" && !box.editing ? words.channel.draftKept : "";
    const over = overBox(model, this.#ui.core.userId, { utc: this.#ui.ports.utc });
    const { composer } = this.layout(model);
    // As one text, so that the same words are the same picture.
    const help = over.link?.join("\n");
    return this.#composer(composer, box, placeholder, over.shut, help, over.reply, note);
  };

  readonly #status = memoLast(
    (
      layout: Layout,
      mode: StatusProps["mode"],
      link: State["link"],
      outbox: number,
      storage: string | undefined,
      selected: HeldMessage | undefined,
      pendingKey: string | undefined,
      leaving: boolean,
      popup: Popup | undefined,
      thread: boolean,
    ): Drawn | undefined =>
      layout.status && {
        rect: layout.status,
        rows: [
          statusRow({
            theme: this.#ui.ports.theme,
            width: layout.columns,
            table: this.#ui.table,
            mode,
            link,
            outbox,
            storage,
            selected,
            mine: selected?.user?.id === this.#ui.core.userId,
            pendingKey,
            leaving,
            popup,
            thread,
          }),
        ],
      },
  );
  status = (model: Model): Drawn | undefined => {
    const { screen, state } = model;
    const place = browsePlace(screen);
    const browsing = screen.focus === "messages" || screen.focus === "panel";
    const id = browsing ? viewOf(screen, place).selected : undefined;
    const set = place && shownSet(state, place);
    const at = id === undefined ? -1 : (set?.messages.indexOf(id) ?? -1);
    const box = composerPlace(screen);
    const editing = box && screen.composers.get(placeKey(box))?.editing;
    const mode: StatusProps["mode"] = screen.popups.length
      ? "CHOOSE"
      : screen.focus === "composer"
        ? editing
          ? "EDIT"
          : "WRITE"
        : screen.focus === "sidebar"
          ? "LIST"
          : place
            ? "BROWSE"
            : "PANEL";
    return this.#status(
      this.layout(model),
      mode,
      this.#link(model),
      state.outbox,
      state.storage,
      at < 0 ? undefined : set!.messages.at(at),
      screen.pendingKey,
      screen.leaving,
      topPopup(screen),
      box?.parentId !== undefined,
    );
  };

  /** The line between body and box, joined to the rules above it. */
  readonly #divider = memoLast((layout: Layout): Drawn | undefined => {
    if (layout.divider === undefined) return undefined;
    let row = "├";
    for (let x = 1; x < layout.columns - 1; x++) row += layout.rules.includes(x) ? "┴" : "─";
    return {
      rect: { x: 0, y: layout.divider, width: layout.columns, height: 1 },
      rows: [this.#ui.ports.theme.dim(`${row}┤`)],
    };
  });
  divider = (model: Model): Drawn | undefined => this.#divider(this.layout(model));

  readonly #completion = memoLast((completion: Completion, layout: Layout, left: number): DrawnPopup =>
    drawCompletion(completion, {
      theme: this.#ui.ports.theme,
      columns: layout.columns,
      bottom: layout.divider ?? layout.composer.y,
      left,
    }),
  );
  completion = (model: Model): DrawnPopup | undefined => {
    const { completion, popups } = model.screen;
    if (!completion || popups.length) return undefined;
    const { composer } = this.layout(model);
    const text = this.#ui.composer().editor.text;
    const lineStart = text.lastIndexOf("\n", completion.start - 1) + 1;
    const before = cellWidth(text.slice(lineStart, completion.start));
    return this.#completion(
      completion,
      this.layout(model),
      composer.x + 2 + (before % Math.max(1, composer.width)),
    );
  };

  readonly #popup = memoLast(
    (popup: Popup, layout: Layout, minute: number, _state: State | undefined): DrawnPopup => {
      void minute;
      return drawPopup(popup, {
        theme: this.#ui.ports.theme,
        columns: layout.columns,
        rows: layout.rows,
        table: this.#ui.table,
        choices: choicesOf(this.#ui, popup),
      });
    },
  );
  popup = (model: Model): DrawnPopup | undefined => {
    const popup = topPopup(model.screen);
    return popup && this.#popup(popup, this.layout(model), Math.floor(model.now / 60_000), undefined);
  };

  readonly #notices = memoLast((notices: State["notices"], layout: Layout) =>
    drawNotices(notices, { theme: this.#ui.ports.theme, columns: layout.columns, rows: layout.rows }),
  );
  notices = (model: Model): Drawn | undefined => this.#notices(model.state.notices, this.layout(model));

  readonly #caret = memoLast((x: number, y: number) => ({ x, y }));
  /** Where the terminal's cursor stands; undefined hides it. */
  caret = (model: Model): { x: number; y: number } | undefined => {
    const popup = this.popup(model);
    if (popup) return popup.cursor && this.#caret(popup.cursor.x, popup.cursor.y);
    if (model.screen.focus !== "composer") return undefined;
    const { rect, cursor } = this.composer(model);
    return this.#caret(rect.x + cursor.x, rect.y + cursor.y);
  };
}
