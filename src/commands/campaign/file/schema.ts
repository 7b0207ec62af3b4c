/** The JSON schema of a campaign file, and the file beside it that holds the schema. */
import { fileSchema } from "../../base/file-schema.ts";
import { CAMPAIGN_FILE, KEY_WORDS } from "./shape.ts";

/** The file beside a campaign file that its first line names. */
export const SCHEMA_FILE = "campaign.schema.json";

export const campaignSchema = () => fileSchema("A campaign of Parley", CAMPAIGN_FILE, KEY_WORDS);
