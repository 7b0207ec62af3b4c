/** The message of a campaign as one person gets it. */
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { CampaignInput } from "../../../wire/entities/campaign.ts";
import { makeCid } from "../../../wire/ids.ts";
import {
  renderChannelId,
  renderText,
  renderValue,
  type TemplateObjects,
} from "../../../wire/entities/template.ts";
import type { User } from "../../../wire/entities/user.ts";
import type { Person } from "../audience/survey.ts";

export interface Rendered {
  text: string;
  attachments: Attachment[];
  custom: Record<string, unknown>;
  /** The id of the channel by the template; undefined where the two of them tell it. */
  channelId?: string;
}

/** The columns of a record go over the fields of the user. */
export const objectsFor = (
  sender: User | undefined,
  person: Pick<Person, "user" | "columns">,
): TemplateObjects => ({
  sender,
  receiver: { ...person.user, ...person.columns },
});

/** What the channel will be is known where it is made for one person; what it is called by now is the provider's. */
export function renderFor(fields: CampaignInput, given: TemplateObjects): Rendered {
  const { message_template: message, channel_template: channel } = fields;
  const channelId = channel?.id === undefined ? undefined : renderChannelId(channel.id, given);
  const made = channel && {
    ...renderValue(channel.custom ?? {}, given),
    type: channel.type,
    ...(channelId === undefined ? {} : { id: channelId, cid: makeCid(channel.type, channelId) }),
  };
  const objects = { ...given, channel: made };
  return {
    text: renderText(message.text, objects),
    attachments: renderValue(message.attachments ?? [], objects),
    custom: renderValue(message.custom ?? {}, objects),
    ...(channelId === undefined ? {} : { channelId }),
  };
}
