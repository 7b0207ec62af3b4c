/** The patches applied to libraries while bundling. Each file says why, what it gains, and which upstream change would replace it. */
import { gotFormData, gotHttp2 } from "./patches/got.ts";
import { inkFrames } from "./patches/ink.ts";
import { isFormats } from "./patches/is.ts";
import { nodeEmoji } from "./patches/node-emoji.ts";
import { nodeHttp } from "./patches/node-http.ts";
import { lateSegmenter } from "./patches/segmenter.ts";
import { sixelStrict } from "./patches/sixel.ts";
import { emojiPrefix, oneWidth } from "./patches/string-width.ts";
import { yogaLayout } from "./patches/yoga-layout.ts";

export const bundlePatches = [
  yogaLayout,
  gotFormData,
  gotHttp2,
  isFormats,
  nodeHttp,
  nodeEmoji,
  oneWidth,
  emojiPrefix,
  lateSegmenter,
  sixelStrict,
  ...inkFrames,
];
