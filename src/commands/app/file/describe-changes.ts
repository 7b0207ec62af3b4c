/** Describes changes of the app in words. */
import { cleanLine } from "../../../text/sanitize.ts";
import { count } from "../../../text/words.ts";
import { isTexts, type Change } from "./changes.ts";

/** Maximum characters of a shown value. */
const MAX_VALUE = 120;

function brief(value: unknown): string {
  const text = cleanLine(typeof value === "string" ? value || '""' : JSON.stringify(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text;
}

/** For lists of names what is added and removed, otherwise old → new. */
function describeChange(now: unknown, wanted: unknown): string {
  if (!isTexts(now) || !isTexts(wanted))
    return `${now === null ? "not set" : brief(now)} → ${wanted === null ? "not set" : brief(wanted)}`;
  const added = wanted.filter((one) => !now.includes(one));
  const removed = now.filter((one) => !wanted.includes(one));
  return [
    ...(added.length > 0 ? [`adds ${brief(added.join(", "))}`] : []),
    ...(removed.length > 0 ? [`removes ${brief(removed.join(", "))}`] : []),
  ].join("; ");
}

export function changeLine({ action, kind, name, field, now, wanted }: Change): string {
  const subject = kind === "grants" ? `grants of ${field} in ${name}` : `${kind} ${name}`;
  const part = field === undefined || kind === "grants" ? "" : `, ${field}`;
  if (action === "change") return `change ${subject}${part}: ${describeChange(now, wanted)}`;
  const hasNoValue = action === "remove" || Object.keys(wanted ?? {}).length === 0;
  return `${action} ${subject}${hasNoValue ? "" : `: ${brief(wanted)}`}`;
}

/** `2 to create, 1 to change and 1 to remove`. */
export function summaryOf(changes: readonly Change[]): string {
  const countOf = (action: Change["action"]): number => changes.filter((one) => one.action === action).length;
  return (["create", "change", "remove"] as const)
    .map((action) => `${countOf(action)} to ${action}`)
    .join(", ");
}

/** What needs to be confirmed; undefined when nothing is removed and no right changes. */
export function damageOf(changes: readonly Change[]): string | undefined {
  const removals = changes.filter(({ damage }) => damage === "removes").length;
  const rights = changes.filter(({ damage }) => damage === "rights").length;
  const parts = [
    ...(removals > 0 ? [`remove ${count(removals, "thing")}`] : []),
    ...(rights > 0 ? [`change ${count(rights, "right")}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(" and ");
}
