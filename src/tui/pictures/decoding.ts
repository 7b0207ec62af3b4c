/** Decodes a picture file for the terminal; reads the header first, to refuse decompression bombs before decoding. */
// @napi-rs/image is native, MIT, 18 MB and has no install script. sharp needs libvips (LGPL); decoders in plain JavaScript took up
// to 3.8 GB for a decompression bomb, which this one refuses at once.
import { open, readFile } from "node:fs/promises";
import { orientedSize } from "../../model/oriented-size.ts";
import { delaysOf, firstGifFrame, framePlan, framesOf, openGif } from "./gif.ts";
import { MAX_PIXELS } from "./limits.ts";
import { cellsFor, type Cells, type Pixels } from "./size.ts";

/** The header with the picture's size must be within these first bytes. */
const MAX_HEADER_BYTES = 256 * 1024;
/** Maximum number of colours of a sixel picture. */
const SIXEL_COLOURS = 128;

/** RGBA pixels (two per cell, one above the other), PNG, a file for iTerm2, or sixel. */
export type PictureForm = "pixels" | "png" | "file" | "sixel";

export interface DecodeRequest {
  file: string;
  form: PictureForm;
  /** The available cells, and the size of one in pixels. */
  box: Cells;
  cell: Pixels;
}

/** A moving picture: what it shows, and how long (ms). */
export interface Animation {
  kind: "animation";
  frames: readonly { picture: Decoded; ms: number }[];
}

export interface Decoded extends Cells {
  kind: "decoded";
  form: PictureForm;
  /** Size of the picture in `data`. */
  size: Pixels;
  data: Uint8Array;
}

/** Why a picture is not drawn. `size` is the size given in its header. */
export interface Refused {
  kind: "refused";
  why: "bytes" | "pixels" | "type" | "damaged" | "time" | "missing" | "fetch";
  size?: Pixels;
}

const refuse = (why: Refused["why"], size?: Pixels): Refused => ({
  kind: "refused",
  why,
  ...(size && { size }),
});

const TYPES = new Set(["png", "jpg", "webp", "gif"]);

interface Header extends Pixels {
  type: string;
  /** The size after applying the EXIF orientation. */
  orientedSize: Pixels;
}

