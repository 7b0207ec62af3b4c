/** Calls the app's hooks before a message is stored: the before-send hook and the one for commands (specification/admin.md §12). */
import { customOf } from "../../../../wire/custom.ts";
import { ApiProblem, type CallHook, type PreCommitCall, type Prefetch } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import { commandOf } from "../../access/storage/commands.ts";
import { canWrite, permissionsOf, type Permissions } from "../../access/view/policy.ts";
import { namedIn } from "../../users/rules/acting-user.ts";
import { isObject, type Fields } from "../../validation/check.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { channelView } from "../../channels/view/channels.ts";
import { isBuiltInCommand } from "./built-in-commands.ts";
import { People } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";
import { findPreview } from "../storage/previews.ts";
import { previewedMessage } from "./previews.ts";
import { prepareSend, type Prepared, type HookVerdict } from "../../messages/rules/enrichment.ts";
import { isTaken } from "../../messages/storage/tombstones.ts";

/** The message and its sender; undefined when the send would be refused anyway, so that no hook is called. */
function acceptableSend(
  call: PreCommitCall,
): { permissions: Permissions; message: Fields; people: People; userId: string } | undefined {
  const { message } = call.body;
  const { type, id } = call.path;
  const channel = findChannel(call.db, `${type}:${id}`);
  if (!channel || !isObject(message)) return undefined;
  const permissions = permissionsOf(call.db, call.caller, channel);
  const userId = call.caller.kind === "server" ? namedIn(call, message) : permissions.userId;
  if (typeof userId !== "string" || !findUser(call.db, userId)) return undefined;
  if (!canWrite(permissions, call.now())) return undefined;
  if (typeof message.id === "string" && isTaken(call.db, message.id)) return undefined;
  return { permissions, message, userId, people: new People(call.db, { online: () => false }) };
}

/** Reads the hook's changes; fields it may not change or with a wrong type are ignored. */
function readAnswer(json: Fields | undefined): HookVerdict {
  const message = json?.message;
  if (!isObject(message)) return {};
  if (message.type === "error")
    return {
      error:
        typeof message.text === "string" && message.text !== ""
          ? message.text.slice(0, 5000)
          : "The message was rejected",
    };
  // Custom fields are flat, as everywhere; some servers put them into an object of their own.
  const { custom, ...flat } = message;
  const changes: Fields = customOf("message", { ...flat, ...(isObject(custom) ? custom : {}) });
  if (typeof message.text === "string") changes.text = message.text;
  if (Array.isArray(message.attachments) && message.attachments.every(isObject))
    changes.attachments = message.attachments;
  for (const key of ["silent", "show_in_channel"])
    if (typeof message[key] === "boolean") changes[key] = message[key];
  return Object.keys(changes).length > 0 ? { changes } : {};
}

const translations = (json: Fields | undefined): Record<string, string> | undefined => {
  const i18n = isObject(json?.message) ? json.message.i18n : undefined;
  return isObject(i18n) && Object.values(i18n).every((text) => typeof text === "string")
    ? (i18n as Record<string, string>)
    : undefined;
};

/** Calls the hook of a custom command; status 404 means that it has no such command. */
async function runCommand(
  callHook: CallHook,
  url: string,
  command: string,
  body: Fields,
): Promise<HookVerdict> {
  const { status, json } = await callHook(url.replaceAll("{type}", encodeURIComponent(command)), body);
  if (status === 404)
    return { refused: ApiProblem.commandEndpointMissing(`There is no endpoint for the command /${command}`) };
  if (!json)
    return { refused: ApiProblem.commandEndpointFailed(`The endpoint of the command /${command} failed`) };
  return readAnswer(json);
}

/** Prefetch of a button: the endpoint of the app's own command gets the waiting message and the form. */
export const hookOfAction: Prefetch = (call) => {
  const { custom_action_handler_url: url } = readApp(call.db);
  const callHook = call.external?.callHook;
  const waiting = findPreview(call.db, call.path.id ?? "", call.now());
  const { form_data } = call.body;
  if (!callHook || !url || !waiting || !isObject(form_data)) return undefined;
  const { message } = previewedMessage(call.db, waiting, true);
  const { command } = message;
  if (!command || isBuiltInCommand(command.command)) return undefined;
  const acting = call.caller.kind === "server" ? namedIn(call, call.body) : call.caller.userId;
  if (acting !== waiting.user_id) return undefined;
  const { text, attachments, custom } = message.content;
  const body = {
    message: { ...custom, id: waiting.id, cid: waiting.cid, text, attachments, ...command },
    user: new People(call.db, { online: () => false }).get(waiting.user_id),
    form_data,
  };
  return runCommand(callHook, url, command.command, body).then((hookVerdict) => ({ hookVerdict }));
};

/** Prefetch of a send: calls the app's hooks, then prepares the link preview of the resulting text. */
export const hooksBeforeSend: Prefetch = (call) => {
  const { before_message_send_hook_url: before, custom_action_handler_url: actions } = readApp(call.db);
  const callHook = call.external?.callHook;
  const send = callHook && (before || actions) ? acceptableSend(call) : undefined;
  return send ? callHooks(call, send, { callHook: callHook!, before, actions }) : prepareSend(call);
};

async function callHooks(
  call: PreCommitCall,
  { permissions, message, people, userId }: NonNullable<ReturnType<typeof acceptableSend>>,
  { callHook, before, actions }: { callHook: CallHook; before: string; actions: string },
): Promise<Prepared> {
  const user = people.get(userId);
  let verdict: HookVerdict = {};
  let i18n: Record<string, string> | undefined;
  const currentMessage = (): Fields => ({ ...message, ...verdict.changes });
  const command =
    actions && typeof message.text === "string"
      ? commandOf(message.text, permissions.config.commands)
      : undefined;
  if (command && !isBuiltInCommand(command.command))
    verdict = {
      command,
      ...(await runCommand(callHook, actions, command.command, {
        message: { ...message, ...command },
        user,
        form_data: {},
      })),
    };
  if (before && !verdict.refused && verdict.error === undefined) {
    const { json } = await callHook(before, {
      message: currentMessage(),
      user,
      channel: channelView(people, permissions.channel),
      ...(call.request ? { request_info: call.request } : {}),
    });
    const answer = readAnswer(json);
    i18n = translations(json);
    verdict = { ...verdict, ...answer, changes: { ...verdict.changes, ...answer.changes } };
  }
  const ready =
    verdict.refused || verdict.error !== undefined
      ? undefined
      : await prepareSend({ ...call, body: { ...call.body, message: currentMessage() } }, permissions);
  const { text } = currentMessage();
  return { ...ready, ...(i18n && typeof text === "string" ? { i18n, text } : {}), hookVerdict: verdict };
}
