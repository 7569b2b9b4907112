import autocannon, { type Options } from 'autocannon'

/** Sends requests continuously: the milliseconds of each reply, and replies per second. Any status but 200 is an error. */
export async function load(options: Options): Promise<{ times: number[]; rps: number }> {
  const times: number[] = []
  const result = await new Promise<autocannon.Result>((done, fail) => {
    const run = autocannon(options, (error: unknown, found) => {
      if (error instanceof Error) fail(error)
      else done(found)
    })
    run.on('response', (_client, _status, _bytes, ms) => times.push(ms))
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${options.url}: ${result.non2xx} answers were not 200, ${result.errors} failed.`,
    )
  }
  return { times, rps: result.requests.average }
}
