/** Settings that change how everything is drawn: theme, time zone, glyphs, hyperlinks, pictures. */
import { emojiNames } from "../../text/emoji.ts";
import type { WidthPolicy } from "../../text/width.ts";
import type { Thumbnails } from "../render/context.ts";
import type { Maps } from "../render/map.ts";
import type { Theme } from "../render/theme.ts";

/** How the list of channels is shown. */
export interface SidebarLook {
  /** Of the channels in their groups; by hand means as the arrangement has it. */
  readonly order?: "activity" | "name" | "manual";
  /** The newest message stands under each channel. */
  readonly preview?: boolean;
}

/** Replaced as a whole, so that whoever draws has one object to compare; a copy of it draws everything anew. */
export interface Look {
  readonly theme: Theme;
  /** Times are shown in UTC instead of the local zone. */
  readonly utc: boolean;
  /** What this terminal draws narrower than others, and what the person wants of emoji. */
  readonly glyphs?: WidthPolicy;
  /** The terminal knows OSC 8. */
  readonly hyperlinks: boolean;
  readonly thumbnails?: Thumbnails;
  /** Maps are drawn; absent = never. */
  readonly maps?: Maps;
  readonly sidebar?: SidebarLook;
  /** Cells that the text of a message is wide at most; 0 = as wide as its pane. */
  readonly textWidth?: number;
  /** Nothing can be written anywhere. */
  readonly readOnly?: true;
}

/** What the person wants of emoji, whatever the terminal draws. */
export const emojiPolicy = ({ emoji }: { emoji?: "pictures" | "names" }): WidthPolicy => ({
  asNames: emoji === "names" ? emojiNames : undefined,
});