async function readHeader(file: string): Promise<Header | undefined> {
  const { imageSize } = await import("image-size");
  const handle = await open(file);
  try {
    const head = new Uint8Array(MAX_HEADER_BYTES);
    const { bytesRead } = await handle.read(head, 0, MAX_HEADER_BYTES, 0);
    const found = imageSize(head.subarray(0, bytesRead));
    const { width, height, type = "" } = found;
    return { width, height, type, orientedSize: orientedSize(found) };
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

const isBomb = ({ width, height }: Pixels): boolean =>
  !(width > 0 && height > 0 && width * height <= MAX_PIXELS);

type Library = typeof import("@napi-rs/image");

async function openPicture({ Transformer }: Library, bytes: Uint8Array, type: string) {
  if (type === "gif") {
    const { rgba, size } = firstGifFrame(await openGif(bytes));
    return Transformer.fromRgbaPixels(rgba, size.width, size.height);
  }
  const picture = new Transformer(bytes);
  // The decoder may read another size from the header than image-size did.
  if (isBomb(picture.metadataSync())) throw new RangeError("too many pixels");
  return picture.rotate();
}

/** The size in pixels of a form in these cells; sixel heights are multiples of six. */
function pixelsFor(form: PictureForm, { cols, rows }: Cells, cell: Pixels): Pixels {
  if (form === "pixels") return { width: cols, height: rows * 2 };
  const height = rows * cell.height;
  return { width: cols * cell.width, height: form === "sixel" ? Math.max(6, height - (height % 6)) : height };
}

async function encodePicture(
  picture: InstanceType<Library["Transformer"]>,
  { form, type, size }: { form: PictureForm; type: string; size: Pixels },
): Promise<Uint8Array> {
  // A photo as JPEG is a tenth of its PNG, and is sent again with every redraw.
  if (form === "file" && type === "jpg") return picture.jpegSync(85);
  if (form === "file" || form === "png") return picture.pngSync();
  const rgba = picture.rawPixelsSync();
  if (form === "pixels") return rgba;
  return Buffer.from(await sixelOf(rgba, size), "latin1");
}

/** The colours of the pixels; undefined if there are more than a sixel picture can have. */
function exactPalette(rgba: Uint8Array): [number, number, number][] | undefined {
  const colours = new Set<number>();
  for (let at = 0; at < rgba.length; at += 4) {
    colours.add((rgba[at]! << 16) | (rgba[at + 1]! << 8) | rgba[at + 2]!);
    if (colours.size > SIXEL_COLOURS) return undefined;
  }
  return [...colours].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
}

/** With few colours, each is used exactly; the library's palette would mix them. */
async function sixelOf(rgba: Uint8Array, { width, height }: Pixels): Promise<string> {
  const { default: sixel } = await import("sixel/lib/SixelEncoder.js");
  const { FINALIZER, image2sixel, introducer, sixelEncode } = sixel;
  const palette = exactPalette(rgba);
  // The library sorts a slice of the pixels in place, and a Buffer's slice shares memory: so a copy.
  if (!palette) return image2sixel(new Uint8Array(rgba), width, height, SIXEL_COLOURS, 1);
  return introducer(1) + sixelEncode(rgba, width, height, palette) + FINALIZER;
}

/** Most frames, and bytes of all of them, of a moving picture. */
const MAX_FRAMES = 32;
const MAX_ANIMATION_BYTES = 8_000_000;

interface Opened {
  library: Library;
  bytes: Uint8Array;
  type: string;
  cells: Cells;
  size: Pixels;
}

/** Reads a file, if its header promises a picture of these types that is not too large, and uses it. Never throws, whatever the file contains. */
async function withPicture<R>(
  { file, form, box, cell }: DecodeRequest,
  types: ReadonlySet<string>,
  use: (opened: Opened) => Promise<R | Refused>,
): Promise<R | Refused> {
  const header = await readHeader(file);
  if (!header) return refuse("damaged");
  const { type, orientedSize } = header;
  if (!types.has(type)) return refuse("type");
  if (isBomb(header)) return refuse("pixels", orientedSize);
  const library = await import("@napi-rs/image").catch(() => undefined);
  if (!library) return refuse("missing");
  const cells = cellsFor(orientedSize, box, cell);
  const size = pixelsFor(form, cells, cell);
  try {
    return await use({ library, bytes: await readFile(file), type, cells, size });
  } catch (error) {
    return refuse(error instanceof RangeError ? "pixels" : "damaged", orientedSize);
  }
}

export const decode = (request: DecodeRequest): Promise<Decoded | Refused> =>
  withPicture(request, TYPES, async ({ library, bytes, type, cells, size }): Promise<Decoded> => {
    const { form } = request;
    const original = await openPicture(library, bytes, type);
    const picture = original.fastResize({ ...size, fit: library.ResizeFit.Fill });
    const data = await encodePicture(picture, { form, type, size });
    return { kind: "decoded", form, ...cells, size, data };
  });

/** The frames of a GIF, drawn in the same cells; one that does not move is refused. */
export const decodeMoving = (request: DecodeRequest): Promise<Animation | Refused> =>
  withPicture(request, new Set(["gif"]), async ({ library, bytes, cells, size }) => {
    const gif = await openGif(bytes);
    const plan = framePlan(delaysOf(gif), MAX_FRAMES);
    if (plan.length < 2) return refuse("type");
    const { form } = request;
    const frames: { picture: Decoded; ms: number }[] = [];
    let total = 0;
    for (const { rgba, ms } of framesOf(gif, plan)) {
      const whole = library.Transformer.fromRgbaPixels(rgba, gif.width, gif.height);
      const picture = whole.fastResize({ ...size, fit: library.ResizeFit.Fill });
      const data = await encodePicture(picture, { form, type: "gif", size });
      total += data.length;
      if (total > MAX_ANIMATION_BYTES) return refuse("bytes");
      frames.push({ picture: { kind: "decoded", form, ...cells, size, data }, ms });
    }
    return { kind: "animation", frames } as const;
  });
