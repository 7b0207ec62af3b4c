/** The flags that hold a start to what was meant. */
import type { Args } from "../../base/define-command.ts";

/** Flags over the guards of the file. */
export const GUARD_ARGS = {
  expect: {
    kind: "text",
    value: "range",
    help: "Send nothing unless so many get it, such as 1000 or 900..1100",
  },
  maxRecipients: { kind: "number", help: "Send nothing when more would get it" },
  window: { kind: "text", value: "hours", help: "Send only in these hours, such as 09:00-18:00, with --tz" },
  tz: {
    kind: "text",
    value: "zone",
    help: "The time zone of --window and --quiet-day, such as Europe/Berlin",
  },
  quietDay: { kind: "list", value: "day", help: "Never on this day: saturday, 2030-12-25 (repeat for more)" },
} as const satisfies Args;
