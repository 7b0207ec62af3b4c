/** Endpoints of message reminders. */

export const remindersEndpoints = {} as const;
