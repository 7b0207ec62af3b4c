/** A WAV file with 16-bit samples in one channel. */
export function waveFile(
  samples: readonly number[],
  { rate = 16_000, saidBytes = samples.length * 2 } = {},
): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + samples.length * 2, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(saidBytes, 40);
  const data = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, at) => data.writeInt16LE(sample, at * 2));
  return Buffer.concat([head, data]);
}

/** A tone of so many seconds that grows louder. */
export function tone(seconds: number, rate = 16_000): number[] {
  const length = Math.round(seconds * rate);
  return Array.from({ length }, (_, i) => Math.round((20_000 * i * Math.sin(i / 5)) / length));
}
