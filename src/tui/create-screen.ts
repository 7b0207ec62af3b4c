/** Assembles a screen: its store, message rendering and composers. */
import { panelsAfter } from "./ports/panels.ts";
import type { Core } from "../core/core.ts";
import type { State } from "../model/state.ts";
import { loadHighlighter } from "../text/highlight.ts";
import { isWithoutLetters, type KeyTable } from "./keys/lookup.ts";
import { createMaps, type MapSetting } from "./maps.ts";
import { createMeasure } from "./measure.ts";
import type { Theme } from "./render/theme.ts";
import { DrawnPanes } from "./screen/drawn-panes.ts";
import type { Ports } from "./ports/ports.ts";
import { emptyScreen, type Screen } from "./screen/screen.ts";
import { withSearch } from "./screen/search.ts";
import { JoinableChannels, Finder } from "./screen/finder.ts";
import { savedTour } from "./screen/tour.ts";
import { memoizeLast, ScreenStore, type UserListStates } from "./screen/store.ts";
import { Boxes } from "./views/composer/boxes/boxes.ts";
import { refreshPicker } from "./screen/choices.ts";
import { savedArrangement } from "./views/sidebar/arrangement.ts";
import { emojiPolicy } from "./screen/look.ts";
import { withLayout } from "./effects/layout.ts";
import { Feeds } from "./views/messages/feed/feeds.ts";

/** What the screen needs from the machine and the program. */
export interface ScreenDeps extends Omit<
  Ports,
  "store" | "drawnPanes" | "feeds" | "keys" | "boxes" | "finder" | "joinableChannels"
> {
  theme: Theme;
  /** The current key table; changes when the key file changes. */
  keys(): KeyTable;
  utc: boolean;
  /** How maps are drawn. */
  maps: MapSetting;
}

/** The first screen state, with what the last run saved: layout, searches, sidebar and tour. */
function initialScreen(core: Core, size: { columns: number; rows: number }): Screen {
  const recent = core.remember<string[]>("searches") ?? [];
  const empty = withLayout(emptyScreen(size.columns, size.rows), core.remember("layout"));
  const screen = withSearch(empty, { recent });
  const folded = core.remember<string[]>("folded");
  const arrangement = savedArrangement(core.remember("arrangement"));
  const sidebar = { ...screen.sidebar, arrangement, ...(folded && { folded: new Set(folded) }) };
  const tour = savedTour(core);
  return { ...screen, sidebar, ...(tour && { tour }) };
}

/** The part of core that is drawn; `lists` stays the same object while no list changes. */
function coreReader(core: Core): () => { state: State; lists: UserListStates } {
  const lists = memoizeLast(
    (
      threads: UserListStates["threads"],
      reminders: UserListStates["reminders"],
      locations: UserListStates["locations"],
    ): UserListStates => ({ threads, reminders, locations }),
  );
  return () => ({
    state: core.state(),
    lists: lists(core.threads.state(), core.reminders.state(), core.locations.state()),
  });
}

/** The message rows; the first code block loads the highlighter. */
function createFeeds(store: ScreenStore): Feeds {
  const feeds = new Feeds();
  feeds.onCode = () => {
    feeds.onCode = undefined;
    // Code is shown without colours until the highlighter is loaded, or always if that fails.
    loadHighlighter().then(
      () => store.restyle((look) => ({ ...look })),
      () => {},
    );
  };
  return feeds;
}

export function createScreen(deps: ScreenDeps, size: { columns: number; rows: number }): Ports {
  const { theme, utc, maps: mapStyle, keys, ...ports } = deps;
  const { core, clock, settings, pictures, profiles, snippets, extensions, themes } = ports;
  const maps = createMaps(mapStyle, (loaded) => store.restyle((look) => ({ ...look, maps: loaded })));
  const store: ScreenStore = new ScreenStore({
    screen: initialScreen(core, size),
    look: {
      theme,
      utc,
      hyperlinks: true,
      thumbnails: pictures,
      maps,
      sidebar: settings.sidebar,
      textWidth: settings.textWidth,
      ...(settings.longest && { longest: settings.longest }),
      ...(settings.spacing && { spacing: settings.spacing }),
      ...(settings.emoji === "names" && { glyphs: emojiPolicy(settings) }),
      ...(settings.readOnly && { readOnly: true }),
      ...(isWithoutLetters(keys()) && { withoutLetters: true }),
    },
    read: coreReader(core),
    clock: clock,
    measure: createMeasure(),
  });
  ports.sounds.onChange = (sound) => store.restyle((look) => ({ ...look, sound }));
  pictures.onChange = () => store.restyle((look) => ({ ...look }));
  const feeds = createFeeds(store);
  const joinableChannels = new JoinableChannels(core, clock);
  const boxes = new Boxes(core, store, settings, {
    themes,
    pictures,
    profiles,
    snippets,
    extensions,
    joinableChannels,
  });
  joinableChannels.subscribe(() => refreshPicker({ core, store }));
  const finder = new Finder(core, store, () => clock.now());
  return {
    ...ports,
    store,
    drawnPanes: new DrawnPanes(),
    feeds,
    boxes,
    finder,
    joinableChannels,
    get keys() {
      return keys();
    },
  };
}

/** Redraws the screen after each change in core; returns a function that unsubscribes. */
export function redrawOnChange({ core, store }: Pick<Ports, "core" | "store">): () => void {
  const unsubscribers = [core, core.threads, core.reminders, core.locations].map((part) =>
    part.subscribe(() => store.scheduleUpdate()),
  );
  unsubscribers.push(
    core.on("all", (event) => {
      store.countEvent();
      store.update((screen) => panelsAfter(screen, event, core.userId), false);
    }),
  );
  return () => unsubscribers.forEach((stop) => stop());
}
