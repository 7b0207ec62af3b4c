/** The network for handlers: pages for previews and translations, with a cache of recent pages. */
import type { LinkPreview } from "../../wire/entities/attachment.ts";
import type { External } from "../base/handler.ts";
import { fetchPage, pageUrl, type FetchOptions } from "./fetch.ts";
import { previewOf } from "./preview.ts";

export interface LinkOptions extends FetchOptions {
  /** Pages as HTML by their address: answered without any network, for demonstrations and tests. */
  pages?: Readonly<Record<string, string>>;
  /** Nothing but `pages` is read. */
  offline?: boolean;
}

interface ExternalOptions {
  links?: LinkOptions | undefined;
  /** Default: every text is its own translation. */
  translate?: External["translate"] | undefined;
  /** Milliseconds. */
  now(): number;
}

/** How long a page just read, and one that could not be read, is not asked again; milliseconds. */
const KEPT = 300_000;
const KEPT_FAILURE = 30_000;
const REMEMBERED = 200;
/** Pages that are read at the same time; more wait for nothing and get no preview. */
const AT_ONCE = 16;

export function createExternal(options: ExternalOptions): External {
  const { links = {}, now } = options;
  const known = new Map<string, { preview: Promise<LinkPreview | undefined>; until: number }>();
  let running = 0;

  const read = async (asked: string, url: URL): Promise<LinkPreview | undefined> => {
    const html = links.pages?.[asked] ?? links.pages?.[url.href];
    if (html !== undefined)
      return previewOf(asked, { url: url.href, bytes: Buffer.from(html), charset: "utf-8" });
    if (links.offline || running >= AT_ONCE) return undefined;
    running++;
    try {
      return await previewOf(asked, await fetchPage(url, links));
    } finally {
      running--;
    }
  };

  return {
    page(asked) {
      const url = pageUrl(asked);
      if (!url) return Promise.resolve(undefined);
      const held = known.get(asked);
      if (held && held.until > now()) return held.preview;
      const entry = { preview: Promise.resolve<LinkPreview | undefined>(undefined), until: now() + KEPT };
      // A page that cannot be read is a message without a preview, never a fault of the call.
      entry.preview = read(asked, url)
        .catch(() => undefined)
        .then((preview) => {
          if (!preview) entry.until = now() + KEPT_FAILURE;
          return preview;
        });
      known.delete(asked);
      known.set(asked, entry);
      if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
      return entry.preview;
    },
    translate: options.translate ?? ((text) => Promise.resolve(text)),
  };
}
