// Preloaded into a program: if its parent process is gone, even by kill -9, it stops as after a SIGTERM.
process.once('disconnect', () => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1)
})
// The channel alone must not keep the program running.
process.channel?.unref()
