/** Replaces `Intl.Segmenter` in the bundle; creates the real one for the first text whose graphemes are not its code points. */
import { isSinglePoints } from "../../src/text/graphemes.ts";

const { Segmenter } = Intl;

export class LateSegmenter {
  readonly #args: ConstructorParameters<typeof Intl.Segmenter>;
  readonly #isByGrapheme: boolean;
  #segmenter: Intl.Segmenter | undefined;

  constructor(...args: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#args = args;
    this.#isByGrapheme = (args[1]?.granularity ?? "grapheme") === "grapheme";
  }

  segment(text: string): Intl.Segments {
    const real = (): Intl.Segments => (this.#segmenter ??= new Segmenter(...this.#args)).segment(text);
    if (!this.#isByGrapheme || !isSinglePoints(text)) return real();
    return {
      [Symbol.iterator]: () => points(text),
      containing: (index) => real().containing(index),
    } as Intl.Segments;
  }
}

function* points(input: string): IterableIterator<Intl.SegmentData> {
  let index = 0;
  for (const segment of input) {
    yield { segment, index, input };
    index += segment.length;
  }
}
