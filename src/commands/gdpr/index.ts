/** Operations on a person's data by their path. */
import remove from "./delete.ts";
import exportOne from "./export.ts";

export const gdprCommands = { "gdpr export": exportOne, "gdpr delete": remove };
