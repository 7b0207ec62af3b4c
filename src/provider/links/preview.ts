/** Makes the preview of a page: from Open Graph tags, else from its title and description (specification/attachments.md §6). */
import type { LinkPreview } from "../../wire/entities/attachment.ts";
import { pageUrl, type FetchedPage } from "./fetch.ts";
import { readTags } from "./tags.ts";

/** Longest title and text, so that a preview stays far below the size limit of an attachment. */
const TITLE = 300;
const TEXT = 1000;

/** Decodes the bytes by the charset of the answer, else of the page's head, else UTF-8. */
export function pageText({ bytes, charset }: Pick<FetchedPage, "bytes" | "charset">): string {
  const head = bytes.subarray(0, 1024).toString("latin1");
  const encoding =
    charset ??
    /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(head)?.[1] ??
    "utf-8";
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Characters that change the writing direction or are invisible; joiners are kept, because many scripts need them. */
const INVISIBLE =
  /[\p{Co}\p{Cs}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** One line without control and invisible characters, cut between graphemes; undefined when nothing is left. */
function clean(text: string | undefined, limit: number): string | undefined {
  const line = text
    ?.normalize("NFC")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(INVISIBLE, "")
    .trim();
  if (!line) return undefined;
  if (line.length <= limit) return line;
  let shortened = "";
  // A little more than the limit is segmented, so that the last grapheme that fits is complete.
  for (const letter of new Intl.Segmenter().segment(line.slice(0, limit + 64))) {
    if (shortened.length + letter.segment.length > limit - 1) break;
    shortened += letter.segment;
  }
  return `${shortened.trimEnd()}…`;
}

/** The absolute form of an address in the page; undefined unless it is a web address. */
function address(text: string | undefined, base: string): string | undefined {
  if (text === undefined || text.trim() === "" || !URL.canParse(text.trim(), base)) return undefined;
  return pageUrl(new URL(text.trim(), base).href)?.href;
}

/** The first value of each `property` or `name`, and the texts of `<title>` and `<base>`. */
interface HeadTags {
  meta: Map<string, string>;
  title: string;
  base: string | undefined;
}

async function readHead(html: string): Promise<HeadTags> {
  const head: HeadTags = { meta: new Map(), title: "", base: undefined };
  let inTitle = false;
  let headEnded = false;
  await readTags(html, {
    tag({ name, attributes }) {
      if (headEnded) return;
      if (name === "body" || name === "/head") headEnded = true;
      if (name === "title" && head.title === "") inTitle = true;
      if (name === "/title") inTitle = false;
      if (name === "base") head.base ??= attributes.href;
      const key = (attributes.property ?? attributes.name)?.trim().toLowerCase();
      if (name === "meta" && key && attributes.content !== undefined && !head.meta.has(key))
        head.meta.set(key, attributes.content);
    },
    text(text) {
      if (inTitle && !headEnded) head.title += text;
    },
  });
  return head;
}

/** The preview of a page requested as `requestedUrl`; undefined when the page has no title, text or media. */
export async function previewOf(requestedUrl: string, page: FetchedPage): Promise<LinkPreview | undefined> {
  const html = pageText(page);
  const end = /<body[\s>]/i.exec(html)?.index ?? html.length;
  const { meta, title, base } = await readHead(html.slice(0, end));
  const from = address(base, page.url) ?? page.url;
  const first = (...names: string[]): string | undefined =>
    names.map((name) => meta.get(name)).find((value) => value !== undefined && value.trim() !== "");
  const link = (...names: string[]): string | undefined => address(first(...names), from);

  const image = link("og:image", "og:image:url", "og:image:secure_url");
  const video = link("og:video", "og:video:url", "og:video:secure_url");
  const audio = link("og:audio", "og:audio:url", "og:audio:secure_url");
  const heading = clean(first("og:title") ?? title, TITLE);
  const text = clean(first("og:description", "description"), TEXT);
  if (!heading && !text && !image && !video && !audio) return undefined;
  const site = clean(first("og:site_name"), TITLE);
  const media = video ?? audio;
  return {
    og_scrape_url: requestedUrl,
    ...(video ? { type: "video" } : audio ? { type: "audio" } : image ? { type: "image" } : {}),
    ...(heading ? { title: heading } : {}),
    title_link: link("og:url") ?? page.url,
    ...(text ? { text } : {}),
    ...(site ? { author_name: site } : {}),
    author_link: new URL(page.url).origin,
    ...(image ? { image_url: image, thumb_url: image } : {}),
    ...(media ? { asset_url: media } : {}),
  };
}
