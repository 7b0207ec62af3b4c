/** The commands on a person's data, by their full names. */
import remove from "./delete.ts";
import exportOne from "./export.ts";

export const gdprCommands = { "gdpr export": exportOne, "gdpr delete": remove };
