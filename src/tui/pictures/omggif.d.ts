/** The types of the GIF library, which has none of its own; only the used part. */
declare module "omggif" {
  export class GifReader {
    /** Throws if the bytes are no GIF. */
    constructor(bytes: Uint8Array);
    readonly width: number;
    readonly height: number;
    numFrames(): number;
    /** `delay` in 10 ms; how the frame is removed, 0 to 7. */
    frameInfo(frame: number): {
      x: number;
      y: number;
      width: number;
      height: number;
      delay: number;
      disposal: number;
    };
    /** Draws a frame, counted from 0, on RGBA pixels. */
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void;
  }
  const omggif: { GifReader: typeof GifReader };
  export default omggif;
}
