/** Operations on uploaded files by their path. */
import deleteFile from "./delete.ts";

export const fileCommands = { "file delete": deleteFile };
