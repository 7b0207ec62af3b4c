/** Exports channels to a file, one page per step, so that other calls are not blocked (specification/admin.md §9). */
import { stringify } from "csv-stringify/sync";
import type { Member, Read } from "../../../../wire/entities/channel.ts";
import { ApiProblem, type RouteCall, type Reply, type JobFiles } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { publishExport, registerJobFile } from "./export-files.ts";
import { readExport, type ExportRequest } from "./export-input.ts";
import {
  exportedChannel,
  exportedUser,
  exportViewContext,
  memberPage,
  messagePage,
  type MessagePage,
} from "../view/export-rows.ts";
import { jobKeys, storeJobKey, jobKeyPage } from "../storage/job-keys.ts";
import { tasks, insertTask, taskView, type OpenTask, type StepResult } from "../storage/tasks.ts";
import { findUser } from "../../users/storage/rows.ts";

const OBJECTS_PER_STEP = 300;
const START = [Number.MIN_SAFE_INTEGER, ""] as [number, string];

interface State {
  /** Bytes written. */
  at: number;
  part: number;
  phase: "channel" | "members" | "reads" | "messages" | "users";
  member: string;
  message: [number, string];
  /** The list that is being written is not empty. */
  comma: boolean;
}

export function exportChannels(call: RouteCall): Reply<"exportChannels"> {
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "export.channels", readExport(call)) };
}

export function getExportChannels(call: RouteCall): Reply<"getExportChannels"> {
  const row = tasks.need(call.db, { id: call.path.id ?? "" });
  if (row.kind !== "export.channels") throw ApiProblem.notFound(`Export ${row.id} does not exist`);
  return { ...taskView(row, call.jobFiles) };
}

const EXTENSION = { v1: ".json", v2: ".jsonl", csv: ".csv" } as const;
const COLUMNS = [
  "cid",
  "id",
  "type",
  "user_id",
  "user_name",
  "text",
  "parent_id",
  "attachments",
  "reactions",
  "created_at",
  "updated_at",
  "deleted_at",
];

/** The files of jobs; throws code 19 for a provider without files. */
export function requireJobFiles(due: DueContext): JobFiles {
  if (!due.jobFiles) throw ApiProblem.featureOff("this provider keeps no files");
  return due.jobFiles;
}

const line = (type: string, data: unknown): string => `${JSON.stringify({ type, data })}\n`;
const csv = (rows: unknown[][]): string => stringify(rows, { escape_formulas: true });

export function exportChannelsStep(due: DueContext, task: OpenTask): StepResult {
  const request = task.payload as ExportRequest;
  const { form } = request;
  const disk = requireJobFiles(due);
  const name = task.id + EXTENSION[form];
  const state = task.state as State | undefined;
  if (!state) {
    registerJobFile(due, "exports", name);
    const head = form === "v1" ? "[" : form === "csv" ? csv([COLUMNS]) : "";
    const written = disk.write("exports", name, 0, head);
    return { state: { at: written, part: 0, phase: "channel", member: "", message: START, comma: false } };
  }
  const text = nextText(due, task.id, request, state);
  if (text === undefined) {
    if (form === "v1") disk.write("exports", name, state.at, "]\n");
    jobKeys.remove(due.db, { job_id: task.id });
    publishExport(due, "export.channels.success", task, { url: disk.address("exports", name) });
    return { result: { file: name } };
  }
  return { state: { ...state, at: disk.write("exports", name, state.at, text) } };
}

