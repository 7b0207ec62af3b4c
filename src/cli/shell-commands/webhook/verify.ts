/** `parley webhook verify`: checks the signature of a webhook's body. */
import { readFileSync } from "node:fs";
import { verifyWebhook } from "../../../wire/entities/webhook.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { readPieces } from "../../base/stdio.ts";
import { showOne } from "../../output/results.ts";
import type { WEBHOOK_VERIFY_ARGS } from "./args.ts";

/** Bytes as they are: a packed body is none of text. */
async function bytesOf({ in: input, signal }: Shell, file: string): Promise<Uint8Array> {
  if (file !== "-") return readFileSync(file);
  const parts: Buffer[] = [];
  for await (const part of readPieces(input, signal)) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

const verify: ShellRun<typeof WEBHOOK_VERIFY_ARGS> = async (shell, { file, signature }) => {
  const body = await bytesOf(shell, file);
  const { secret } = await shell.host.app();
  if (!verifyWebhook(body, signature.trim(), secret))
    throw new ExitError(
      7,
      "The signature does not match this body and the app's secret.",
      "Give the body byte for byte as it came: a newline at its end counts.",
    );
  return showOne(shell, { valid: true, bytes: body.length }, "the signature is right");
};
export default verify;
