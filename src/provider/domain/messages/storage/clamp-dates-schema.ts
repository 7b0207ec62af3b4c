/** Bounds dates for "never", such as the year 9999, which earlier versions stored as numbers that SQLite cannot return exactly. */

export const clampDatesSchema = [
  ["users", "revoked_before"],
  ["members", "hide_before"],
  ["channel_mutes", "expires"],
  ["message_rows", "pin_expires"],
  ["locations", "end_at"],
  ["reminders", "remind_at"],
  ["campaigns", "scheduled_for"],
  ["campaigns", "stop_at"],
  ["campaigns", "due_at"],
]
  .map(
    ([table, column]) =>
      `UPDATE ${table} SET ${column} = min(max(${column}, -8520336000000000), 8835955200000000)
       WHERE ${column} NOT BETWEEN -8520336000000000 AND 8835955200000000;`,
  )
  .join("\n");
