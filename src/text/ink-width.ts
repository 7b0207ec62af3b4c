/** The width function that the build gives to Ink and its helpers, so that they measure as our own rows do. */
import { cellWidth } from "./width.ts";

/** Cells of one line; styles count nothing. Anything but a text has no width, as in the library it stands for. */
export default function inkWidth(text: unknown): number {
  return typeof text === "string" ? cellWidth(text) : 0;
}
