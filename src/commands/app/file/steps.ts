/** Reads an app file and compares it with the app. */
import type { Args, Call } from "../../base/define-command.ts";
import type { CompareOptions } from "./changes.ts";
import { compareApp } from "./compare.ts";
import { currentApp } from "./current.ts";
import { readAppFile } from "./read.ts";
import type { AppStep } from "./sections.ts";

/** Throws `CommandError` (rejected) for an invalid file. */
export async function stepsOf(
  call: Pick<Call<Args>, "core" | "input" | "localFile">,
  name: string,
  options: CompareOptions,
): Promise<AppStep[]> {
  const file = await readAppFile(call, name);
  const { current, sets } = await currentApp(call.core);
  return compareApp(file, current, sets, options);
}
