/** The types of frame-memory.mjs for the tests. */
export function rememberFrames(source: string): string;
