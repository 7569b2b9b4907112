import { z } from 'zod'
import { AdminPrediction } from '#contracts/corrections.ts'
import { closesFile, entry } from './builders.ts'
import { shareByFile } from './once-for-file.ts'
import { signedIn } from './sign-in.ts'
import { testApp, type TestApp } from './test-app.ts'

type Method = 'PUT' | 'POST' | 'DELETE'
const Answer = z.object({ message: z.string(), prediction: AdminPrediction })

/**
 * A site with prices of 20 days, two predictions of $150 and $180 that never came true, and a signed-in
 * administrator.
 */
export async function correctedSite(overrides: Parameters<typeof testApp>[0] = {}) {
  return correctedOn(await testApp(overrides))
}

export type CorrectedSite = Awaited<ReturnType<typeof correctedOn>>

export async function correctedOn(world: TestApp) {
  const closes = [100, 101, 102, 103, 140, 105, 106, 107, 108, 109, 110, 111, 160, 112, 113]
  const prices = closesFile('2024-01-01', closes)
    .replace('date,close', 'date,high,low,close')
    .replaceAll(/,(\d+)$/gm, ',,,$1')
    // The range of the day that comes nearest to $150 is known.
    .replace(',,,140', ',140,139,140')
  await world.imports.prices('btc', prices, 'test')
  await world.publish(entry('a'), entry('b', { expert_name: 'Expert B', price_target: 180 }))
  const admin = await signedIn(world)
  const url = (path: string): string => `/api/v1/admin/predictions${path}`
  const readDetail = async (id = 'a') =>
    AdminPrediction.parse((await admin.call('GET', url(`/${id}`))).body)
  return {
    world,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    admin,
    /** The prediction as administrators see it. */
    readDetail,
    /** Changes prediction `a` from its present version. */
    change: async (method: Method, path: string, body: object) => {
      const { version } = await readDetail()
      const answer = await admin.call(method, url(`/a${path}`), { version, ...body })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      await world.refresh()
      return Answer.parse(answer.body).prediction
    },
  }
}

/** The same for all tests of a file or `describe`: each begins with the two predictions. */
export function sharedCorrected(overrides: Parameters<typeof testApp>[0] = {}): CorrectedSite {
  return shareByFile(
    () => correctedSite(overrides),
    ({ world }) => world,
  )
}
