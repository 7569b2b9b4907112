/** Interval in a terminal. */
const REDRAW_MS = 500
const LINE_MS = 10_000

/**
 * Reports progress until ended: in a terminal by redrawing one line, elsewhere on a new line every ten seconds.
 *
 * @param {(line: string) => void} say `console.log`, or `console.error` if standard output belongs to a command
 * @param {string} what
 * @param {() => string} howFar such as `3 of 7`
 * @returns {() => number} ends it and returns the seconds it took
 */
export function showProgress(say, what, howFar) {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const line = () => `${what}: ${howFar()}, ${seconds()} s`
  const terminal = say === console.error ? process.stderr : process.stdout
  /** @type {number | null} */
  let took = null
  const draw = (/** @type {string} */ text) => terminal.write(`\r\u001b[2K${text}`)
  if (terminal.isTTY) draw(line())
  else say(`${what} ...`)
  const timer = setInterval(
    () => (terminal.isTTY ? draw(line()) : say(`  ${line()}`)),
    terminal.isTTY ? REDRAW_MS : LINE_MS,
  )
  return () => {
    if (took !== null) return took
    took = seconds()
    clearInterval(timer)
    if (terminal.isTTY) draw('')
    return took
  }
}
