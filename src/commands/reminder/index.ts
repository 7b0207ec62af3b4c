/** The commands on reminders, by their full names. */
import list from "./list.ts";
import remove from "./remove.ts";
import set from "./set.ts";

export const reminderCommands = {
  "reminder set": set,
  "reminder list": list,
  "reminder remove": remove,
};
