/** Error answers for a full disk or a failing database, in place of "internal system error". */
import { storageKind, type StorageKind } from "../../model/files/storage.ts";
import { ApiProblem } from "../base/handler.ts";

/** Code −1 for all: the request was right, and may succeed later without a change. */
const SAID: Partial<Record<StorageKind, { status: number; says: string }>> = {
  full: { status: 507, says: "the disk of the provider is full" },
  readOnly: {
    status: 507,
    says: "the provider cannot write its data: the disk or its folder is read-only",
  },
  busy: { status: 503, says: "the provider's database is held by another program" },
  other: { status: 500, says: "the disk of the provider reports an error" },
};

/** Undefined for what is no failure of storage, and for a damaged file, which has a sentence of its own. */
export function storageProblem(error: unknown): ApiProblem | undefined {
  const said = SAID[resultOf(error) ?? "damaged"];
  return said && new ApiProblem(-1, said.says, { status: said.status });
}

/** A broken rule of a table is a fault of ours, not of the disk. */
function resultOf(error: unknown): StorageKind | undefined {
  const kind = storageKind(error);
  const result = Number((error as { errcode?: unknown }).errcode ?? Number.NaN) & 0xff;
  return kind === "other" && result !== IO_ERROR ? undefined : kind;
}

const IO_ERROR = 10;
