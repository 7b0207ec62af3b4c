/** Fetches link previews and translations before a message is stored (OG-4). */
import type { Attachment, LinkPreview } from "../../../../wire/entities/attachment.ts";
import { ATTACHMENTS_JSON_LIMIT, ATTACHMENTS_LIMIT } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type PreCommitCall, type Prefetch } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import { can, canWrite, permissionsOf, type Permissions } from "../../access/view/policy.ts";
import { isObject, jsonBytes, type Fields } from "../../validation/check.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { LINK } from "../../content/rules/content.ts";
import type { Content } from "../storage/new-message.ts";
import { findMessage, type MessageData, type MessageRow } from "../storage/rows.ts";
import { isTaken } from "../storage/tombstones.ts";

export interface HookVerdict {
  /** Fields of the message that replace the sender's. */
  changes?: Fields;
  /** The message is not stored; its sender gets this text in a message of type `error`. */
  error?: string;
  /** The command that the app's endpoint ran; the text need not begin with it any more. */
  command?: { command: string; args: string };
  /** The command cannot be run (44, 45). */
  refused?: ApiProblem;
}

/** The results of the prefetch; `later` instead of `preview` when the app enriches after sending. */
export interface Prepared {
  url?: string;
  preview?: LinkPreview;
  later?: Promise<LinkPreview | undefined>;
  /** The text that `i18n` translates, and the translations under `<code>_text`. */
  text?: string;
  i18n?: Record<string, string>;
  hookVerdict?: HookVerdict;
}

export const preparedOf = (call: Pick<RouteCall, "prepared">): Prepared =>
  (call.prepared as Prepared | undefined) ?? {};

async function firstLink(text: string): Promise<string | undefined> {
  if (!LINK.test(text)) return undefined;
  const { LinkifyIt } = await import("linkify-it");
  const { linkableParts } = await import("../../../../text/markup.ts");
  const finder = new LinkifyIt();
  const links = linkableParts(text).flatMap((part) => finder.match(part.text) ?? []);
  const web = links.find(
    ({ schema, raw }) => schema === "http:" || schema === "https:" || (schema === "" && /^www\./i.test(raw)),
  );
  if (!web) return undefined;
  return web.schema === "" ? `https://${web.raw}` : web.url;
}

/** The caller's permissions in a channel, if it exists. */
function permissionsIn(call: PreCommitCall, cid: string): Permissions | undefined {
  const channel = findChannel(call.db, cid);
  return channel && permissionsOf(call.db, call.caller, channel);
}

/** Whether the caller may add links, and the channel has previews on. */
const previewsAllowed = (call: PreCommitCall, permissions: Permissions | undefined): boolean =>
  permissions !== undefined &&
  permissions.config.url_enrichment &&
  can(permissions, "add-links") &&
  canWrite(permissions, call.now());

const scraped = (attachments: unknown): Set<unknown> =>
  new Set(
    Array.isArray(attachments)
      ? attachments.map((attachment: unknown) => isObject(attachment) && attachment.og_scrape_url)
      : [],
  );

async function previewFor(call: PreCommitCall, text: string, attachments: unknown): Promise<Prepared> {
  const url = await firstLink(text);
  if (url === undefined || scraped(attachments).has(url)) return {};
  const page = call.external!.page(url);
  if (readApp(call.db).async_url_enrich_enabled) return { url, later: page };
  const preview = await page;
  return preview ? { url, preview } : {};
}

/** Prefetch of a send; `knownPermissions` are the caller's permissions, when already loaded. */
export function prepareSend(
  call: PreCommitCall,
  knownPermissions?: Permissions,
): Promise<Prepared> | undefined {
  const { message, skip_enrich_url } = call.body;
  const { type, id } = call.path;
  if (!call.external || !isObject(message) || skip_enrich_url === true || type === undefined)
    return undefined;
  const { text, attachments } = message;
  if (
    typeof text !== "string" ||
    !LINK.test(text) ||
    !previewsAllowed(call, knownPermissions ?? permissionsIn(call, `${type}:${id}`))
  )
    return undefined;
  // A repeated send is answered at once, because its message exists already.
  if (typeof message.id === "string" && isTaken(call.db, message.id)) return undefined;
  return previewFor(call, text, attachments);
}

/** Prefetch of an update: the preview when the text changed, and translations when there were some. */
export const prepareUpdate: Prefetch = (call) => {
  const row = findMessage(call.db, call.path.id ?? "");
  const full = isObject(call.body.message);
  const input = full ? call.body.message : call.body.set;
  if (!call.external || !row || !isObject(input)) return undefined;
  const { text } = input;
  if (typeof text !== "string" || (!full && text === row.text)) return undefined;
  return prepareFor(
    call,
    row,
    text,
    full ? input.attachments : (input.attachments ?? dataOfRow(row).attachments),
  );
};

const dataOfRow = (row: MessageRow): MessageData => JSON.parse(row.data) as MessageData;

async function prepareFor(
  call: PreCommitCall,
  row: MessageRow,
  text: string,
  attachments: unknown,
): Promise<Prepared> {
  const { i18n } = dataOfRow(row);
  const [link, texts] = await Promise.all([
    call.body.skip_enrich_url !== true && previewsAllowed(call, permissionsIn(call, row.cid))
      ? previewFor(call, text, attachments)
      : {},
    i18n && text !== row.text ? translations(call, text, i18n) : undefined,
  ]);
  return { ...link, text, ...(texts ? { i18n: texts } : {}) };
}

/** The new text in every language that the message was translated to. */
async function translations(
  call: PreCommitCall,
  text: string,
  before: Record<string, string>,
): Promise<Record<string, string>> {
  const { language = "" } = before;
  const codes = Object.keys(before).flatMap((key) => (key.endsWith("_text") ? [key.slice(0, -5)] : []));
  const pairs = await Promise.all(
    codes.map(async (code) => {
      const translated = code === language ? text : await call.external!.translate(text, language, code);
      return translated === undefined ? [] : [[`${code}_text`, translated] as const];
    }),
  );
  return { language, ...Object.fromEntries(pairs.flat()) };
}

export function withPreview(attachments: Attachment[], preview: LinkPreview): Attachment[] {
  const fits = attachments.length < ATTACHMENTS_LIMIT && jsonBytes(preview) <= ATTACHMENTS_JSON_LIMIT;
  return fits ? [...attachments, { ...preview }] : attachments;
}

/** The content with the fetched preview; `enriched` is the address of that preview. */
export function enrich(content: Content, prepared: Prepared): { content: Content; enriched?: string } {
  const { url, preview } = prepared;
  if (!preview || url === undefined) return { content };
  const attachments = withPreview(content.attachments, preview);
  return attachments === content.attachments
    ? { content }
    : { content: { ...content, attachments }, enriched: url };
}

/** The attachments without the preview of an earlier link, which the new text no longer contains. */
export function withoutPreview(attachments: Attachment[], url: string | undefined): Attachment[] {
  return url === undefined
    ? attachments
    : attachments.filter((attachment) => attachment.og_scrape_url !== url);
}
