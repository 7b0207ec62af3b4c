/** Unique user names within the app or a team: compares names and refuses a taken one (specification/users.md §4). */
import { readApp } from "../../../store/app-settings.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { usersWithoutKey, setNameKey, teamsOfNamesakes } from "../storage/rows.ts";

/** Lower case without white space and special characters; "" for a name that has nothing else. */
export function nameKey(name: string | null): string | null {
  return name === null
    ? null
    : name
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, "");
}

function addMissingKeys(db: Database): void {
  for (const { id, name } of usersWithoutKey(db)) setNameKey(db, id, nameKey(name));
}

/** Throws 400 code 6 when `enforce_unique_usernames` is on and another user, not deleted, has the name (in `team` mode: one with a common team). */
export function requireFreeName(
  db: Database,
  id: string,
  name: string | null,
  teams: readonly string[],
): void {
  const mode = readApp(db).enforce_unique_usernames;
  const key = nameKey(name);
  if (mode === "no" || !key) return;
  addMissingKeys(db);
  const taken = teamsOfNamesakes(db, key, id).some(
    (others) => mode === "app" || others.some((team) => teams.includes(team)),
  );
  if (taken)
    throw ApiProblem.nameTaken(`The name of user ${id} is already taken`, {
      fields: { name: "is already taken" },
    });
}
