/** Marks on the messages of a campaign that tell whom each is for, and which campaign a follow-up continues. */
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { isFilledText, isObject } from "../../../wire/json-object.ts";

/** WH-2: the id of the person a message is for: channels may hold several receivers. */
export const RECEIVER_MARK = "campaign_receiver";
/** WH-1: the id of the campaign that a follow-up continues, found also when the follow-up was deleted. */
export const ROOT_MARK = "campaign_root";

/** The text of a mark; undefined without one. */
export function markOf(fields: unknown, mark: string): string | undefined {
  const value = isObject(fields) ? fields[mark] : undefined;
  return isFilledText(value) ? value : undefined;
}

/** The fields of a campaign to people, with the marks; `root` for a follow-up. The provider fills in the receiver. */
export const withMarks = <T extends CampaignInput>(fields: T, root?: string): T => ({
  ...fields,
  message_template: {
    ...fields.message_template,
    custom: {
      ...fields.message_template.custom,
      [RECEIVER_MARK]: "{{receiver.id}}",
      ...(root === undefined ? {} : { [ROOT_MARK]: root }),
    },
  },
});

/** The fields of a campaign without marks, as a person wrote them. */
export function withoutMarks(fields: Record<string, unknown>): Record<string, unknown> {
  const template = fields.message_template;
  if (!isObject(template) || !isObject(template.custom)) return fields;
  const { [RECEIVER_MARK]: _receiver, [ROOT_MARK]: _root, ...custom } = template.custom;
  const { custom: _custom, ...rest } = template;
  const kept = Object.keys(custom).length > 0 ? { custom } : {};
  return { ...fields, message_template: { ...rest, ...kept } };
}
