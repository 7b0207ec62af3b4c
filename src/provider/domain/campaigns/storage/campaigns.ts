/** Campaigns as they are stored. */
import type { CampaignStatus } from "../../../../wire/campaign.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
import type { CampaignFields } from "../rules/input.ts";

export interface CampaignRow extends CampaignFields {
  id: string;
  status: CampaignStatus;
  scheduled_for: number | null;
  stop_at: number | null;
  due_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  messages_sent: number;
  channels_created: number;
  created_at: number;
  updated_at: number;
}

export function campaignRow(db: Database, id: string): CampaignRow {
  const row = db.get<CampaignRow>("SELECT * FROM campaigns WHERE id = ?", id);
  if (!row) throw new ApiProblem(16, `Campaign ${id.slice(0, 255)} does not exist`);
  return row;
}
