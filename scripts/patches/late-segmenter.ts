/** Replaces `Intl.Segmenter` in the bundle; creates the real one for the first text whose graphemes are not its code points. */
import { isSinglePoints } from "../../src/text/graphemes.ts";

const { Segmenter } = Intl;

export class LateSegmenter {
  readonly #given: ConstructorParameters<typeof Intl.Segmenter>;
  readonly #graphemes: boolean;
  #made: Intl.Segmenter | undefined;

  constructor(...given: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#given = given;
    this.#graphemes = (given[1]?.granularity ?? "grapheme") === "grapheme";
  }

  segment(text: string): Intl.Segments {
    const real = (): Intl.Segments => (this.#made ??= new Segmenter(...this.#given)).segment(text);
    if (!this.#graphemes || !isSinglePoints(text)) return real();
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
