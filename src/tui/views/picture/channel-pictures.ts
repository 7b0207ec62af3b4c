/** The pictures of a channel's loaded messages, oldest first. */
import { pictureLines, type PictureLine } from "../../../model/pictures.ts";
import type { ChannelEntry } from "../../../model/state.ts";
import { fileFacts } from "../../render/cards.ts";
import { messagesWithFiles } from "../channel-files/lines.ts";
import type { PicturePanel } from "../../screen/picture-panel.ts";

interface ChannelPictures {
  lines: readonly PictureLine[];
  /** Index of the shown picture; −1 if it is gone. */
  at: number;
}

export function picturesIn(entry: ChannelEntry | undefined, panel: PicturePanel): ChannelPictures {
  const all = entry ? messagesWithFiles(entry, panel.found) : [];
  const lines = all.flatMap((message) => pictureLines(message, fileFacts)).toSorted((a, b) => a.at - b.at);
  const { line } = panel;
  const same = (one: PictureLine): boolean => one.id === line.id && one.picture.url === line.picture.url;
  return { lines, at: lines.findIndex(same) };
}
