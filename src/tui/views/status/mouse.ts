/** The mouse on the bottom line: what waits to be sent opens what it counts. */
import type { Zone } from "../../screen/ports.ts";
import { openUnsent } from "../popup/actions.ts";

/** Cells at the right that say how sending and the connection stand. */
const RIGHT = 32;

export const statusZone: Zone = {
  rect: ({ layout }) => layout.status,
  click(ports, { x }, rect) {
    if (ports.store.state.outbox > 0 && x >= rect.width - RIGHT) openUnsent(ports);
  },
};
