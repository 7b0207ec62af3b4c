/** Reads a page's preview: Open Graph first, then its title and description (specification/attachments.md §6). */
import type { LinkPreview } from "../../wire/entities/attachment.ts";
import { pageUrl, type FetchedPage } from "./fetch.ts";
import { readTags } from "./tags.ts";

/** Longest texts of a preview, so that it stays far below the limit of an attachment. */
const TITLE = 300;
const TEXT = 1000;

/** The bytes as text: the charset of the answer, of a byte order mark, of the page's own head, else UTF-8. */
export function pageText({ bytes, charset }: Pick<FetchedPage, "bytes" | "charset">): string {
  const head = bytes.subarray(0, 1024).toString("latin1");
  const said =
    charset ??
    /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(head)?.[1] ??
    "utf-8";
  try {
    return new TextDecoder(said).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** What turns the writing direction or hides between letters; joiners stay, letters of many scripts need them. */
const INVISIBLE =
  /[\p{Co}\p{Cs}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** One line without control characters and invisible ones, cut at a letter's border; undefined when nothing is left. */
function clean(text: string | undefined, limit: number): string | undefined {
  const line = text
    ?.normalize("NFC")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(INVISIBLE, "")
    .trim();
  if (!line) return undefined;
  if (line.length <= limit) return line;
  let cut = "";
  // The text is cut a little behind the limit, so that the last letter that fits is whole.
  for (const letter of new Intl.Segmenter().segment(line.slice(0, limit + 64))) {
    if (cut.length + letter.segment.length > limit - 1) break;
    cut += letter.segment;
  }
  return `${cut.trimEnd()}…`;
}

/** An address named by the page, absolute; only web addresses count. */
function address(text: string | undefined, base: string): string | undefined {
  if (text === undefined || text.trim() === "" || !URL.canParse(text.trim(), base)) return undefined;
  return pageUrl(new URL(text.trim(), base).href)?.href;
}

/** The first value of each `property` or `name`, and the texts of `<title>` and `<base>`. */
interface Said {
  meta: Map<string, string>;
  title: string;
  base: string | undefined;
}

async function listen(html: string): Promise<Said> {
  const said: Said = { meta: new Map(), title: "", base: undefined };
  let inTitle = false;
  let over = false;
  await readTags(html, {
    tag({ name, attributes }) {
      if (over) return;
      if (name === "body" || name === "/head") over = true;
      if (name === "title" && said.title === "") inTitle = true;
      if (name === "/title") inTitle = false;
      if (name === "base") said.base ??= attributes.href;
      const key = (attributes.property ?? attributes.name)?.trim().toLowerCase();
      if (name === "meta" && key && attributes.content !== undefined && !said.meta.has(key))
        said.meta.set(key, attributes.content);
    },
    text(text) {
      if (inTitle && !over) said.title += text;
    },
  });
  return said;
}

/** The preview under the address that was asked for; undefined when the page says nothing of itself. */
export async function previewOf(asked: string, page: FetchedPage): Promise<LinkPreview | undefined> {
  const html = pageText(page);
  const end = /<body[\s>]/i.exec(html)?.index ?? html.length;
  const { meta, title, base } = await listen(html.slice(0, end));
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
    og_scrape_url: asked,
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
