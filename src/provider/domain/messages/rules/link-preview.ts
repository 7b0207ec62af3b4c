/** GET /og: the preview of a web page, fetched before the call's transaction (specification/attachments.md §6). */
import type { LinkPreview } from "../../../../wire/entities/attachment.ts";
import type { RouteCall, Prefetch, Reply } from "../../../base/handler.ts";
import { pageUrl } from "../../../links/fetch.ts";
import { invalidField } from "../../validation/check.ts";

export const prepareOg: Prefetch = (call) => {
  const { url = "" } = call.query;
  return pageUrl(url) ? call.external?.page(url) : undefined;
};

export function getOG(call: RouteCall): Reply<"getOG"> {
  const { url } = call.query;
  if (!url?.trim()) throw invalidField("url", "is required");
  if (!pageUrl(url)) throw invalidField("url", "must be an absolute http or https address with a host");
  const preview = call.prepared as LinkPreview | undefined;
  // All failures get the same answer, so that a caller cannot explore the provider's network.
  if (!preview) throw invalidField("url", "leads to no page that says anything of itself");
  return { ...preview };
}
