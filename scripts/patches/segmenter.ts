/** Intl.Segmenter: the first one of a process, which loads the Unicode rules, is created when a text needs it. */
// Why: string-width, Ink and two of its helpers create one each at load time; the first takes 11 to 13 ms, and most
// texts of `--help`, of a send and of a list need none.
// Gains: a tenth of `--help`, and of the first frame if its texts are plain.
// Upstream: segmenters created on first use.
import path from "node:path";
import type { Plugin } from "esbuild";

export const lateSegmenter: Plugin = {
  name: "Intl.Segmenter: when a text needs it",
  setup({ initialOptions }) {
    initialOptions.define = { ...initialOptions.define, "Intl.Segmenter": "LateSegmenter" };
    initialOptions.inject = [
      ...(initialOptions.inject ?? []),
      path.join(import.meta.dirname, "late-segmenter.ts"),
    ];
  },
};
