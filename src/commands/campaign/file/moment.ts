/** Writes a planned time as it is here and where the recipients are. */
import { stamp } from "../../../text/times.ts";
import { offsetAt, turnOf, zoneName, type Zone } from "../../../text/zones.ts";

function inZone(at: number, zone: Zone): string {
  const turn = turnOf(at, zone);
  const which = turn === undefined ? "" : `, the ${turn} of two, as the clocks are set back`;
  return `${stamp(at, zone).slice(0, -3)} ${zoneName(zone)}${which}`;
}

/** `2026-11-21 09:00 Asia/Tokyo (2026-11-21 01:00 Europe/Berlin here)`; `zone` is that of the recipients, if known. */
export function momentIn(time: string, zone: string | undefined): string {
  const at = Date.parse(time);
  const here = inZone(at, {});
  const isSame = zone === undefined || offsetAt(at, { name: zone }) === offsetAt(at, {});
  return isSame ? here : `${inZone(at, { name: zone })} (${here} here)`;
}
