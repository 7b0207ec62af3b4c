/** Limits of pictures: bytes fetched, and pixels decoded. */

export const MAX_PICTURE_BYTES = 25_000_000;
export const MAX_PIXELS = 40_000_000;
