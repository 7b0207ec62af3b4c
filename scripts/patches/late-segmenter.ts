/** What stands in the bundle for `Intl.Segmenter`: the real one, made when a text needs it. */
const { Segmenter } = Intl;

export class LateSegmenter {
  readonly #given: ConstructorParameters<typeof Intl.Segmenter>;
  #made: Intl.Segmenter | undefined;

  constructor(...given: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#given = given;
  }

  segment(text: string): Intl.Segments {
    this.#made ??= new Segmenter(...this.#given);
    return this.#made.segment(text);
  }
}
