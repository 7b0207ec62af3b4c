/** Contract rows of reminders. */
import type { Case } from "./case.ts";

export const remindersCases: Case[] = [];
