/** Operations on links by their path. */
import preview from "./preview.ts";

export const linkCommands = { "link preview": preview };
