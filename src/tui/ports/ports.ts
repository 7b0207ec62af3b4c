/** What actions and views of the screen are given; each names what it needs of it. */
import type { Core } from "../../core/core.ts";
import type { OpenChannels } from "../screen/open-channels.ts";
import type { KeyTable } from "../keys/lookup.ts";
import type { Feeds } from "../views/messages/feed/feeds.ts";
import type { Pictures } from "../pictures/pictures.ts";
import type { Finder } from "../screen/finder.ts";
import type { Boxes } from "../views/composer/boxes/boxes.ts";
import type { Rect } from "../screen/layout.ts";
import type { DrawnPanes } from "../screen/drawn-panes.ts";
import type { Model, ScreenStore } from "../screen/store.ts";
import type {
  ScreenSettings,
  Disk,
  Downloads,
  Profiles,
  Terminal,
  OwnSettings,
  KeyFile,
  Snippets,
  Themes,
} from "../screen/host.ts";

/** A part of the screen under the mouse; without a rectangle it is not there now. */
export interface MouseZone {
  rect(model: Model, ports: Ports): Rect | undefined;
  /** `x` and `y` from the top left of the rectangle. */
  click(ports: Ports, at: { x: number; y: number }, rect: Rect): void;
  /** The right button: what is under it has the cursor, or has answered by itself and gives back true. */
  secondary?(ports: Ports, at: { x: number; y: number }): boolean;
  /** `rows` to go, negative upwards. */
  wheel?(ports: Ports, rows: number, rect: Rect): void;
}

/** What an action does, by a key or chosen from a list. */
export type Action = (ports: Ports) => void;

export interface Ports {
  readonly core: Core;
  readonly store: ScreenStore;
  /** What stands in the panes. */
  readonly drawnPanes: DrawnPanes;
  /** Rows of messages, cut once for each message and width. */
  readonly feeds: Feeds;
  readonly keys: KeyTable;
  readonly settings: ScreenSettings;
  readonly terminal: Terminal;
  readonly disk: Disk;
  readonly downloads: Downloads;
  readonly profiles: Profiles;
  readonly ownSettings: OwnSettings;
  readonly themes: Themes;
  readonly keyFile: KeyFile;
  readonly snippets: Snippets;
  /** What is being written, everywhere. */
  readonly boxes: Boxes;
  /** Looks for what is typed in the search. */
  readonly finder: Finder;
  /** Asks for channels that one could join. */
  readonly openChannels: OpenChannels;
  readonly pictures: Pictures;
  /** Who speaks for the app; rejects where the profile holds no secret. */
  readonly server?: () => Promise<Core>;
  readonly clock: { now(): number };
  /** UUID v4. */
  random(): string;
}