/** The next part of the file; advances `state`. Undefined at the end. */
function nextText(due: DueContext, taskId: string, request: ExportRequest, state: State): string | undefined {
  const { form, parts, users, clearDeleted } = request;
  const part = parts[state.part];
  if (!part) return users && form === "v2" ? userLines(due, taskId, state) : undefined;
  const context = exportViewContext(due);
  const advance = (changes: Partial<State>): void => void Object.assign(state, changes);
  const endPart = (): void =>
    advance({ part: state.part + 1, phase: "channel", member: "", message: START, comma: false });
  if (state.phase === "channel") {
    const channel = exportedChannel(due, context, part.cid);
    // The channel was erased after the export was requested.
    if (!channel) return (endPart(), "");
    if (users && channel.created_by) storeJobKey(due.db, taskId, "user", channel.created_by.id);
    advance({ phase: form === "csv" ? "messages" : "members" });
    if (form === "csv") return "";
    if (form === "v2") return line("channel", channel);
    return `${state.part > 0 ? ",\n" : "\n"}{"channel":${JSON.stringify(channel)},"members":[`;
  }
  if (state.phase === "members") {
    const page = memberPage(due, context, part.cid, state.member, OBJECTS_PER_STEP);
    if (users) for (const { user_id } of page.members) storeJobKey(due.db, taskId, "user", user_id);
    if (page.last === undefined) {
      advance({ phase: form === "v2" ? "messages" : "reads", member: "", comma: false });
      return form === "v2" ? "" : `],"reads":[`;
    }
    const comma = state.comma;
    advance({ member: page.last, comma: true });
    return form === "v2" ? memberLines(part.cid, page) : (comma ? "," : "") + joinedJson(page.members);
  }
  if (state.phase === "reads") {
    const page = memberPage(due, context, part.cid, state.member, OBJECTS_PER_STEP);
    if (page.last === undefined) {
      advance({ phase: "messages", comma: false });
      return `],"messages":[`;
    }
    const comma = state.comma && page.reads.length > 0;
    advance({ member: page.last, comma: state.comma || page.reads.length > 0 });
    return (comma ? "," : "") + joinedJson(page.reads);
  }
  const page = messagePage(due, context, part, state.message, OBJECTS_PER_STEP, clearDeleted);
  if (page.last === undefined) return (endPart(), form === "v1" ? "]}" : "");
  if (users)
    for (const { message, reactions } of page.messages)
      for (const id of [
        message.user.id,
        ...message.mentioned_users.map((user) => user.id),
        ...reactions.map((reaction) => reaction.user_id),
      ])
        storeJobKey(due.db, taskId, "user", id);
  const comma = state.comma;
  advance({ message: page.last, comma: true });
  if (form === "v2") return messageLines(part.cid, page);
  if (form === "csv") return messageRows(part.cid, page);
  return (
    (comma ? "," : "") +
    joinedJson(page.messages.map(({ message, reactions }) => ({ ...message, reactions })))
  );
}

/** JSON values joined by commas, without the brackets. */
const joinedJson = (values: unknown[]): string => values.map((value) => JSON.stringify(value)).join(",");

function memberLines(cid: string, { members, reads }: { members: Member[]; reads: Read[] }): string {
  const read = new Map(reads.map((readState) => [readState.user.id, readState.last_read]));
  return members
    .map((member) => {
      const last = read.get(member.user_id);
      return line("member", { ...member, cid, ...(last === undefined ? {} : { last_read: last }) });
    })
    .join("");
}

function messageLines(cid: string, { messages }: MessagePage): string {
  return messages
    .map(
      ({ message, reactions }) =>
        line("message", message) +
        reactions.map((reaction) => line("reaction", { ...reaction, cid })).join(""),
    )
    .join("");
}

function messageRows(cid: string, { messages }: MessagePage): string {
  return csv(
    messages.map(({ message, reactions }) => [
      cid,
      message.id,
      message.type,
      message.user.id,
      message.user.name ?? "",
      message.text,
      message.parent_id ?? "",
      message.attachments.length > 0 ? JSON.stringify(message.attachments) : "",
      reactions.length > 0
        ? reactions.map((reaction) => `${reaction.user_id}:${reaction.type}`).join(" ")
        : "",
      message.created_at,
      message.updated_at,
      message.deleted_at ?? "",
    ]),
  );
}

function userLines(due: DueContext, taskId: string, state: State): string | undefined {
  if (state.phase !== "users") Object.assign(state, { phase: "users", member: "" });
  const ids = jobKeyPage(due.db, taskId, "user", state.member, OBJECTS_PER_STEP);
  if (ids.length === 0) return undefined;
  state.member = ids.at(-1)!;
  return ids
    .map((id) => findUser(due.db, id))
    .map((row) => (row ? line("user", exportedUser(due, row)) : ""))
    .join("");
}
