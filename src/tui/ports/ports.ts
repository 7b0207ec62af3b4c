/** The ports: everything that actions and views may use; each declares the subset it needs. */
import type { Core } from "../../core/core.ts";
import type { JoinableChannels, Finder } from "../screen/finder.ts";
import type { KeyTable } from "../keys/lookup.ts";
import type { Feeds } from "../views/messages/feed/feeds.ts";
import type { Sounds } from "../sounds/sounds.ts";
import type { Pictures } from "../pictures/pictures.ts";
import type { Boxes } from "../views/composer/boxes/boxes.ts";
import type { Rect } from "../screen/layout.ts";
import type { DrawnPanes } from "../screen/drawn-panes.ts";
import type { Model, ScreenStore, StoreClock } from "../screen/store.ts";
import type {
  ScreenSettings,
  Disk,
  Downloads,
  Profiles,
  Terminal,
  SettingsEditor,
  KeyFile,
  Snippets,
  Extensions,
  Themes,
} from "../screen/host.ts";

/** A part of the screen that handles the mouse; `rect` is undefined while it is not shown. */
export interface MouseZone {
  rect(model: Model, ports: Ports): Rect | undefined;
  /** `x` and `y` are relative to the rectangle. */
  click(ports: Ports, at: { x: number; y: number }, rect: Rect): void;
  /** The right button: moves the cursor to what is under it; true if the zone handled the click itself. */
  secondary?(ports: Ports, at: { x: number; y: number }): boolean;
  /** `rows` to scroll, negative upwards. */
  wheel?(ports: Ports, rows: number, rect: Rect): void;
}

/** Runs an action, whether from a key or chosen from a list. */
export type Action = (ports: Ports) => void;

export interface Ports {
  readonly core: Core;
  readonly store: ScreenStore;
  /** The rows drawn in each pane. */
  readonly drawnPanes: DrawnPanes;
  /** Rows of messages, cached by message and width. */
  readonly feeds: Feeds;
  readonly keys: KeyTable;
  readonly settings: ScreenSettings;
  readonly terminal: Terminal;
  readonly disk: Disk;
  readonly downloads: Downloads;
  readonly profiles: Profiles;
  readonly settingsEditor: SettingsEditor;
  readonly themes: Themes;
  readonly keyFile: KeyFile;
  readonly snippets: Snippets;
  readonly extensions: Extensions;
  /** The composers of all channels and threads. */
  readonly boxes: Boxes;
  /** Runs the typed search. */
  readonly finder: Finder;
  /** Searches for channels the user can join. */
  readonly joinableChannels: JoinableChannels;
  readonly pictures: Pictures;
  readonly sounds: Sounds;
  /** A core with the app's server-side rights; rejects if the profile has no secret. */
  readonly server?: () => Promise<Core>;
  /** Where the journals of this machine's campaigns are. */
  readonly campaignFolder?: string;
  readonly clock: StoreClock;
  /** UUID v4. */
  random(): string;
}
