/** Milliseconds that this thread has worked so far: other programs on the machine do not make them more, as they do with a clock. */
export function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
