/** Finds the URLs in a text that may have a preview (R-LINK-2, R-LINK-3). */
import { LinkifyIt } from "linkify-it";
import { hasNamedHost } from "../../text/safe-url.ts";
import { linkableParts } from "../../text/markup.ts";
import { LINK_DEFAULT_PROTOCOL } from "../../wire/constants.ts";

/** Any word of letters may end a host; `hasNamedHost` checks the shape (R-LINK-2). */
const LAST_LABEL = "[a-z\\u00a1-\\uffff]{2,}";
const TRAILING = /(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/;

let finder: LinkifyIt | undefined;

/** URLs in order of appearance, without duplicates, with a protocol, without trailing punctuation and the markup around them; none in code. */
export function urlsIn(text: string): string[] {
  if (!text.includes(".")) return [];
  finder ??= new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false, fuzzyIP: false })
    .tlds(LAST_LABEL, true)
    .add("ftp:", null)
    .add("mailto:", null)
    .add("//", null);
  const found = new Set<string>();
  const written = linkableParts(text).flatMap((part) => finder!.match(part.text) ?? []);
  for (const match of written) {
    const raw = match.raw.replace(TRAILING, "");
    const url = match.schema === "" ? `${LINK_DEFAULT_PROTOCOL}://${raw}` : raw;
    if (hasNamedHost(url)) found.add(url);
  }
  return [...found];
}
