/** `parley webhook verify`: checks the signature of a webhook's body. */
import { command } from "../../../commands/base/define-command.ts";
import { readFileSync } from "node:fs";
import { verifyWebhook } from "../../../wire/entities/webhook.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import { readChunks } from "../../base/stdio.ts";
import { showOne } from "../../output/results.ts";

/** The unchanged bytes: a compressed body is not text. */
async function bytesOf({ in: input, signal }: Shell, file: string): Promise<Uint8Array> {
  if (file !== "-") return readFileSync(file);
  const parts: Buffer[] = [];
  for await (const part of readChunks(input, signal)) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

export default command({
  shell: true,
  summary: "Verify the signature of a webhook's body",
  examples: [
    "webhook verify body.json --signature 5f3a41d0",
    'webhook verify - --signature "$SIGNATURE" < body.json',
  ],
  allowsDryRun: true,
  args: {
    file: { kind: "file", positional: true, help: "The body exactly as received; - reads standard input" },
    signature: { kind: "text", value: "hex", required: true, help: "Value of the X-Signature header" },
  },
  async run(shell: Shell, { file, signature }) {
    const body = await bytesOf(shell, file);
    const { secret } = await shell.host.app();
    if (!verifyWebhook(body, signature.trim(), secret))
      throw new ExitError(
        7,
        "The signature does not match this body and the app's secret.",
        "Pass the body byte for byte as it was received, including any newline at its end.",
      );
    return showOne(shell, { valid: true, bytes: body.length }, "the signature is valid");
  },
});
