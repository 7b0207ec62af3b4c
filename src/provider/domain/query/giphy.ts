/** The preview of `/giphy`: one of the bundled GIFs, chosen by the text, and its three buttons (specification/messages.md §5.1). */
import { createHash } from "node:crypto";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import { GIF_FRAMES, GIF_HEIGHT, GIF_NAMES, GIF_WIDTH, gifAddress, gifBytes } from "../../files/gifs.ts";

/** The name of the command. */
export const GIPHY = "giphy";
export const GIPHY_ACTIONS = ["send", "shuffle", "cancel"] as const;
export type GiphyAction = (typeof GIPHY_ACTIONS)[number];
export const ACTION_NAME = "image_action";

const button = (value: GiphyAction): Record<string, string> => ({
  name: ACTION_NAME,
  text: value[0]!.toUpperCase() + value.slice(1),
  style: value === "send" ? "primary" : "default",
  type: "button",
  value,
});

/** The GIF for a text after `turn` shuffles; all are shown before one repeats. */
function pictureOf(words: string, turn: number): string {
  const start = createHash("sha256").update(words.toLowerCase()).digest().readUInt32BE();
  return GIF_NAMES[(start + turn) % GIF_NAMES.length]!;
}

/** `buttons`: true for a preview. */
export function giphyAttachment(words: string, turn: number, buttons: boolean): Attachment {
  const name = pictureOf(words, turn);
  const url = gifAddress(name);
  const rendition = {
    url,
    width: String(GIF_WIDTH),
    height: String(GIF_HEIGHT),
    frames: String(GIF_FRAMES),
    size: String(gifBytes(name)!.length),
  };
  return {
    type: "giphy",
    title: words,
    title_link: url,
    thumb_url: url,
    giphy: Object.fromEntries(
      ["original", "fixed_height", "fixed_height_still", "fixed_height_downsampled"].map((size) => [
        size,
        rendition,
      ]),
    ),
    ...(buttons ? { actions: GIPHY_ACTIONS.map(button) } : {}),
  } as Attachment;
}
