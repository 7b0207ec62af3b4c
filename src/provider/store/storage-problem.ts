/** Error answers for a full disk or a failing database, in place of "internal system error". */
import { storageKind, type StorageKind } from "../../model/files/storage.ts";
import { ApiProblem } from "../base/handler.ts";

/** All have code −1: the request was valid and may succeed later unchanged. */
const ANSWERS: Partial<Record<StorageKind, { status: number; message: string }>> = {
  full: { status: 507, message: "the disk of the provider is full" },
  readOnly: {
    status: 507,
    message: "the provider cannot write its data: the disk or its folder is read-only",
  },
  busy: { status: 503, message: "the provider's database is held by another program" },
  other: { status: 500, message: "the disk of the provider reports an error" },
};

/** The answer for a storage error; undefined for other errors, and for a damaged file, which has another message. */
export function storageProblem(error: unknown): ApiProblem | undefined {
  const answer = ANSWERS[kindOf(error) ?? "damaged"];
  return answer && new ApiProblem(-1, answer.message, { status: answer.status });
}

/** The kind of storage error; undefined for a violated constraint, which is an internal error and not one of the disk. */
function kindOf(error: unknown): StorageKind | undefined {
  const kind = storageKind(error);
  const result = Number((error as { errcode?: unknown }).errcode ?? Number.NaN) & 0xff;
  return kind === "other" && result !== IO_ERROR ? undefined : kind;
}

const IO_ERROR = 10;
