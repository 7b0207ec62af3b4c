/** Operations on message reminders by their path. */

export const reminderCommands = {};
