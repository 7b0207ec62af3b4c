/** The commands on links, by their full names. */
import preview from "./preview.ts";

export const linkCommands = { "link preview": preview };
