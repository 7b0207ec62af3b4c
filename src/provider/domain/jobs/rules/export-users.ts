/** Exports users with their messages and reactions, one page per step (specification/admin.md §9). */
import { jobBodies } from "../../../../wire/bodies/jobs.ts";
import { isUserId } from "../../../../wire/ids.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { BodyReader } from "../../validation/check.ts";
import { requireUsers } from "../../channels/rules/members.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { People } from "../../users/view/users.ts";
import { requireJobFiles } from "./export-channels.ts";
import { publishExport, registerJobFile } from "./export-files.ts";
import { exportedUser, exportViewContext } from "../view/export-rows.ts";
import { insertTask, type OpenTask, type StepResult } from "../storage/tasks.ts";
import { storedReaction } from "../../messages/storage/reactions.ts";
import { messagesOfUserAfter, reactionsOfUserAfter } from "../storage/exported.ts";
import { findUser } from "../../users/storage/rows.ts";

const OBJECTS_PER_STEP = 300;

interface State {
  at: number;
  user: number;
  phase: "user" | "messages" | "reactions";
  /** Cursor after the last object: its time, then its id (messages) or message id and type (reactions). */
  after: [number, string, string];
  comma: boolean;
}

const START: State["after"] = [Number.MIN_SAFE_INTEGER, "", ""];

export function exportUsers(call: RouteCall): Reply<"exportUsers"> {
  const check = new BodyReader(call.body);
  const ids = [...new Set(check.read(jobBodies.exportUsers).user_ids)];
  const bad = ids.findIndex((id) => !isUserId(id));
  if (bad >= 0) check.fail(`user_ids.${bad}`, "is not a user id");
  check.done();
  requireUsers(new People(call.db, call.emit), "user_ids", ids);
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "export.users", { ids }) };
}

export function exportUsersStep(due: DueContext, task: OpenTask): StepResult {
  const disk = requireJobFiles(due);
  const name = `${task.id}.json`;
  const state = task.state as State | undefined;
  if (!state) {
    registerJobFile(due, "exports", name);
    const written = disk.write("exports", name, 0, "[");
    return { state: { at: written, user: 0, phase: "user", after: START, comma: false } };
  }
  const ids = task.payload.ids as string[];
  const id = ids[state.user];
  if (id !== undefined) {
    const text = nextText(due, id, state);
    return { state: { ...state, at: disk.write("exports", name, state.at, text) } };
  }
  disk.write("exports", name, state.at, "]\n");
  publishExport(due, "export.users.success", task, { url: disk.address("exports", name, "users") });
  return { result: { file: name } };
}

/** The next part of a user's text; advances `state`. */
function nextText(due: DueContext, id: string, state: State): string {
  const { db } = due;
  const page = (
    values: unknown[],
    after: State["after"] | undefined,
    end: string,
    nextPhase: State["phase"],
  ): string => {
    const text = values.map((value, i) => (state.comma || i > 0 ? "," : "") + JSON.stringify(value)).join("");
    if (after) Object.assign(state, { after, comma: true });
    else Object.assign(state, { phase: nextPhase, after: START, comma: false });
    return after ? text : end;
  };
  if (state.phase === "user") {
    const row = findUser(db, id);
    state.phase = "messages";
    const user = row ? exportedUser(due, row) : { id };
    return `${state.user > 0 ? ",\n" : "\n"}{"user":${JSON.stringify(user)},"messages":[`;
  }
  const context = exportViewContext(due);
  if (state.phase === "messages") {
    const rows = messagesOfUserAfter(db, id, state.after[0], state.after[1], OBJECTS_PER_STEP);
    const last = rows.at(-1);
    return page(
      messageViews(context, rows, false),
      last && [last.created_at, last.id, ""],
      `],"reactions":[`,
      "reactions",
    );
  }
  const rows = reactionsOfUserAfter(db, id, state.after, OBJECTS_PER_STEP);
  const last = rows.at(-1);
  const text = page(
    rows.map((row) => ({ ...storedReaction(row), user: context.people.get(row.user_id) })),
    last && [last.created_at, last.message_id, last.type],
    "]}",
    "user",
  );
  if (!last) state.user++;
  return text;
}
