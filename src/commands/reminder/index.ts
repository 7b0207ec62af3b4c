/** Operations on reminders by their path. */
import list from "./list.ts";
import remove from "./remove.ts";
import set from "./set.ts";

export const reminderCommands = {
  "reminder set": set,
  "reminder list": list,
  "reminder remove": remove,
};
