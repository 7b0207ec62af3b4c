/** Limits of pictures: bytes fetched, and pixels decoded. */

export const MOST_BYTES = 25_000_000;
export const MOST_PIXELS = 40_000_000;
