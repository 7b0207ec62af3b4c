/** Reads an app file and reports every mistake with its line and column. */
import { PUSH_PROVIDER_TYPES } from "../../../wire/entities/push-provider.ts";
import { firstFew } from "../../../text/words.ts";
import type { FileReading, Args } from "../../base/define-command.ts";
import { isObject } from "../../../wire/json-object.ts";
import {
  requireNoProblems,
  problemLine,
  readParsedFile,
  type InputFault,
  type FileForm,
} from "../../base/files/parsed-file.ts";
import { APP_FILE, type AppFile } from "./shape.ts";

/** The arguments of plan and apply. */
export const APP_FILE_ARGS = {
  file: { kind: "file", positional: true, help: "The app file (YAML or JSON); - reads standard input" },
  prune: { kind: "flag", help: "Remove what the sections of the file do not name" },
} as const satisfies Args;

function* checkPushNames(content: Record<string, unknown>): Iterable<InputFault> {
  const services: readonly string[] = PUSH_PROVIDER_TYPES;
  for (const key of Object.keys(isObject(content.push_providers) ? content.push_providers : {})) {
    const [type = "", name = "", ...rest] = key.split("/");
    if (!services.includes(type) || name === "" || rest.length > 0)
      yield {
        path: ["push_providers", key],
        message: `must be called by its service and its name, such as firebase/main`,
      };
  }
}

const FORM: FileForm = { shape: APP_FILE, noun: "an app file", check: checkPushNames };

/** Throws `CommandError` listing the problems of the file. */
export async function readAppFile(call: FileReading, name: string): Promise<AppFile> {
  const file = await readParsedFile(call, name, FORM);
  const [, ...more] = file.problems.map((problem) => problemLine(file, problem));
  requireNoProblems(file, more.length === 0 ? undefined : firstFew(more, "; ", 3));
  return file.content as AppFile;
}
