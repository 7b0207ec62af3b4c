/** The width function that the build substitutes in Ink and its helpers, so that all rows are measured alike. */
import { cellWidth } from "./width.ts";

/** Cells of one line, without styles. Anything but a string has width 0, as in the library that it replaces. */
export default function inkWidth(text: unknown): number {
  return typeof text === "string" ? cellWidth(text) : 0;
}
