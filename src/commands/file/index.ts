/** The commands on uploaded files, by their full names. */
import deleteFile from "./delete.ts";

export const fileCommands = { "file delete": deleteFile };
