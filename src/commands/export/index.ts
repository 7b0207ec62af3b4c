/** The export of messages into files. */
import toFiles from "./export.ts";

export const exportCommands = { export: toFiles };
