/*
 * Loaded into a program before its own code: when the process that started it is gone, even by kill -9, the program stops
 * as after a SIGTERM.
 */
process.once('disconnect', () => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1)
})
// The channel alone must not keep the program alive.
process.channel?.unref()
