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
  readonly #owners = new Set<{ readonly current: Pane }>();

  /** Adds the owner of a pane, whose rows change; returns how to remove it. */
  add(owner: { readonly current: Pane }): () => void {
    this.#owners.add(owner);
    return () => this.#owners.delete(owner);
  }
  /** The topmost pane at a cell of the screen. */
  at(x: number, y: number): Pane | undefined {
    return [...this.#owners].map(({ current }) => current).findLast(({ rect }) => isInside(rect, x, y));
  }
}
