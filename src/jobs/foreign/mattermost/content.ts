/** The text and attachments of a Mattermost post: message, cards of integrations, and files. */
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import { fileAttachment, missingFileText } from "../base/attachments.ts";
import { isWebAddress } from "../base/fields.ts";
import type { ExportFiles } from "../base/foreign-files.ts";
import type { ForeignScope } from "../base/format.ts";
import { shortHash } from "../base/ids.ts";
import { pickFields, shapedList } from "../base/shapes.ts";
import { MATTERMOST_CARD, MATTERMOST_FIELD, MATTERMOST_PROPS, type MattermostPost } from "./shapes.ts";

const lines = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part.trim() !== "").join("\n");

function cardText(card: unknown): string {
  const [one = {}] = shapedList([card], MATTERMOST_CARD);
  const { title, title_link: link, fallback, image_url: image } = one;
  const text = lines([
    one.pretext,
    one.author_name,
    title && (isWebAddress(link) ? `**[${title}](${link})**` : `**${title}**`),
    one.text,
    ...shapedList(one.fields, MATTERMOST_FIELD).map(({ title: name, value }) =>
      [name && `**${name}**`, value].filter(Boolean).join(": "),
    ),
    one.footer,
  ]);
  return text || (isWebAddress(image) ? "" : (fallback ?? ""));
}

/** `folder`: where the data of the export are. */
export async function mattermostContent(
  post: MattermostPost,
  { files, folder, scope, tally }: { files: ExportFiles; folder: string; scope: ForeignScope; tally: Tally },
): Promise<{ text: string; attachments: object[] }> {
  const { attachments: cards } = pickFields(post.props ?? {}, MATTERMOST_PROPS);
  const attachments: object[] = [];
  for (const { image_url: image } of shapedList(cards, MATTERMOST_CARD))
    if (isWebAddress(image)) attachments.push({ type: "image", image_url: image });
  const message = post.message ?? "";
  const parts = [
    post.type === "me" && message !== "" ? `_${message}_` : message,
    ...(cards ?? []).map(cardText),
  ];
  for (const one of (post.attachments ?? []).filter(isObject)) {
    const path = typeof one.path === "string" ? one.path : "";
    const file = await files.find(`${folder}data/${path}`);
    const name = path.slice(path.lastIndexOf("/") + 1);
    const attachment = fileAttachment({ file, id: shortHash(path), name }, scope, tally);
    if (attachment) attachments.push(attachment);
    else if (!file) parts.push(missingFileText(name));
  }
  return { text: lines(parts), attachments };
}
