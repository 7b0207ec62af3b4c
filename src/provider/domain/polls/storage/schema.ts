/** Tables and columns that polls added after the first schema. */

export const pollsSchema = `
CREATE INDEX polls_by_age ON polls (created_at, id);
CREATE INDEX polls_of_creator ON polls (created_by, created_at);
CREATE INDEX poll_votes_by_option ON poll_votes (poll_id, option_id, created_at, id);
CREATE INDEX poll_votes_of_voter ON poll_votes (poll_id, user_id);
CREATE UNIQUE INDEX poll_answers_one ON poll_votes (poll_id, user_id) WHERE option_id IS NULL;
`;
