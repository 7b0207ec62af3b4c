/** Guards: conditions a campaign must meet before it starts, on the number of recipients, hours and days. */
import { CommandError, type ArgValues } from "../../base/define-command.ts";
import { dayKey, fields } from "../../../text/times.ts";
import type { GUARD_ARGS } from "../args/guards.ts";
import type { GuardsInput } from "./shape.ts";

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export interface Guards {
  expect?: { least: number; most: number };
  most?: number;
  /** Minutes of the day; `to` is less than `from` when the window spans midnight. */
  window?: { from: number; to: number; text: string };
  zone?: string;
  /** Weekdays and dates. */
  quiet: readonly string[];
}

const rejection = (message: string): CommandError => new CommandError("rejected", message);

function readRange(text: string): { least: number; most: number } {
  const [, least, most = least] = /^\s*(\d{1,9})(?:\s*\.\.\s*(\d{1,9}))?\s*$/.exec(text) ?? [];
  if (least === undefined || Number(most) < Number(least))
    throw rejection(`guards.expect must be a number or a range such as 900..1100, not '${text}'.`);
  return { least: Number(least), most: Number(most) };
}

function readWindow(text: string): NonNullable<Guards["window"]> {
  const [, a, b, c, d] = /^\s*(\d\d?):(\d\d)\s*-\s*(\d\d?):(\d\d)\s*$/.exec(text) ?? [];
  const [from, to] = [Number(a) * 60 + Number(b), Number(c) * 60 + Number(d)];
  if (!(from < 24 * 60 && to <= 24 * 60 && Number(b) < 60 && Number(d) < 60 && from !== to))
    throw rejection(`guards.window must be hours such as 09:00-18:00, not '${text}'.`);
  return { from, to, text: text.trim() };
}

function requireZone(zone: string | undefined): void {
  if (zone === undefined)
    throw rejection(
      "guards.window and guards.quiet_days need the name of a time zone: guards.time_zone, or --tz.",
    );
  try {
    Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw rejection(`guards.time_zone '${zone}' is not a time zone such as Europe/Berlin.`);
  }
}

/** The guards of the file, overridden by flags. Throws `CommandError` (rejected). */
export function readGuards(file: GuardsInput, flags: Partial<ArgValues<typeof GUARD_ARGS>> = {}): Guards {
  const expect = flags.expect ?? file.expect;
  const most = flags.maxRecipients ?? file.max_recipients;
  const hours = flags.window ?? file.window;
  const zone = flags.tz ?? file.time_zone;
  const quiet = (flags.quietDay?.length ? flags.quietDay : (file.quiet_days ?? [])).map((day) =>
    day.toLowerCase(),
  );
  for (const day of quiet)
    if (!DAYS.includes(day) && !/^\d{4}-\d\d-\d\d$/.test(day))
      throw rejection(`guards.quiet_days: '${day}' is neither a weekday nor a date such as 2030-12-25.`);
  if (hours !== undefined || quiet.length > 0 || zone !== undefined) requireZone(zone);
  return {
    ...(expect === undefined ? {} : { expect: readRange(String(expect)) }),
    ...(most === undefined ? {} : { most }),
    ...(hours === undefined ? {} : { window: readWindow(hours) }),
    ...(zone === undefined ? {} : { zone }),
    quiet,
  };
}

/** Why this number of recipients is not allowed; undefined if it is. A number that is unknown cannot be allowed. */
export function countProblem({ expect, most }: Guards, count: number | undefined): string | undefined {
  if (count === undefined)
    return expect === undefined && most === undefined
      ? undefined
      : "the provider does not count the sender's channels, so the number of recipients cannot be checked";
  if (expect && (count < expect.least || count > expect.most))
    return `${count} would receive it, but ${expect.least === expect.most ? expect.least : `${expect.least} to ${expect.most}`} are expected`;
  if (most !== undefined && count > most) return `${count} would receive it, but at most ${most} may`;
  return undefined;
}

/** Why sending at this time is not allowed; undefined if it is. */
export function timeProblem(
  { window, zone, quiet }: Pick<Guards, "window" | "zone" | "quiet">,
  at: number,
): string | undefined {
  if (zone === undefined) return undefined;
  const { day, date, minutes, clock } = momentIn(zone, at);
  const quietDay = [day, date].find((name) => quiet.includes(name));
  if (quietDay !== undefined) return `in ${zone} it is ${day}, ${date}, and ${quietDay} is a quiet day`;
  if (window && !isWithin(window, minutes))
    return `in ${zone} it is ${clock}, and the window is ${window.text}`;
  return undefined;
}

const isWithin = ({ from, to }: { from: number; to: number }, minutes: number): boolean =>
  from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;

function momentIn(zone: string, at: number): { day: string; date: string; minutes: number; clock: string } {
  const { weekday, hour, minute } = fields(at, { name: zone });
  const clock = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
  return { day: DAYS[weekday]!, date: dayKey(at, { name: zone }), minutes: hour * 60 + minute, clock };
}
