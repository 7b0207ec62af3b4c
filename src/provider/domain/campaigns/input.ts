/** The fields of a campaign as they are written, checked one by one (campaigns.md §3, §4). */
import {
  ATTACHMENTS_JSON_LIMIT,
  ATTACHMENTS_LIMIT,
  CAMPAIGN_SEGMENTS_LIMIT,
  CAMPAIGN_USERS_LIMIT,
  CUSTOM_DATA_LIMIT,
  MEMBERS_PER_CALL,
} from "../../../wire/constants.ts";
import { SENDER_MODES, SENDER_VISIBILITIES } from "../../../wire/campaign.ts";
import { isUserId } from "../../../wire/ids.ts";
import type { Call } from "../../handler.ts";
import { configOf } from "../access/access.ts";
import { checkCustom, isObject, jsonBytes, type Check, type Fields } from "../asked/check.ts";
import { readMembers } from "../channels/members.ts";
import { findUser } from "../users/view.ts";
import { findSegment } from "./segments.ts";

export interface CampaignFields {
  name: string;
  description: string;
  sender_id: string;
  sender_mode: string;
  sender_visibility: string;
  message_template: string;
  channel_template: string | null;
  create_channels: number;
  show_channels: number;
  skip_push: number;
  skip_webhook: number;
  segment_ids: string;
  user_ids: string;
}

/** Characters of a template's text: what it becomes is measured by the channel it goes to. */
const TEMPLATE_TEXT = 20_000;

const choice = (check: Check, field: string, of: readonly string[]): string => {
  const value = check.text(field, 64) ?? "";
  if (value !== "" && !of.includes(value)) check.fail(field, `must be one of ${of.join(", ")}`);
  return value;
};

function readCustom(check: Check, field: string): Fields {
  const custom = { ...check.object(field) };
  checkCustom(check, custom, CUSTOM_DATA_LIMIT, field);
  return custom;
}

function readMessageTemplate(call: Call, check: Check): string {
  if (check.raw("message_template") === undefined) check.fail("message_template", "is required");
  const inner = check.inside("message_template");
  const text = inner.need("text", TEMPLATE_TEXT);
  const attachments = inner.list("attachments", ATTACHMENTS_LIMIT) ?? [];
  for (const [i, one] of attachments.entries())
    if (!isObject(one)) inner.fail(`attachments.${i}`, "must be an object");
    else if (jsonBytes(one) > ATTACHMENTS_JSON_LIMIT)
      inner.fail(`attachments.${i}`, `must be at most ${ATTACHMENTS_JSON_LIMIT} bytes of JSON`);
  const poll = inner.id("poll_id");
  if (poll !== undefined && !call.db.get("SELECT 1 FROM polls WHERE id = ?", poll))
    inner.fail("poll_id", "names a poll that does not exist");
  const searchable = inner.flag("searchable");
  const custom = readCustom(inner, "custom");
  return JSON.stringify({
    text,
    attachments,
    ...(poll === undefined ? {} : { poll_id: poll }),
    ...(searchable === undefined ? {} : { searchable }),
    custom,
  });
}

function readChannelTemplate(call: Call, check: Check): string | null {
  if (check.raw("channel_template") === undefined) return null;
  const inner = check.inside("channel_template");
  const type = inner.need("type", 64);
  if (type && !configOf(call.db, type))
    inner.fail("type", `names a channel type that does not exist: ${type}`);
  const id = inner.text("id", 1000);
  const team = inner.text("team", 255);
  const plain = inner.texts("members", MEMBERS_PER_CALL);
  const full = inner.raw("members_template");
  if (plain && full !== undefined) inner.fail("members_template", "cannot be given together with members");
  const members = readMembers(call.db, inner, plain ? "members" : "members_template");
  for (const [i, one] of members.entries())
    if (!findUser(call.db, one.id))
      inner.fail(
        `${plain ? "members" : "members_template"}.${i}`,
        `names a user that does not exist: ${one.id}`,
      );
  const custom = readCustom(inner, "custom");
  return JSON.stringify({
    type,
    ...(id ? { id } : {}),
    ...(team ? { team } : {}),
    ...(plain ? { members: members.map((one) => one.id) } : {}),
    ...(full === undefined ? {} : { members_template: full }),
    custom,
  });
}

/** All written fields; what is left out has its default (PUT sets the whole of a campaign). */
export function readCampaign(call: Call, check: Check): CampaignFields {
  const { db } = call;
  const sender = check.need("sender_id", 255);
  const user = sender ? findUser(db, sender) : undefined;
  if (sender && (!user || user.deleted_at !== null))
    check.fail("sender_id", `names a user that does not exist: ${sender}`);
  const segments = [...new Set(check.texts("segment_ids", CAMPAIGN_SEGMENTS_LIMIT) ?? [])];
  const users = [...new Set(check.texts("user_ids", CAMPAIGN_USERS_LIMIT) ?? [])];
  if (segments.length > 0 && users.length > 0)
    check.fail("user_ids", "cannot be given together with segment_ids");
  const bad = users.findIndex((id) => !isUserId(id));
  if (bad >= 0) check.fail(`user_ids.${bad}`, "is not a user id");
  const types = new Set<string>();
  for (const [i, id] of segments.entries()) {
    const segment = findSegment(db, id);
    if (!segment) check.fail(`segment_ids.${i}`, `names a segment that does not exist: ${id}`);
    else types.add(segment.type);
  }
  if (types.size > 1) check.fail("segment_ids", "must all be of one type");
  const template = readChannelTemplate(call, check);
  const create = check.flag("create_channels") ?? false;
  if (create && template === null) check.fail("channel_template", "is required with create_channels");
  return {
    name: check.text("name", 255) ?? "",
    description: check.text("description", 5000) ?? "",
    sender_id: sender,
    sender_mode: choice(check, "sender_mode", SENDER_MODES),
    sender_visibility: choice(check, "sender_visibility", SENDER_VISIBILITIES),
    message_template: readMessageTemplate(call, check),
    channel_template: template,
    create_channels: Number(create),
    show_channels: Number(check.flag("show_channels") ?? false),
    skip_push: Number(check.flag("skip_push") ?? false),
    skip_webhook: Number(check.flag("skip_webhook") ?? false),
    segment_ids: JSON.stringify(segments),
    user_ids: JSON.stringify(users),
  };
}
