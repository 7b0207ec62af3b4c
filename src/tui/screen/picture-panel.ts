/** The state of the picture viewer, which can step through the pictures of a channel. */
import type { Picture, PictureLine } from "../../model/pictures.ts";
import { words } from "../../text/words.ts";
import type { Message } from "../../wire/entities/message.ts";
import { askToConfirm } from "./notices.ts";
import type { Panel } from "./screen.ts";
import type { ScreenStore } from "./store.ts";

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
  fills: "messages",
});

/** What opening a picture needs of those that are drawn. */
interface OpenedPictures {
  retry(picture: Picture): void;
  hostToAsk(picture: Picture): string | undefined;
  trust(host: string): void;
}

/** A picture is opened: it is fetched again after a failure. Asks once about each public host; without a yes its pictures wait to be opened. */
export function pictureOpened(
  { pictures, store }: { pictures: OpenedPictures; store: ScreenStore },
  picture: Picture,
): void {
  pictures.retry(picture);
  const host = pictures.hostToAsk(picture);
  if (host === undefined) return;
  askToConfirm({ store }, { level: "mild", question: words.pictures.trust(host) }, () =>
    pictures.trust(host),
  );
}
