/** Attachments of an import for files and pictures of another service. */
import type { Tally } from "../../tally.ts";
import { boundedAttachment, isWebAddress, shortened, withoutNothing } from "./fields.ts";
import type { ForeignScope } from "./format.ts";
import type { ExportFile } from "./zip.ts";

interface ShownFile {
  /** In the export itself. */
  file?: ExportFile | undefined;
  /** Unique in the export: the copy has this before its name. */
  id: string;
  name: string;
  address?: string | undefined;
  mime_type?: string | undefined;
  size?: number | undefined;
  /** Seconds. */
  duration?: number | undefined;
}

const KINDS: readonly (readonly [kind: "image" | "video" | "audio", extensions: RegExp])[] = [
  ["image", /\.(png|jpe?g|gif|webp|bmp|avif|heic)$/i],
  ["video", /\.(mp4|webm|mov|mkv|avi|m4v)$/i],
  ["audio", /\.(mp3|ogg|oga|opus|wav|m4a|flac|aac)$/i],
];

/** By the media type, else by the name. */
function kindOf({ name, mime_type: mime = "" }: ShownFile): "image" | "video" | "audio" | "file" {
  const [kind] = KINDS.find(([one, extensions]) =>
    mime === "" ? extensions.test(name) : mime.startsWith(`${one}/`),
  ) ?? ["file" as const];
  return kind;
}

/** The attachment, or undefined for a file that is nowhere, with the reason counted: `missing` says where it should be. */
export function fileAttachment(
  one: ShownFile,
  { media }: ForeignScope,
  tally: Tally,
  missing = "not in the export",
): object | undefined {
  const { file, id, name, address, mime_type, size, duration } = one;
  const taken = file && media.address(file, `${id}-${name}`, tally);
  const url = taken ?? (isWebAddress(address) ? address : undefined);
  if (url === undefined) {
    if (!file) tally.add("file", missing);
    return undefined;
  }
  const kind = kindOf(one);
  return boundedAttachment({
    type: kind,
    title: shortened(name) || "file",
    ...(kind === "image" ? { image_url: url } : { asset_url: url }),
    ...withoutNothing({ mime_type, duration }),
    ...(Number.isSafeInteger(size) && size! >= 0 ? { file_size: size } : {}),
  });
}

/** What a text says of a file that is not there. */
export const missingFileText = (name: string): string =>
  `_File not in the export${name === "" ? "" : `: ${shortened(name)}`}_`;
