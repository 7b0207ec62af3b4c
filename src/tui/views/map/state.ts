/** The state of the map of the locations shared in a channel. */
import type { Position } from "../../../model/locations.ts";
import type { Panel } from "../../screen/screen.ts";

export const MAP = "map";

export interface MapPanel extends Panel {
  readonly cid: string;
  readonly parentId?: string;
  /** The message it was opened for. */
  readonly openedFor: string;
  /** The message whose location the map follows. */
  readonly id: string;
  /** Centre in degrees, once the user has moved the map. */
  readonly centre?: Position;
  /** Degrees per cell, once the user has zoomed. */
  readonly scale?: number;
}

/** Follows the location of the message for which it is opened. */
export const mapState = (cid: string, id: string, parentId?: string): MapPanel => ({
  name: MAP,
  key: `${cid} ${id}`,
  cid,
  id,
  openedFor: id,
  ...(parentId !== undefined && { parentId }),
});
