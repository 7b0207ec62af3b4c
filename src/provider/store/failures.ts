/** Converts storage failures into answers, and reports failures of background work. */
import { storageKind, type StorageKind } from "../../model/files/storage.ts";
import { ApiProblem } from "../base/handler.ts";
import type { OpenedDatabase } from "./open.ts";

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
function storageProblem(error: unknown): ApiProblem | undefined {
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

export class Failures {
  readonly #db: Pick<OpenedDatabase, "damageMessage">;
  readonly #warn: (sentence: string, stack?: string) => void;
  #damageReported = false;

  constructor(db: Pick<OpenedDatabase, "damageMessage">, warn: (sentence: string, stack?: string) => void) {
    this.#db = db;
    this.#warn = warn;
  }

  /** The problem to answer with when storage failed, instead of "internal system error"; undefined for other errors. */
  problemOf(error: unknown): ApiProblem | undefined {
    const damage = this.#damageIn(error);
    return damage === undefined ? storageProblem(error) : new ApiProblem(-1, damage);
  }

  /** Reports an error to the operator when there is no call to answer. */
  readonly inBackground = (error: unknown): void => {
    if (this.#damageIn(error) !== undefined) return;
    this.#warn("the provider failed in the background", String((error as Error)?.stack ?? error));
  };

  /** The sentence about damage, with which the operator is warned once; undefined for other errors. */
  #damageIn(error: unknown): string | undefined {
    const sentence = this.#db.damageMessage(error);
    if (sentence !== undefined && !this.#damageReported) this.#warn(sentence);
    this.#damageReported ||= sentence !== undefined;
    return sentence;
  }
}
