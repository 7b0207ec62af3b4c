/** Finds links in text, and builds OSC 8 hyperlinks from checked addresses only. */
import { LinkifyIt } from "linkify-it";
import { safeUrl } from "./safe-url.ts";
import { LINK_END } from "./wrap.ts";

/** A short stable id, so that terminals highlight all rows of a wrapped link together. */
function linkId(href: string): string {
  let hash = 5381;
  for (let i = 0; i < href.length; i++) hash = (Math.imul(hash, 33) ^ href.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

/** `label` as an OSC 8 hyperlink, or unchanged if the address is not safe. The label is sanitized text, with or without styles. */
export function hyperlink(label: string, address: string): string {
  const url = safeUrl(address);
  return url ? `\x1b]8;id=${linkId(url.href)};${url.href}\x1b\\${label}${LINK_END}` : label;
}

interface FoundLink {
  start: number;
  end: number;
  text: string;
  /** The safe address; `http://` is prepended to a bare host. */
  url: string;
}

/** Common top-level domains that the library does not detect by default. */
const EXTRA_TLDS = ["dev", "app", "cloud", "blog", "tech", "site", "online", "page", "xyz", "chat"];

let linkifier: LinkifyIt | undefined;

/** Words that look like hosts but are usually file names: `main.rs`, `README.md`. */
const FILE_LIKE = /^[^/]*\.(md|rs|py|sh|pl|cc|ml|mm|ps|so|tf|hs|vb|zip|mov|pm)$/i;

/** The safe links of a cleaned text, in order. */
export function findLinks(text: string): FoundLink[] {
  // A cheap test first: most messages contain no link.
  if (!/:\/\/|\S\.[\p{L}\d]/u.test(text)) return [];
  linkifier ??= new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false }).tlds(EXTRA_TLDS, true);
  const links: FoundLink[] = [];
  for (const match of linkifier.match(text) ?? []) {
    if (match.schema === "" && FILE_LIKE.test(match.text)) continue;
    const url = safeUrl(match.url);
    if (url) links.push({ start: match.index, end: match.lastIndex, text: match.raw, url: url.href });
  }
  return links;
}
