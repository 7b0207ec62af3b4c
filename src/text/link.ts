/** Finds links in text, and builds OSC 8 hyperlinks from checked addresses only. */
import { LinkifyIt } from "linkify-it";
import { safeUrl } from "./safe-url.ts";
import { LINK_END } from "./wrap.ts";

/** A short stable id, so that the rows of one wrapped link light up together. */
function linkId(href: string): string {
  let hash = 5381;
  for (let i = 0; i < href.length; i++) hash = (Math.imul(hash, 33) ^ href.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

/** `label` as an OSC 8 hyperlink; the label alone when the address is not safe. The label is cleaned text, styled or not. */
export function hyperlink(label: string, address: string): string {
  const url = safeUrl(address);
  return url ? `\x1b]8;id=${linkId(url.href)};${url.href}\x1b\\${label}${LINK_END}` : label;
}

interface FoundLink {
  start: number;
  end: number;
  /** As written. */
  text: string;
  /** The safe address; `http://` is put before a bare host. */
  url: string;
}

/** Ends of bare hosts that the finder does not know by itself and people write all day. */
const MORE_ENDS = ["dev", "app", "cloud", "blog", "tech", "site", "online", "page", "xyz", "chat"];

let finder: LinkifyIt | undefined;

/** Bare words that end like a host but are files to the people who write here: `main.rs`, `README.md`. */
const FILE_LIKE = /^[^/]*\.(md|rs|py|sh|pl|cc|ml|mm|ps|so|tf|hs|vb|zip|mov|pm)$/i;

/** The safe links of a cleaned text, in order. */
export function findLinks(text: string): FoundLink[] {
  // Cheap refusals first: most messages have nothing like a link.
  if (!/:\/\/|\S\.[\p{L}\d]/u.test(text)) return [];
  finder ??= new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false }).tlds(MORE_ENDS, true);
  const found: FoundLink[] = [];
  for (const match of finder.match(text) ?? []) {
    if (match.schema === "" && FILE_LIKE.test(match.text)) continue;
    const url = safeUrl(match.url);
    if (url) found.push({ start: match.index, end: match.lastIndex, text: match.raw, url: url.href });
  }
  return found;
}
