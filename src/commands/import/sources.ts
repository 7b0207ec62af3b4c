/** The values of `--source`, and what a file to be imported may be. */
import { FOREIGN_FORMATS } from "../../model/files/foreign-formats.gen.ts";

export const EXPORT_SOURCES = ["auto", "export", ...Object.keys(FOREIGN_FORMATS), "plain"];

const titles = Object.values(FOREIGN_FORMATS).map(({ title }) => title);

export const EXPORT_FILE = `an export of ${titles.slice(0, -1).join(", ")} or ${titles.at(-1)}, or plain NDJSON (parley help importing); - is standard input`;
