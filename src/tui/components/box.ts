/** A box of rows under a title, filled to its edges, so nothing shines through. */
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";
import type { Rect } from "../screen/layout.ts";

/** `foot` stands in the lower edge, where there is room. */
export function box(theme: Theme, rect: Rect, title: string, body: readonly string[], foot = ""): string[] {
  const inner = rect.width - 2;
  const head = truncate(title, Math.max(1, inner - 4));
  const top =
    theme.dim("╭─ ") +
    theme.bold(head) +
    theme.dim(` ${"─".repeat(Math.max(0, inner - 3 - cellWidth(head)))}╮`);
  const rows = Array.from({ length: Math.max(0, rect.height - 2) }, (_, i) => {
    const text = body[i] ?? "";
    return theme.dim("│") + padEnd(text, inner) + theme.dim("│");
  });
  const end = foot && cellWidth(foot) + 4 <= inner ? ` ${foot} ─` : "";
  return [top, ...rows, theme.dim(`╰${"─".repeat(inner - cellWidth(end))}${end}╯`)];
}
