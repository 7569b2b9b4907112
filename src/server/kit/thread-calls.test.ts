import { handTimers } from '#tests/support/timers.ts'
import { once } from 'node:events'
import { type Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { threadParser } from '#server/posts/post-parser.ts'
import { threadCalls, type ThreadCalls } from './thread-calls.ts'

const FILE = new URL('../../../tests/support/hanging-worker.ts', import.meta.url)

function calls(given: { mostWaiting?: number } = {}): ThreadCalls<string> & {
  time: ReturnType<typeof handTimers>
} {
  const time = handTimers()
  const made = threadCalls({
    file: FILE,
    read: (answer) => z.string().max(20).parse(answer),
    mostWaiting: 10,
    withinMs: 100,
    idleMs: 7,
    after: time.after,
    ...given,
  })
  return { ...made, time }
}

it('answers in turn, and lets its thread go when there is nothing to do', async () => {
  const thread = calls()
  const texts = ['a', 'fail', 'b']
  expect(await Promise.all(texts.map((text) => thread.ask({ text })))).toEqual([
    { ok: true, answer: 'a' },
    { ok: false, why: 'failed', message: 'refused' },
    { ok: true, answer: 'b' },
  ])
  expect(thread.time.open()).toEqual([7])
  thread.time.runOut(7)
  expect(await thread.ask({ text: 'c' })).toEqual({ ok: true, answer: 'c' })
  await thread.close()
  expect(thread.time.open()).toEqual([])
})

it('takes no answer for that of another question', async () => {
  const thread = calls()
  const answers = ['twice', 'a', 'b'].map((text) => thread.ask({ text }))
  expect(await Promise.all(answers)).toEqual(
    ['twice', 'a', 'b'].map((answer) => ({ ok: true, answer })),
  )
  await thread.close()
})

it('ends what takes too long, and nothing else', async () => {
  const thread = calls()
  const hung = thread.ask({ text: 'hang' })
  const others = ['a', 'hang', 'b'].map((text) => thread.ask({ text }))
  thread.time.runOut(100)
  expect(await hung).toMatchObject({ ok: false, why: 'late' })
  expect(await others[0]).toEqual({ ok: true, answer: 'a' })
  thread.time.runOut(100)
  expect(await others[1]).toMatchObject({ ok: false, why: 'late' })
  expect(await others[2]).toEqual({ ok: true, answer: 'b' })
  await thread.close()
})

it('leaves no thread behind that hangs', async () => {
  const made = Promise.withResolvers<Worker>()
  process.once('worker', made.resolve)
  const thread = calls()
  const hung = thread.ask({ text: 'hang' })
  const ended = once(await made.promise, 'exit')
  thread.time.runOut(100)
  expect(await hung).toMatchObject({ why: 'late' })
  expect(await ended).toHaveLength(1)
  await thread.close()
})

it.each(['end', 'throw', 'garble', 'an answer longer than any that is read'])(
  'goes on with another thread when one comes to an end: %s',
  async (text) => {
    const thread = calls()
    const [ended, next] = [thread.ask({ text }), thread.ask({ text: 'a' })]
    expect(await ended).toMatchObject({ ok: false, why: 'failed' })
    expect(await next).toEqual({ ok: true, answer: 'a' })
    await thread.close()
  },
)

it('takes no more than may wait, and ends all that wait when it is closed', async () => {
  const thread = calls({ mostWaiting: 1 })
  const [hung, waits, refused] = ['hang', 'a', 'b'].map((text) => thread.ask({ text }))
  expect(await refused).toMatchObject({ ok: false, why: 'busy' })
  await thread.close()
  expect(await hung).toMatchObject({ ok: false, why: 'failed' })
  expect(await waits).toMatchObject({ ok: false, why: 'failed' })
})

it('a post is read by the text parser itself', async () => {
  const parser = threadParser()
  const reading = await parser.read('Bitcoin hits $150k by 2027', { posted: null })
  expect(reading).toMatchObject({ found: true, prediction: { claim: { usd: 150_000 } } })
  await parser.close()
})

it('a post that takes too long is one without a prediction; more than may wait are refused', async () => {
  const time = handTimers()
  const parser = threadParser({ file: FILE, withinMs: 100, mostWaiting: 1, after: time.after })
  const reads = ['hang', 'hang', 'hang'].map((text) => parser.read(text, { posted: null }))
  await expect(reads[2]).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 5 })
  time.runOut(100)
  expect(await reads[0]).toEqual({ found: false, why: 'unread', asset: null })
  const [closed] = await Promise.allSettled([reads[1], parser.close()])
  expect(closed).toMatchObject({
    reason: { message: expect.stringContaining('The server stops.') },
  })
})
