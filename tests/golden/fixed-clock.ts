// Loaded before the built site and its commands: their clock stands at GOLDEN_NOW, in ms since 1970, until the
// parent sends another time, which is echoed once it is set.
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
  process.send?.(now)
})
// It ends with its parent.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
