/** All scheduled work of the domain, run when its time comes. */
import type { DueWork } from "../base/ports.ts";
import { unreadRemindersDue } from "./admin/rules/unread-reminders.ts";
import { bansDue, previewsDue } from "./moderation/rules/due.ts";
import { userClearingWork } from "./messages/rules/delete-of-user.ts";
import { copiesWork } from "./messages/rules/erase-copies.ts";
import { clearingWork } from "./messages/rules/clearing.ts";
import { remindersDue } from "./reminders/rules/due.ts";
import { spoolWork } from "./jobs/rules/export-files.ts";
import { importWork } from "./jobs/rules/import-work.ts";
import { muteWork } from "./users/rules/mutes.ts";
import { campaignWork } from "./campaigns/rules/run.ts";
import { unusedFilesWork } from "./uploads/rules/unused.ts";
import { searchIndexWork } from "./search/rules/search.ts";
import { taskWork } from "./jobs/rules/work.ts";

export const due: readonly DueWork[] = [
  bansDue,
  unreadRemindersDue,
  muteWork,
  previewsDue,
  remindersDue,
  copiesWork,
  unusedFilesWork,
  clearingWork,
  userClearingWork,
  taskWork,
  spoolWork,
  importWork,
  campaignWork,
  searchIndexWork,
];
