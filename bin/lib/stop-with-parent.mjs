/*
 * Loaded into a program before its own code: when the process that started it is gone, even by kill -9, the program is
 * asked to stop the way a SIGTERM would ask it.
 */
process.once('disconnect', () => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1)
})
// The channel alone shall not keep the program alive.
process.channel?.unref()
