/** The JSON schema of a campaign file, and writing it beside the file. */
import { fileSchema } from "../../base/files/file-schema.ts";
import { CAMPAIGN_FILE, CAMPAIGN_KEY_HELP } from "./shape.ts";

/** The file beside a campaign file that its first line names. */
export const SCHEMA_FILE = "campaign.schema.json";

export const campaignSchema = () => fileSchema("A campaign of Parley", CAMPAIGN_FILE, CAMPAIGN_KEY_HELP);
