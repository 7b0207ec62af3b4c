/** Network access of handlers: link previews, with a cache of recent pages, and translations. */
import type { LinkPreview } from "../../wire/entities/attachment.ts";
import type { External } from "../base/handler.ts";
import { fetchPage, pageUrl, type FetchOptions } from "./fetch.ts";
import { previewOf } from "./preview.ts";

export interface LinkOptions extends FetchOptions {
  /** HTML pages by address, used instead of the network for demonstrations and tests. */
  pages?: Readonly<Record<string, string>>;
  offline?: boolean;
}

interface ExternalOptions {
  links?: LinkOptions | undefined;
  /** Default: returns the text unchanged. */
  translate?: External["translate"] | undefined;
  /** Milliseconds. */
  now(): number;
}

/** How long a preview, and a failure, is cached; milliseconds. */
const CACHE_MS = 300_000;
const FAILURE_CACHE_MS = 30_000;
const CACHED_PAGES = 200;
/** Most pages fetched at the same time; further ones get no preview instead of waiting. */
const MAX_PARALLEL = 16;

export function createExternal(options: ExternalOptions): External {
  const { links = {}, now } = options;
  const cache = new Map<string, { preview: Promise<LinkPreview | undefined>; until: number }>();
  let running = 0;

  const read = async (address: string, url: URL): Promise<LinkPreview | undefined> => {
    const html = links.pages?.[address] ?? links.pages?.[url.href];
    if (html !== undefined)
      return previewOf(address, { url: url.href, bytes: Buffer.from(html), charset: "utf-8" });
    if (links.offline || running >= MAX_PARALLEL) return undefined;
    running++;
    try {
      return await previewOf(address, await fetchPage(url, links));
    } finally {
      running--;
    }
  };

  return {
    page(address) {
      const url = pageUrl(address);
      if (!url) return Promise.resolve(undefined);
      const cached = cache.get(address);
      if (cached && cached.until > now()) return cached.preview;
      const entry = { preview: Promise.resolve<LinkPreview | undefined>(undefined), until: now() + CACHE_MS };
      // A page that cannot be read means a message without a preview, never an error of the call.
      entry.preview = read(address, url)
        .catch(() => undefined)
        .then((preview) => {
          if (!preview) entry.until = now() + FAILURE_CACHE_MS;
          return preview;
        });
      cache.delete(address);
      cache.set(address, entry);
      if (cache.size > CACHED_PAGES) cache.delete(cache.keys().next().value!);
      return entry.preview;
    },
    translate: options.translate ?? ((text) => Promise.resolve(text)),
  };
}
