/** The JSON schema of an app file. */
import { fileSchema } from "../../base/files/file-schema.ts";
import { APP_FILE, APP_KEY_HELP } from "./shape.ts";

export const appSchema = () => fileSchema("An app of Parley", APP_FILE, APP_KEY_HELP);
