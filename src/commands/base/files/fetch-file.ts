/** Downloads files: piece by piece, or with a size limit and a hash. */

interface FetchFileOptions {
  signal: AbortSignal;
  maxBytes: number;
  /** Whether a redirect is followed; default none. */
  follow?(from: string, to: string): boolean;
}

export class TooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`);
    this.name = "TooLarge";
  }
}

/** The pieces of a file, redirects followed. They throw `TransportError`, or `TransferFailed` for another status than success. */
export const piecesAt = async (url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> =>
  (await import("../../../jobs/transfer.ts")).downloadPieces(url, { signal });

/** Returns the SHA-256. Rejects with `TooLarge` or the error of the transfer, possibly leaving an incomplete file. */
export async function fetchFile(
  url: string,
  file: string,
  { signal, maxBytes: most, follow = () => false }: FetchFileOptions,
): Promise<string> {
  const { createHash } = await import("node:crypto");
  const { open } = await import("node:fs/promises");
  const { downloadTo } = await import("../../../jobs/transfer.ts");
  const hash = createHash("sha256");
  const handle = await open(file, "wx", 0o600);
  let bytes = 0;
  try {
    const write = async (piece: Uint8Array): Promise<void> => {
      bytes += piece.length;
      if (bytes > most) throw new TooLarge(most);
      hash.update(piece);
      await handle.writeFile(piece);
    };
    await downloadTo(url, write, { signal, follow });
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}
