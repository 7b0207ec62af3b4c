/** Reads and checks the fields of a campaign (specification/campaigns.md §3, §4). */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import type { Values } from "../../../../wire/entities/fields.ts";
import { isUserId } from "../../../../wire/ids.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { configOf } from "../../access/storage/access.ts";
import { checkCustom, type BodyReader, type Fields } from "../../validation/check.ts";
import { checkAttachments } from "../../content/rules/content.ts";
import { readMembers } from "../../channels/rules/members.ts";
import { findUser } from "../../users/storage/rows.ts";
import { storedSegments } from "../storage/segments.ts";
import type { CampaignFields } from "../storage/campaigns.ts";
import { polls } from "../../polls/storage/rows.ts";

type CampaignBody = Values<typeof campaignBodies.updateCampaign>;

function checkedCustom(check: BodyReader, custom: Fields = {}): Fields {
  const checked = { ...custom };
  checkCustom(check, checked, CUSTOM_DATA_LIMIT);
  return checked;
}

function messageTemplate(call: RouteCall, check: BodyReader, body: CampaignBody["message_template"]): string {
  const { text, attachments = [], poll_id: poll, searchable } = body;
  checkAttachments(check, attachments);
  if (poll !== undefined && !polls.has(call.db, { id: poll }))
    check.fail("poll_id", "names a poll that does not exist");
  return JSON.stringify({
    text,
    attachments,
    ...(poll === undefined ? {} : { poll_id: poll }),
    ...(searchable === undefined ? {} : { searchable }),
    custom: checkedCustom(check, body.custom),
  });
}

function channelTemplate(
  call: RouteCall,
  check: BodyReader,
  body: CampaignBody["channel_template"],
): string | null {
  if (!body) return null;
  const { type, id, team, members: memberIds } = body;
  if (type && !configOf(call.db, type))
    check.fail("type", `names a channel type that does not exist: ${type}`);
  // Stored as it was sent: its custom fields are read when the channels are created.
  const membersTemplate = check.raw("members_template");
  if (memberIds && membersTemplate !== undefined)
    check.fail("members_template", "cannot be given together with members");
  const field = memberIds ? "members" : "members_template";
  const members = readMembers(call.db, check, field);
  for (const [i, member] of members.entries())
    if (!findUser(call.db, member.id))
      check.fail(`${field}.${i}`, `names a user that does not exist: ${member.id}`);
  return JSON.stringify({
    type,
    ...(id ? { id } : {}),
    ...(team ? { team } : {}),
    ...(memberIds ? { members: members.map((member) => member.id) } : {}),
    ...(membersTemplate === undefined ? {} : { members_template: membersTemplate }),
    custom: checkedCustom(check, body.custom),
  });
}

/** All fields of a campaign; missing ones get their default, because PUT replaces the whole campaign. */
export function readCampaign(call: RouteCall, check: BodyReader): CampaignFields {
  const { db } = call;
  const body = check.read(campaignBodies.updateCampaign);
  const { sender_id: sender } = body;
  const user = sender ? findUser(db, sender) : undefined;
  if (sender && (!user || user.deleted_at !== null))
    check.fail("sender_id", `names a user that does not exist: ${sender}`);
  const segments = [...new Set(body.segment_ids ?? [])];
  const users = [...new Set(body.user_ids ?? [])];
  if (segments.length > 0 && users.length > 0)
    check.fail("user_ids", "cannot be given together with segment_ids");
  const bad = users.findIndex((id) => !isUserId(id));
  if (bad >= 0) check.fail(`user_ids.${bad}`, "is not a user id");
  const types = new Set<string>();
  for (const [i, id] of segments.entries()) {
    const segment = storedSegments.find(db, { id });
    if (!segment) check.fail(`segment_ids.${i}`, `names a segment that does not exist: ${id}`);
    else types.add(segment.type);
  }
  if (types.size > 1) check.fail("segment_ids", "must all be of one type");
  const template = channelTemplate(call, check.inside("channel_template"), body.channel_template);
  const { create_channels: createChannels = false } = body;
  if (createChannels && template === null) check.fail("channel_template", "is required with create_channels");
  return {
    name: body.name ?? "",
    description: body.description ?? "",
    sender_id: sender,
    sender_mode: body.sender_mode ?? "",
    sender_visibility: body.sender_visibility ?? "",
    message_template: messageTemplate(call, check.inside("message_template"), body.message_template),
    channel_template: template,
    create_channels: Number(createChannels),
    show_channels: Number(body.show_channels ?? false),
    skip_push: Number(body.skip_push ?? false),
    skip_webhook: Number(body.skip_webhook ?? false),
    segment_ids: JSON.stringify(segments),
    user_ids: JSON.stringify(users),
  };
}
