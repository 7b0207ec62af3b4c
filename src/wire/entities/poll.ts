/** Polls, options and votes (specification/polls.md). */
import type { User } from "./user.ts";

export interface PollOption {
  id: string;
  text: string;
  [custom: string]: unknown;
}

export interface PollVote {
  id: string;
  poll_id: string;
  option_id?: string;
  is_answer?: boolean;
  answer_text?: string;
  user_id?: string;
  user?: User;
  created_at: string;
  updated_at: string;
}

export interface Poll {
  id: string;
  name: string;
  description?: string;
  options: PollOption[];
  voting_visibility?: "public" | "anonymous";
  enforce_unique_vote?: boolean;
  max_votes_allowed?: number | null;
  allow_user_suggested_options?: boolean;
  allow_answers?: boolean;
  is_closed?: boolean;
  created_by_id?: string;
  created_by?: User;
  created_at: string;
  updated_at: string;
  vote_count: number;
  vote_counts_by_option: Record<string, number>;
  latest_votes_by_option: Record<string, PollVote[]>;
  answers_count?: number;
  latest_answers?: PollVote[];
  own_votes: PollVote[];
}
