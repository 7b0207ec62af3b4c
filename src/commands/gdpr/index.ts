/** Operations on all that is held of a person by their path. */
import remove from "./delete.ts";
import exportOne from "./export.ts";

export const gdprCommands = { "gdpr export": exportOne, "gdpr delete": remove };
