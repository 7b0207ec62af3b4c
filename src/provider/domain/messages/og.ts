/** GET /og: what a web page says of itself, read before the call's transaction (attachments.md §6). */
import type { LinkPreview } from "../../../wire/attachment.ts";
import type { Call, Preparation, Reply } from "../../handler.ts";
import { pageUrl } from "../../links/fetch.ts";
import { wrong } from "../asked/check.ts";

export const prepareOg: Preparation = (early) => {
  const { url = "" } = early.query;
  return pageUrl(url) ? early.outside?.page(url) : undefined;
};

export function getOG(call: Call): Reply {
  const { url } = call.query;
  if (!url?.trim()) throw wrong("url", "is required");
  if (!pageUrl(url)) throw wrong("url", "must be an absolute http or https address with a host");
  const preview = call.prepared as LinkPreview | undefined;
  // one answer for all failures: who asks learns nothing of a network that it cannot reach itself
  if (!preview) throw wrong("url", "leads to no page that says anything of itself");
  return { ...preview };
}
