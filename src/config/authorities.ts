/** Reads and checks the certificates of private authorities (the setting `caFile`). */
import { readSmallFile } from "../model/files/small-file.ts";
import { ConfigError } from "./settings.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file. Throws `ConfigError` when it cannot be read or holds none. */
export async function readAuthorities(file: string): Promise<string[]> {
  let text: string;
  try {
    text = readSmallFile(file);
  } catch (error) {
    throw new ConfigError(`caFile: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const { X509Certificate } = await import("node:crypto");
  const certificates = text.match(BLOCK) ?? [];
  if (certificates.length === 0) throw new ConfigError(`caFile: ${file} contains no PEM certificate.`);
  try {
    for (const block of certificates) void new X509Certificate(block);
  } catch {
    throw new ConfigError(`caFile: a certificate in ${file} cannot be read.`);
  }
  return certificates;
}
