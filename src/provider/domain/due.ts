/** All work of the domain that becomes due by the clock. */
import type { DueWork } from "../base/ports.ts";
import { unreadRemindersDue } from "./admin/unread-reminders.ts";
import { bansDue, previewsDue } from "./moderation/due.ts";
import { userClearingWork } from "./messages/delete-of-user.ts";
import { clearingWork } from "./messages/clearing.ts";
import { remindersDue } from "./reminders/due.ts";
import { spoolWork } from "./jobs/export-files.ts";
import { importWork } from "./jobs/import-work.ts";
import { muteWork } from "./users/mutes.ts";
import { campaignWork } from "./campaigns/run.ts";
import { taskWork } from "./jobs/work.ts";

export const due: readonly DueWork[] = [
  bansDue,
  unreadRemindersDue,
  muteWork,
  previewsDue,
  remindersDue,
  clearingWork,
  userClearingWork,
  taskWork,
  spoolWork,
  importWork,
  campaignWork,
];
