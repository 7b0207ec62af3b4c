/** The text and attachments of a Discord message: content, forwarded message, embeds, stickers and files. */
import type { Tally } from "../../tally.ts";
import { fileAttachment, missingFileText } from "../base/attachments.ts";
import { boundedAttachment, isWebAddress } from "../base/fields.ts";
import { besidePath, type ExportFiles } from "../base/foreign-files.ts";
import type { ForeignScope } from "../base/format.ts";
import { shapedList } from "../base/shapes.ts";
import { timeText } from "../base/times.ts";
import {
  DISCORD_ATTACHMENT,
  DISCORD_EMBED,
  DISCORD_EMBED_FIELD,
  DISCORD_EMBED_PICTURE,
  DISCORD_STICKER,
  type DiscordContent,
  type DiscordEmbed,
  type DiscordMessage,
} from "./shapes.ts";

interface ContentPlace {
  files: ExportFiles;
  /** Name of the file that the message is in: paths begin beside it. */
  document: string;
  scope: ForeignScope;
  tally: Tally;
  userName(id: string): string | undefined;
  channelName(id: string): string | undefined;
}

interface DiscordText {
  text: string;
  attachments: object[];
  /** ImportedPeople named by their ids in a text that was exported raw. */
  mentioned: string[];
}

const lines = (parts: readonly (string | undefined)[], between = "\n"): string =>
  parts.filter((part) => part !== undefined && part.trim() !== "").join(between);

/** Discord's own marks: with the exporter's option for raw texts they are not replaced by names. */
const MARKS = /<(@[!&]?|#|a?:\w{1,64}:|t:)(-?\d{1,20})(?::\w)?>/g;
const SPOILER = /\|\|([\s\S]+?)\|\|/g;
const CODE = /(```[\s\S]+?```|`[^`\n]+`)/;

function replaced(text: string, place: ContentPlace, mentioned: string[]): string {
  const marked = text.replace(MARKS, (all, kind: string, id: string) => {
    if (kind === "#") return `#${place.channelName(id) ?? id}`;
    if (kind === "@&") return `@role-${id}`;
    if (kind.startsWith("@")) {
      mentioned.push(id);
      return `@${place.userName(id) ?? id}`;
    }
    if (kind === "t:")
      return Number(id) > 0 && Number(id) < 4e9
        ? timeText(Number(id) * 1e6)
            .slice(0, 16)
            .replace("T", " ")
        : all;
    return kind.replace(/^a/, "");
  });
  return marked.replace(SPOILER, "$1");
}

/** Markdown, which Discord writes almost as we do; code stays as it is. */
const markdown = (text: string, place: ContentPlace, mentioned: string[]): string =>
  text
    .split(CODE)
    .map((piece, i) => (i % 2 === 0 ? replaced(piece, place, mentioned) : piece))
    .join("");

/** Text of an embed that is more than the preview of a link in the message. */
function embedText(embed: DiscordEmbed): string {
  const { title, url, description, author, footer } = embed;
  return lines([
    author?.name,
    title && (isWebAddress(url) ? `**[${title}](${url})**` : `**${title}**`),
    description,
    ...shapedList(embed.fields, DISCORD_EMBED_FIELD).map(({ name, value }) =>
      lines([name && `**${name}**`, value], ": "),
    ),
    footer?.text,
  ]);
}

async function addressOf(url: string | undefined, place: ContentPlace): Promise<string | undefined> {
  if (url === undefined || isWebAddress(url)) return url;
  const file = await fileAt(url, place);
  return (
    file && place.scope.media.address(file, file.name.slice(file.name.lastIndexOf("/") + 1), place.tally)
  );
}

const fileAt = async (url: string, { files, document }: ContentPlace) => {
  const name = besidePath(document, url);
  return name === undefined ? undefined : files.find(name);
};

/** Collects the parts of one message or of the message that it forwards. */
class DiscordContentReader {
  readonly #place: ContentPlace;
  readonly attachments: object[] = [];
  readonly mentioned: string[] = [];

  constructor(place: ContentPlace) {
    this.#place = place;
  }

  async text(one: DiscordContent): Promise<string> {
    const content = markdown(one.content ?? "", this.#place, this.mentioned);
    const parts = [content];
    for (const embed of shapedList(one.embeds, DISCORD_EMBED))
      parts.push(await this.#embed(embed, one.content ?? ""));
    for (const { id = "", name = "sticker", sourceUrl } of shapedList(one.stickers, DISCORD_STICKER))
      parts.push(await this.#file(id, `${name}${/\.\w{2,5}$/.exec(sourceUrl ?? "")?.[0] ?? ""}`, sourceUrl));
    for (const { id = "", url, fileName = "file", fileSizeBytes } of shapedList(
      one.attachments,
      DISCORD_ATTACHMENT,
    ))
      parts.push(await this.#file(id, fileName, url, fileSizeBytes));
    return lines(parts);
  }

  /** Returns a text only for a file that is nowhere. */
  async #file(id: string, name: string, url: string | undefined, size?: number): Promise<string> {
    const { scope, tally } = this.#place;
    const isPath = url !== undefined && !isWebAddress(url);
    const file = isPath ? await fileAt(url, this.#place) : undefined;
    if (!isPath && url !== undefined)
      tally.add("notice", "the content of a file stays at Discord: its address expires");
    const attachment = fileAttachment({ file, id, name, address: url, size }, scope, tally);
    if (attachment) this.attachments.push(attachment);
    return attachment || file ? "" : missingFileText(name);
  }

  /** A preview of a link in the text becomes an attachment, any other embed text. */
  async #embed(embed: DiscordEmbed, content: string): Promise<string> {
    const { title, url, description, author, thumbnail, image, images, fields } = embed;
    const pictures = [image?.url, ...shapedList(images, DISCORD_EMBED_PICTURE).map((one) => one.url)];
    const isPreview = isWebAddress(url) && content.includes(url) && !fields?.length;
    const picture = await addressOf(
      isPreview ? (thumbnail?.url ?? pictures.find(Boolean)) : undefined,
      this.#place,
    );
    const preview =
      isPreview &&
      boundedAttachment({
        og_scrape_url: url,
        title: title ?? url,
        title_link: url,
        text: description,
        author_name: author?.name,
        ...(picture === undefined ? {} : { type: "image", thumb_url: picture }),
      });
    if (preview) {
      this.attachments.push(preview);
      return "";
    }
    for (const one of new Set([...pictures, thumbnail?.url])) {
      const address = await addressOf(one, this.#place);
      if (address) this.attachments.push({ type: "image", image_url: address });
    }
    return embedText(embed);
  }
}

export async function discordContent(message: DiscordMessage, place: ContentPlace): Promise<DiscordText> {
  const reader = new DiscordContentReader(place);
  const { forwardedMessage: forwarded, interaction } = message;
  const own = await reader.text(message);
  const other = forwarded && (await reader.text(forwarded));
  const asked =
    interaction?.name &&
    `_/${interaction.name}${interaction.user?.name ? ` by ${interaction.user.nickname || interaction.user.name}` : ""}_`;
  return {
    text: lines([asked, own, forwarded && `_Forwarded_\n${(other ?? "").replace(/^/gm, "> ")}`]),
    attachments: reader.attachments,
    mentioned: reader.mentioned,
  };
}
