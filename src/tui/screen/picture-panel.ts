/** The state of the picture viewer, which can step through the pictures of a channel. */
import type { PictureLine } from "../../model/pictures.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Panel } from "./screen.ts";

export const PICTURE = "picture";

export interface PicturePanel extends Panel {
  readonly cid: string;
  readonly line: PictureLine;
  /** Messages found in addition to the loaded ones. */
  readonly found: readonly Message[];
  /** Cursor of the next page, if there is one. */
  readonly next?: string;
  readonly loading?: boolean;
}

export const picturePanel = (cid: string, line: PictureLine): PicturePanel => ({
  name: PICTURE,
  key: cid,
  cid,
  line,
  found: [],
});
