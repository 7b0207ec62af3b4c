/** Types of the library that reads GIFs, as far as it is used; it has none of its own. */
declare module "omggif" {
  class GifReader {
    /** Throws for what is no GIF. */
    constructor(bytes: Uint8Array);
    readonly width: number;
    readonly height: number;
    /** Draws a picture of it, counted from 0, on RGBA pixels. */
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void;
  }
  const omggif: { GifReader: typeof GifReader };
  export default omggif;
}
