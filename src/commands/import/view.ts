/** Shows an import. */
import type { ImportTask } from "../../wire/entities/import.ts";
import { fieldsView, type View } from "../base/define-command.ts";

export function importFields(task: ImportTask): View {
  const { result } = task;
  const total = result?.stats.total;
  return fieldsView({
    import: task.id,
    state: task.state,
    mode: task.mode,
    bytes: task.size,
    created: task.created_at,
    updated: task.updated_at,
    users: total?.users,
    channels: total?.channels,
    members: total?.members,
    messages: total?.messages,
    reactions: total?.reactions,
    errors: result?.errors.length,
    "first error": result?.errors[0]?.error,
  });
}
