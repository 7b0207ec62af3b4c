/** How large a picture may be: bytes of a file that are fetched, and pixels that are decoded. */

export const MOST_BYTES = 25_000_000;
export const MOST_PIXELS = 40_000_000;
