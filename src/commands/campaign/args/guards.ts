/** Flags for guards: number of recipients, hours and days. */
import type { Args } from "../../base/define-command.ts";

/** They override the guards of the file. */
export const GUARD_ARGS = {
  expect: {
    kind: "text",
    value: "range",
    help: "Send nothing unless the audience has this size, for example 1000 or 900..1100",
  },
  maxRecipients: { kind: "number", from: 0, help: "Send nothing if the audience is larger than this" },
  window: {
    kind: "text",
    value: "hours",
    help: "Send only in these hours, for example 09:00-18:00 (needs --tz)",
  },
  tz: {
    kind: "text",
    value: "zone",
    zone: true,
    help: "Time zone of times, --window and --quiet-day, for example Europe/Berlin",
  },
  quietDay: {
    kind: "list",
    value: "day",
    help: "Do not send on this day: saturday, 2030-12-25 (repeatable)",
  },
} as const satisfies Args;
