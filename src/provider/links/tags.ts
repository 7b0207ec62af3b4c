/** The tags and texts of a page's head, in their order: a lexer's scopes turned into names, attributes and plain text. */
import type { Emitter, HLJSApi } from "highlight.js";

export interface Tag {
  /** Lower case; `/title` for a closing one. */
  name: string;
  attributes: Record<string, string>;
}

/** What a page is made of, as far as its preview needs it. */
export interface TagReader {
  tag(tag: Tag): void;
  text(text: string): void;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
};

/** Character references as they are met in heads; an unknown name stays as it is written. */
export function decode(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[(name as string).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : "\uFFFD";
  });
}

/** Tags, names, attributes and values of a head: far more than a real one has, few enough to be quick. */
const ENOUGH = 20_000;

let lexer: HLJSApi | undefined;
/** Where the lexer's scopes go: it knows one receiver class for all its runs, and a run is synchronous. */
let receiver: Scopes | undefined;

async function load(): Promise<HLJSApi> {
  if (lexer) return lexer;
  const [{ default: core }, { default: xml }] = await Promise.all([
    import("highlight.js/lib/core"),
    import("highlight.js/lib/languages/xml"),
  ]);
  const made = core.newInstance();
  // Under a name of its own: scripts are never read as if they were markup.
  made.registerLanguage("page", xml);
  made.configure({ __emitter: Forward });
  return (lexer = made);
}

/** Reads HTML; broken parts are skipped, nothing throws. */
export async function readTags(html: string, reader: TagReader): Promise<void> {
  const loaded = await load();
  receiver = new Scopes(reader);
  try {
    loaded.highlight(html, { language: "page", ignoreIllegals: true });
    receiver.end();
  } catch {
    // Too many tags: what was read until then counts.
  } finally {
    receiver = undefined;
  }
}

/** Gathers the scopes of a tag until it ends. */
class Scopes {
  readonly #reader: TagReader;
  readonly #open: string[] = [];
  #tag: { head: string; name: string; attributes: [string, string][] } | undefined;
  #text = "";
  #scopes = 0;

  constructor(reader: TagReader) {
    this.#reader = reader;
  }

  start(scope: string): void {
    // The lexer takes this for a fault of its own and ends the run.
    if (++this.#scopes > ENOUGH) throw new Error("more tags than any head has");
    if (scope === "tag") {
      this.#flush();
      this.#tag = { head: "", name: "", attributes: [] };
    }
    if (scope === "attr") this.#tag?.attributes.push(["", ""]);
    this.#open.push(scope);
  }

  add(text: string): void {
    const scope = this.#open.at(-1);
    const tag = this.#tag;
    if (tag) {
      const last = tag.attributes.at(-1);
      if (scope === "name") tag.name += text;
      else if (scope === "attr" && last) last[0] += text;
      else if (last && this.#open.includes("string")) last[1] += text;
      else if (tag.name === "") tag.head += text;
    } else if (scope === undefined || scope === "symbol") this.#text += text;
  }

  close(): void {
    if (this.#open.pop() !== "tag" || !this.#tag) return;
    const { head, name, attributes } = this.#tag;
    this.#tag = undefined;
    const closing = head.includes("/") ? "/" : "";
    this.#reader.tag({
      name: `${closing}${name.toLowerCase()}`,
      attributes: Object.fromEntries(
        attributes.map(([key, value]) => [
          key.toLowerCase(),
          decode(value.replace(/^(["'])([^]*)\1$/, "$2")),
        ]),
      ),
    });
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    if (this.#text !== "") this.#reader.text(decode(this.#text));
    this.#text = "";
  }
}

class Forward implements Emitter {
  startScope(name: string): void {
    receiver?.start(name);
  }
  endScope(): void {
    receiver?.close();
  }
  // the names by which the lexer itself calls the two
  openNode(name: string): void {
    receiver?.start(name);
  }
  closeNode(): void {
    receiver?.close();
  }
  addText(text: string): void {
    receiver?.add(text);
  }
  toHTML(): string {
    return "";
  }
  finalize(): void {}
  __addSublanguage(): void {}
}
