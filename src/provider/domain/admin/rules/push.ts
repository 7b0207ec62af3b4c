/** Routes of push providers, and of checks that render a push message without sending it (specification/admin.md §6). */
import {
  isObject,
  type Fields,
  BodyReader,
  jsonBytes,
  readBody,
  invalidField,
} from "../../validation/check.ts";
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import { PUSH_PROVIDERS_PER_APP } from "../../../../wire/constants.ts";
import type { PushProvider, CheckPushReply, QueueCheck } from "../../../../wire/entities/push-provider.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { blankSecrets, isSecretKey } from "../../../../wire/secret-keys.ts";
import type { Database } from "../../../base/database.ts";
import { type UserRow, userRow } from "../../users/storage/rows.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { NAME, NAME_FORM } from "../../../../wire/ids.ts";
import { pushTemplates, storedPushProviders } from "../storage/schema.ts";
import type { RowOf } from "../../../store/table.ts";
import { findAnyChannel } from "../../channels/storage/rows.ts";
import { newestForUser } from "../../messages/storage/newest.ts";
import { type MessageRow, findMessage, noMessage } from "../../messages/storage/rows.ts";
import { messageView } from "../../messages/view/messages.ts";
import { memberRows } from "../../channels/storage/members.ts";
import { channelView } from "../../channels/view/channels.ts";
import { unreadTotals } from "../../reads/storage/unread.ts";
import { devices } from "../../devices/storage/devices.ts";
import { renderTemplate } from "./push-template.ts";
import { templatesFor } from "./push-templates.ts";

/** Bytes of JSON: credentials may contain certificates. */
const CREDENTIALS_LIMIT = 64 * 1024;

