/** Renders the message of a campaign for one person. */
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { makeCid } from "../../../wire/ids.ts";
import {
  renderChannelId,
  renderText,
  renderValue,
  type TemplateObjects,
} from "../../../wire/entities/template.ts";
import type { User } from "../../../wire/entities/user.ts";
import type { Person } from "./exclusions.ts";

export interface Rendered {
  text: string;
  attachments: Attachment[];
  custom: Record<string, unknown>;
  /** Channel id from the template; undefined for the direct channel of sender and receiver. */
  channelId?: string;
}

/** Columns of the record override fields of the user. */
export const objectsFor = (
  sender: User | undefined,
  person: Pick<Person, "user" | "columns">,
): TemplateObjects => ({
  sender,
  receiver: { ...person.user, ...person.columns },
});

/** Fields of the channel come from its template, as for a new channel. */
export function renderFor(fields: CampaignInput, base: TemplateObjects): Rendered {
  const { message_template: message, channel_template: channel } = fields;
  const channelId = channel?.id === undefined ? undefined : renderChannelId(channel.id, base);
  const channelObject = channel && {
    ...renderValue(channel.custom ?? {}, base),
    type: channel.type,
    ...(channelId === undefined ? {} : { id: channelId, cid: makeCid(channel.type, channelId) }),
  };
  const objects = { ...base, channel: channelObject };
  return {
    text: renderText(message.text, objects),
    attachments: renderValue(message.attachments ?? [], objects),
    custom: renderValue(message.custom ?? {}, objects),
    ...(channelId === undefined ? {} : { channelId }),
  };
}
