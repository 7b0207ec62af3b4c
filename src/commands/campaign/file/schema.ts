/** The JSON schema of a campaign file. */
import { fileSchema } from "../../base/files/file-schema.ts";
import { CAMPAIGN_FILE, CAMPAIGN_KEY_HELP } from "./shape.ts";

/** File name of the schema, referenced by the first line of a campaign file. */
export const SCHEMA_FILE = "campaign.schema.json";

export const campaignSchema = () => fileSchema("A campaign of Parley", CAMPAIGN_FILE, CAMPAIGN_KEY_HELP);