function providerView(row: RowOf<typeof storedPushProviders>): PushProvider {
  return {
    ...blankSecrets(JSON.parse(row.data) as Fields),
    type: row.type as PushProvider["type"],
    name: row.name,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

export const pushProviders = (db: Database): PushProvider[] =>
  storedPushProviders.list(db, {}, { by: ["type", "name"] }).map(providerView);

export const listPushProviders = ({ db }: RouteCall): Reply<"listPushProviders"> => ({
  push_providers: pushProviders(db),
});

/** Creates or replaces a push provider; a secret that is sent blank keeps its value. */
export function upsertPushProvider(call: RouteCall): Reply<"upsertPushProvider"> {
  const { db, body } = call;
  const bodyCheck = new BodyReader(body);
  const { type, name } = bodyCheck.read(adminBodies.upsertPushProvider).push_provider;
  if (name && !NAME.test(name)) bodyCheck.fail("push_provider.name", NAME_FORM);
  const source = isObject(body.push_provider) ? body.push_provider : {};
  const { type: _type, name: _name, created_at: _made, updated_at: _changed, ...data } = source;
  if (jsonBytes(data) > CREDENTIALS_LIMIT)
    bodyCheck.fail("push_provider", `must be at most ${CREDENTIALS_LIMIT} bytes`);
  bodyCheck.done();
  const before = storedPushProviders.find(db, { type, name });
  if (!before && storedPushProviders.count(db) >= PUSH_PROVIDERS_PER_APP)
    throw invalidField("push_provider", `is one too many: an app has at most ${PUSH_PROVIDERS_PER_APP}`);
  const stored = before ? (JSON.parse(before.data) as Fields) : {};
  for (const [key, value] of Object.entries(data))
    if (value === null) delete data[key];
    else if (value === "" && typeof stored[key] === "string" && isSecretKey(key)) data[key] = stored[key];
  const now = call.now();
  const row = { type, name, data: JSON.stringify(data), updated_at: now };
  const after = { ...row, created_at: before?.created_at ?? now };
  storedPushProviders.put(db, after);
  return { push_provider: providerView(after) };
}

export function deletePushProvider({ db, path }: RouteCall): Reply<"deletePushProvider"> {
  if (!storedPushProviders.remove(db, { type: path.type ?? "", name: path.name ?? "" }))
    throw ApiProblem.notFound(`Push provider ${`${path.type}/${path.name}`.slice(0, 100)} does not exist`);
  pushTemplates.remove(db, { provider_type: path.type ?? "", provider_name: path.name ?? "" });
  return {};
}

/** The requested message, or the newest one in the user's channels. */
function messageToRender(
  db: Database,
  userId: string,
  messageId: string | undefined,
): MessageRow | undefined {
  if (messageId === undefined) return newestForUser(db, userId);
  const found = findMessage(db, messageId);
  if (!found || found.deleted_at !== null) throw noMessage(messageId);
  return found;
}

/** Members that a template reads of a channel. */
const TEMPLATE_MEMBERS = 100;

/** What a template may name: the users, the message and its channel as others see them. */
function templateValues(
  { db, emit, now }: RouteCall,
  event: string,
  receiver: UserRow,
  row?: MessageRow,
): Fields {
  const { people, ...context } = viewContext(db, emit, now());
  const named = (id: string): Fields => ({ name: id, ...people.get(id) });
  const counts = unreadTotals(db, receiver.id);
  const base = {
    event_type: event,
    receiver: named(receiver.id),
    ...counts,
    isThread: false,
    isMentioned: false,
  };
  if (!row) return { ...base, sender: {}, message: {}, channel: {}, members: [], otherMembers: [] };
  const message = messageView({ people, ...context }, row);
  const members = memberRows(db, row.cid, TEMPLATE_MEMBERS)
    .filter(({ user_id }) => user_id !== row.user_id)
    .map(({ user_id }) => named(user_id));
  return {
    ...base,
    sender: named(row.user_id),
    message: { ...message },
    channel: { ...channelView(people, findAnyChannel(db, row.cid)!) },
    members,
    otherMembers: members.filter(({ id }) => id !== receiver.id),
    isThread: row.parent_id !== null,
    isMentioned: message.mentioned_users.some(({ id }) => id === receiver.id),
  };
}

export function checkPush(call: RouteCall): Reply<"checkPush"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const userId = call.caller.userId;
  if (userId === undefined) check.fail("user_id", "is required");
  const fields = check.read(adminBodies.checkPush);
  const { message_id: messageId, push_provider_type: type, push_provider_name: name } = fields;
  const { skip_devices: skipDevices = false, event_type: event = "message.new" } = fields;
  check.done();
  const user = userRow(db, userId!);
  const message = messageToRender(db, user.id, messageId);
  const values = templateValues(call, event, user, message);
  const errors: string[] = [];
  /** The template of the request, else the one that the app has stored for the event. */
  const templateOf = (service: "apn" | "firebase"): string | undefined => {
    const given = fields[`${service}_template`];
    if (given || (type !== undefined && type !== service)) return given;
    const [stored] = templatesFor(db, event, { type: service, name });
    if (stored?.enabled === 0)
      errors.push(`${event} is not pushed through ${service}/${stored.provider_name}`);
    return stored?.enabled === 1 ? stored.template : undefined;
  };
  const render = (
    field: "apn_template" | "firebase_template" | "firebase_data_template",
    template: string | undefined,
  ): string => {
    if (!template) return "";
    const { text, mistake } = renderTemplate(template, values);
    if (mistake !== undefined) errors.push(`${field} ${mistake}`);
    return text;
  };
  const renderedApn = render("apn_template", templateOf("apn"));
  const renderedFirebase = render("firebase_template", templateOf("firebase"));
  render("firebase_data_template", fields.firebase_data_template);

  const providers = pushProviders(db).filter(
    (provider) =>
      (type === undefined || provider.type === type) && (name === undefined || provider.name === name),
  );
  const deviceErrors: CheckPushReply["device_errors"] = {};
  if (!skipDevices && providers.length === 0) errors.push("no push providers configured");
  else if (!skipDevices)
    for (const device of devices.list(db, { user_id: user.id }, { by: ["id"] }))
      deviceErrors[device.id] = {
        provider: device.push_provider,
        provider_name: device.push_provider_name ?? "",
        error_message: "the embedded provider renders push messages and sends none",
      };
  return {
    device_errors: deviceErrors,
    general_errors: errors,
    skip_devices: skipDevices,
    rendered_apn_template: renderedApn,
    rendered_firebase_template: renderedFirebase,
    rendered_message: message ? { message_id: message.id, cid: message.cid, type: event } : {},
  };
}

/** The embedded provider only talks to this machine, so cloud queues are never reachable. */
const unreachable = (what: string): QueueCheck => ({
  status: "error",
  error: `the embedded provider sends to no ${what}`,
  data: {},
});

export function checkSqs(call: RouteCall): Reply<"checkSqs"> {
  readBody(call.body, adminBodies.checkSqs);
  return unreachable("SQS queue");
}

export function checkSns(call: RouteCall): Reply<"checkSns"> {
  readBody(call.body, adminBodies.checkSns);
  return unreachable("SNS topic");
}
