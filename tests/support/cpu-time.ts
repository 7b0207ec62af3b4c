/** CPU milliseconds of this thread so far: unlike elapsed time, other programs on the machine do not increase them. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
