/** The text and attachments of a Slack message: its text or blocks, the attachments of apps, and its files. */
import { ATTACHMENTS_JSON_LIMIT } from "../../../wire/constants.ts";
import type { Tally } from "../../tally.ts";
import { linkButton, renderBlocks, type BlockContext, type BlockPicture } from "./blocks.ts";
import { pickFields, shapedList } from "../base/shapes.ts";
import {
  ACTION,
  ATTACHMENT,
  FIELD,
  FILE,
  type SlackAttachment,
  type SlackFile,
  type SlackMessage,
} from "./shapes.ts";
import { slackText, type SlackNames } from "./text.ts";

interface SlackContent {
  /** Markdown of any length. */
  text: string;
  attachments: object[];
  mentioned: string[];
}

export interface ContentSources {
  names: SlackNames;
  tally: Tally;
  /** The address of a file that is in the export; undefined if it is not. */
  inExport(id: string, name: string): string | undefined;
}

/** Why a file has no content, by Slack's `mode` or `file_access`. A deleted one is no loss: Slack has it no more. */
const GONE: Readonly<Record<string, string>> = {
  tombstone: "deleted in Slack",
  hidden_by_limit: "hidden by the limit of the Slack plan",
  file_not_found: "not found by Slack",
  check_file_info: "of another workspace",
  access_denied: "not accessible to the exporter",
};

const lines = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part.trim() !== "").join("\n");

/** Letters and digits only, to find a text in another form of it. */
const wordsOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** Collects the content of one message. */
class ContentReader {
  readonly #sources: ContentSources;
  readonly #files: SlackFile[];
  readonly #context: BlockContext;
  readonly #attachments: object[] = [];

