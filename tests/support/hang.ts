/** Hangs for as long as its parent process lives, so that a failed test leaves no process behind. */
export function hang(): never {
  const parent = process.ppid
  while (process.ppid === parent);
  return process.exit(1)
}
