/** Types of bundle-patches.mjs for the tests that look into it. */
import type { Plugin } from "esbuild";
export const EMOJI_PREFIX: string;
export const lighter: Plugin;
