/** Reads the tags and texts of an HTML page in order, with htmlparser2. */

interface Tag {
  /** Lower case; `/title` for a closing one. */
  name: string;
  attributes: Record<string, string>;
}

interface TagReader {
  tag(tag: Tag): void;
  text(text: string): void;
}

/** Most tags to read: far more than a real head has, few enough to be fast. */
const MAX_TAGS = 20_000;

/** Reads HTML; malformed parts are skipped, nothing throws. The parser is loaded with the first page. */
export async function readTags(html: string, reader: TagReader): Promise<void> {
  const { Parser } = await import("htmlparser2");
  let count = 0;
  let text = "";
  const flush = (): void => {
    if (text !== "") reader.text(text);
    text = "";
  };
  const tag = (name: string, attributes: Record<string, string>): void => {
    flush();
    if (++count <= MAX_TAGS) reader.tag({ name, attributes });
    if (count > MAX_TAGS) parser.pause();
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => tag(name, attributes),
      onclosetag: (name, implied) => {
        if (!implied) tag(`/${name}`, {});
      },
      // The parser splits a text at every character reference.
      ontext: (piece) => {
        text += piece;
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  if (count <= MAX_TAGS) parser.end();
  flush();
}
