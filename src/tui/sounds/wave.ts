/** Reads length and loudness of a WAV file with 16-bit samples. */
import { readFile } from "node:fs/promises";

interface Wave {
  /** Seconds. */
  duration: number;
  /** Loudness of equal parts, 0 to 1, as messages have it. */
  waveform: number[];
}

/** Parts of the waveform; a card shows fewer. */
const PARTS = 60;
/** The quietest recording is not blown up to the loudest bars. */
const LEAST_PEAK = 0.05;
const BYTES_PER_SAMPLE = 2;

/** Where the chunks of the file are; a recorder that was interrupted may have left the length of the last one unknown. */
function chunksOf(bytes: Buffer): Map<string, { from: number; to: number }> {
  const chunks = new Map<string, { from: number; to: number }>();
  for (let at = 12; at + 8 <= bytes.length;) {
    const [from, size] = [at + 8, bytes.readUInt32LE(at + 4)];
    const to = Math.min(bytes.length, from + size);
    chunks.set(bytes.toString("latin1", at, at + 4), { from, to });
    at = to + (size % 2);
  }
  return chunks;
}

function loudness(bytes: Buffer, from: number, to: number): number[] {
  const samples = Math.floor((to - from) / BYTES_PER_SAMPLE);
  const peaks = Array.from({ length: Math.min(PARTS, samples) }, () => 0);
  for (let i = 0; i < samples; i++) {
    const part = Math.floor((i * peaks.length) / samples);
    const value = Math.abs(bytes.readInt16LE(from + i * BYTES_PER_SAMPLE)) / 0x80_00;
    if (value > peaks[part]!) peaks[part] = value;
  }
  const most = peaks.reduce((a, b) => Math.max(a, b), LEAST_PEAK);
  return peaks.map((peak) => Math.round((100 * peak) / most) / 100);
}

/** Undefined if it is no such file, or has no sound. */
export async function readWave(file: string): Promise<Wave | undefined> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  if (bytes.length < 12 || bytes.toString("latin1", 8, 12) !== "WAVE") return undefined;
  const chunks = chunksOf(bytes);
  const [format, data] = [chunks.get("fmt "), chunks.get("data")];
  if (!format || format.to - format.from < 16 || !data || data.to <= data.from) return undefined;
  const bytesPerSecond = bytes.readUInt32LE(format.from + 8);
  const bits = bytes.readUInt16LE(format.from + 14);
  if (bits !== 8 * BYTES_PER_SAMPLE || bytesPerSecond === 0) return undefined;
  const duration = Math.round((100 * (data.to - data.from)) / bytesPerSecond) / 100;
  return { duration, waveform: loudness(bytes, data.from, data.to) };
}