  constructor(message: SlackMessage, sources: ContentSources) {
    this.#sources = sources;
    this.#files = filesOf(message);
    const fileOf = (id: string): SlackFile | undefined => this.#files.find((file) => file.id === id);
    this.#context = {
      names: sources.names,
      mentioned: new Set(),
      groups: new Map(
        [...(message.text ?? "").matchAll(/<!subteam\^(\w+)\|([^<>\n]+)>/g)].map(([, id, name]) => [
          id!,
          name!,
        ]),
      ),
      fileAddress: (id) => {
        const file = fileOf(id);
        return sources.inExport(id, file?.name ?? id) ?? file?.url_private;
      },
      fileTitle: (id) => {
        const file = fileOf(id);
        return file?.title || file?.name;
      },
      pictures: [],
    };
  }

  read(message: SlackMessage): SlackContent {
    const { text = "", blocks = [], subtype } = message;
    const own = this.#textOf(message.comment?.comment ?? text, blocks);
    const about = subtype === "file_comment" ? pickFields(message.file ?? {}, FILE) : {};
    const aboutName = about.title || about.name;
    const parts = [aboutName && `> ${aboutName}`, subtype === "me_message" && own !== "" ? `_${own}_` : own];
    const cards = shapedList(message.attachments, ATTACHMENT).map((one) => this.#attachment(one, own));
    parts.push(cards.filter((card) => card !== "").join("\n\n"));
    for (const file of this.#files) parts.push(this.#file(file));
    for (const picture of this.#context.pictures) this.#attachments.push(pictureAttachment(picture));
    return { text: lines(parts), attachments: this.#attachments, mentioned: [...this.#context.mentioned] };
  }

  /**
   * Blocks, if all of them are known, else the text followed by the blocks that it lacks. The text of an app with blocks is
   * a summary for notifications; of people it says the same as the blocks.
   */
  #textOf(text: string, blocks: unknown): string {
    const rendered = renderBlocks(blocks, this.#context).filter(
      (block) => block.text !== "" || !block.isKnown,
    );
    const fromBlocks = lines(rendered.map((block) => block.text));
    const isWhole = rendered.some((block) => !block.isAside && block.text !== "");
    if (isWhole && rendered.every((block) => block.isKnown)) return fromBlocks;
    const own = slackText(text, this.#context);
    const words = wordsOf(own);
    return lines([
      own,
      ...rendered.map((block) => block.text).filter((one) => !words.includes(wordsOf(one))),
    ]);
  }

  /** Returns the text to show; previews and pictures become attachments. */
  #attachment(one: SlackAttachment, messageText: string): string {
    const isPreview = one.from_url !== undefined || one.original_url !== undefined;
    if (isPreview && !one.is_share && !one.is_msg_unfurl && this.#preview(one)) return "";
    const text = this.#cardText(one);
    const image = one.image_url || one.thumb_url;
    if (image) this.#context.pictures.push({ image_url: image, title: one.title ?? one.fallback ?? "" });
    const fallback = text === "" && !image ? slackText(one.fallback ?? "", this.#context) : "";
    const shown = lines([text, wordsOf(messageText).includes(wordsOf(fallback)) ? "" : fallback]);
    return one.is_share || one.is_msg_unfurl ? shown.replace(/^/gm, "> ") : shown;
  }

  #cardText(one: SlackAttachment): string {
    const markdown = (text: string | undefined): string => slackText(text ?? "", this.#context);
    const title = markdown(one.title);
    const author = one.author_name ?? this.#sources.names.user(one.author_id ?? "");
    const messageBlocks = (one.message_blocks ?? []).flatMap((each) => {
      const { message } = pickFields(Object(each) as object, { message: { blocks: "list" } });
      return message?.blocks ?? [];
    });
    return lines([
      markdown(one.pretext),
      author && (one.author_link ? `[${author}](${one.author_link})` : author),
      title && (one.title_link ? `**[${title}](${one.title_link})**` : `**${title}**`),
      this.#textOf(one.text ?? "", [...(one.blocks ?? []), ...messageBlocks]),
      ...shapedList(one.fields, FIELD).map(({ title: name, value }) =>
        lines([name && `**${markdown(name)}**: ${markdown(value)}`, name ? "" : markdown(value)]),
      ),
      shapedList(one.actions, ACTION)
        .map((action) => linkButton(action, this.#context))
        .filter(Boolean)
        .join(" "),
      markdown(one.footer),
    ]);
  }

  /** A link's preview as an attachment; false if it is too large for one. */
  #preview(one: SlackAttachment): boolean {
    const markdown = (text: string | undefined): string | undefined =>
      text === undefined ? undefined : slackText(text, this.#context);
    const address = one.original_url ?? one.from_url;
    const attachment = {
      ...(one.image_url || one.thumb_url ? { type: "image" } : {}),
      og_scrape_url: address,
      title: markdown(one.title ?? one.fallback),
      title_link: one.title_link ?? address,
      text: markdown(one.text),
      author_name: one.author_name,
      image_url: one.image_url,
      thumb_url: one.thumb_url,
      footer: markdown(one.footer),
    };
    const hasMore = one.fields !== undefined || one.blocks !== undefined || one.pretext !== undefined;
    if (hasMore || JSON.stringify(attachment).length > ATTACHMENTS_JSON_LIMIT) return false;
    this.#attachments.push(attachment);
    return true;
  }

  /** Returns a text only for a file without an address. */
  #file(file: SlackFile): string {
    const { tally } = this.#sources;
    const name = file.title || file.name;
    const inExport =
      file.id === undefined ? undefined : this.#sources.inExport(file.id, file.name ?? file.id);
    const address = inExport ?? (file.url_private || file.external_url || file.permalink);
    const gone = GONE[file.mode ?? ""] ?? (address ? undefined : GONE[file.file_access ?? ""]);
    if (!address || (gone !== undefined && inExport === undefined)) {
      tally.add(file.mode === "tombstone" ? "notice" : "file", gone ?? "without an address");
      return `_File no longer available${name === undefined ? "" : `: ${name}`}_`;
    }
    if (inExport === undefined && file.mode !== "external")
      tally.add("notice", "the content of a file stays at Slack: its address needs a token that expires");
    this.#attachments.push(fileAttachment(file, address));
    return file.mode === "email" ? lines([file.subject, file.plain_text]) : "";
  }
}

/** Files of the message and of its attachments, and the one file of old messages; each once. */
function filesOf(message: SlackMessage): SlackFile[] {
  const inAttachments = shapedList(message.attachments, ATTACHMENT).flatMap(({ files = [] }) => files);
  const commented = message.subtype === "file_comment" || message.subtype === "file_mention";
  const old = message.file !== undefined && !commented ? [message.file] : [];
  const files = shapedList([...(message.files ?? []), ...old, ...inAttachments], FILE);
  return files.filter(
    (file, n) => file.id === undefined || files.findIndex(({ id }) => id === file.id) === n,
  );
}

const pictureAttachment = ({ image_url, title }: BlockPicture): object => ({
  type: "image",
  ...(title === "" ? {} : { title }),
  image_url,
});

function fileAttachment({ title, name, mimetype, size }: SlackFile, address: string): object {
  const image = mimetype?.startsWith("image/") === true;
  return {
    type: image ? "image" : "file",
    title: title || name || "file",
    ...(image ? { image_url: address } : { asset_url: address }),
    ...(mimetype ? { mime_type: mimetype } : {}),
    ...(typeof size === "number" ? { file_size: size } : {}),
  };
}

export const contentOf = (message: SlackMessage, sources: ContentSources): SlackContent =>
  new ContentReader(message, sources).read(message);
