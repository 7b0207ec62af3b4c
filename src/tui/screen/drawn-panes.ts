/** Tracks the rows shown in each pane, so that the mouse can select text in them. */
import type { Wrap } from "../../text/wrap.ts";
import type { Rect } from "./layout.ts";

export interface Pane {
  rect: Rect;
  rows: readonly string[];
  /** How each row goes on in the next one, where the pane wraps texts of people. */
  wraps?: () => readonly Wrap[];
}

export const isInside = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

export class DrawnPanes {
  readonly #panes = new Map<object, Pane>();

  /** Registers a pane until its owner is removed. */
  put(owner: object, pane: Pane): void {
    this.#panes.set(owner, pane);
  }
  remove(owner: object): void {
    this.#panes.delete(owner);
  }
  /** The topmost pane at a cell of the screen. */
  at(x: number, y: number): Pane | undefined {
    return [...this.#panes.values()].findLast(({ rect }) => isInside(rect, x, y));
  }
}
