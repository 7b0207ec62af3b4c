/** Times as people write them: `2h`, `7d`, an ISO date or time, epoch seconds or milliseconds; bare numbers are refused. */
import ms from "ms";

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/** The instant as RFC 3339 in UTC; undefined when the text is no time. A date alone is local midnight. */
export function readWhen(
  text: string,
  now: number,
  direction: "past" | "future" = "past",
): string | undefined {
  const t = text.trim();
  if (/^now$/i.test(t)) return new Date(now).toISOString();
  if (/^\d{10}$/.test(t)) return new Date(Number(t) * 1000).toISOString();
  if (/^\d{13}$/.test(t)) return new Date(Number(t)).toISOString();
  if (/^[+-]?\d+(\.\d+)?\s*[a-z]+$/i.test(t) && t.length < 30) {
    const span = ms(t.replace(/^\+/, "") as ms.StringValue) as number | undefined;
    if (span === undefined) return undefined;
    const back = direction === "past" && !t.startsWith("+");
    const at = new Date(now + (back ? -Math.abs(span) : Math.abs(span)));
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  }
  const m = ISO.exec(t);
  if (!m) return undefined;
  const dateOnly = m[4] === undefined;
  const at = dateOnly ? new Date(+m[1]!, +m[2]! - 1, +m[3]!) : new Date(t.replace(" ", "T"));
  if (Number.isNaN(at.getTime())) return undefined;
  // 31 February rolls over silently.
  const calendar = new Date(Date.UTC(+m[1]!, +m[2]! - 1, +m[3]!));
  return calendar.getUTCMonth() + 1 === +m[2]! ? at.toISOString() : undefined;
}
