// Loaded before the built site and its commands: their clock stands still at GOLDEN_NOW, milliseconds since 1970, until the
// parent sends another moment, which is sent back once it is set.
const Real = globalThis.Date
let now = Number(process.env['GOLDEN_NOW'])

Real.now = () => now
globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now).toString(),
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now] : args, newTarget) as Date,
})

process.on('message', (moment) => {
  now = Number(moment)
  // Threads that start later take it from here.
  process.env['GOLDEN_NOW'] = String(now)
  process.send?.(now)
})
// With its parent it stops, too.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
