/** Columns of channels that were added after the first schema. */

export const channelsSchema = `
ALTER TABLE channels ADD COLUMN auto_translation_enabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN auto_translation_language TEXT;
`;
