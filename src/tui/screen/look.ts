/** Everything that changes how the screen is drawn: theme, time zone, glyphs, hyperlinks, pictures. */
import { emojiNames } from "../../text/emoji.ts";
import type { SoundState } from "../../model/sounds.ts";
import type { WidthPolicy } from "../../text/width.ts";
import type { Thumbnails } from "../render/context.ts";
import type { Maps } from "../render/map.ts";
import type { Theme } from "../render/theme.ts";

/** How the sidebar is shown. */
export interface SidebarLook {
  /** Order of the channels within their groups; `manual` follows the saved arrangement. */
  readonly order?: "activity" | "name" | "manual";
  /** Shows the newest message under each channel. */
  readonly preview?: boolean;
}

export type Spacing = "auto" | "compact" | "roomy";

/** Immutable, so that views compare one object; replacing it by a copy redraws everything. */
export interface Look {
  readonly theme: Theme;
  /** Times are shown in UTC instead of the local zone. */
  readonly utc: boolean;
  /** Which emoji sequences this terminal cannot draw, and whether emoji are shown as names. */
  readonly glyphs?: WidthPolicy;
  /** The terminal supports OSC 8. */
  readonly hyperlinks: boolean;
  readonly thumbnails?: Thumbnails;
  /** The sound that plays, or was played last. */
  readonly sound?: SoundState | undefined;
  /** Absent = no maps. */
  readonly maps?: Maps;
  readonly sidebar?: SidebarLook;
  /** Maximum width of message text in cells; 0 = as wide as its pane. */
  readonly textWidth?: number;
  /** Blank rows between authors. */
  readonly spacing?: Spacing;
  /** Maximum length of a sent text, if that is less than the channel's. */
  readonly longest?: number;
  /** No letter is a key over messages, so that their rows name none. */
  readonly withoutLetters?: boolean;
  /** Nothing can be changed or sent. */
  readonly readOnly?: true;
}

/** The glyph policy of the setting `emoji`. */
export const emojiPolicy = ({ emoji }: { emoji?: "pictures" | "names" }): WidthPolicy => ({
  asNames: emoji === "names" ? emojiNames : undefined,
});
