/** The tags and texts of a page's head, in their order, as htmlparser2 reads them. */

interface Tag {
  /** Lower case; `/title` for a closing one. */
  name: string;
  attributes: Record<string, string>;
}

/** What a page is made of, as far as its preview needs it. */
interface TagReader {
  tag(tag: Tag): void;
  text(text: string): void;
}

/** Tags of a head: far more than a real one has, few enough to be quick. */
const ENOUGH = 20_000;

/** Reads HTML; broken parts are skipped, nothing throws. The parser is loaded with the first page. */
export async function readTags(html: string, reader: TagReader): Promise<void> {
  const { Parser } = await import("htmlparser2");
  let seen = 0;
  let text = "";
  const flush = (): void => {
    if (text !== "") reader.text(text);
    text = "";
  };
  const tag = (name: string, attributes: Record<string, string>): void => {
    flush();
    if (++seen <= ENOUGH) reader.tag({ name, attributes });
    if (seen > ENOUGH) parser.pause();
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => tag(name, attributes),
      onclosetag: (name, implied) => {
        if (!implied) tag(`/${name}`, {});
      },
      // A text comes in pieces, cut at every character reference.
      ontext: (piece) => {
        text += piece;
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  if (seen <= ENOUGH) parser.end();
  flush();
}
