import { dayOfTime } from '#domain/day.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { type Catalog } from './catalog.service.ts'
import { type Imports } from './imports.service.ts'
import { sendNews } from './news.ts'

const READ_AGAIN_MS = 5_000
const NEW_DAY_CHECK_MS = 60_000

/**
 * Keeps the catalog current: after every change that any process makes, and when a new day begins.
 *
 * @param judges whether this process judges what has ended with a day
 */
export function startCatalog(
  { signals, clock, log, outages }: Kit,
  {
    catalog,
    imports,
    live,
    judges,
  }: { catalog: Catalog; imports: Imports; live: LivePrices; judges: boolean },
): { stop: () => void } {
  let readAgain: NodeJS.Timeout | null = null
  const refresh = (): void => {
    catalog.refresh().catch((error: unknown) => {
      // What has changed meanwhile would otherwise stay unseen until the next change.
      readAgain ??= setTimeout(() => {
        readAgain = null
        refresh()
      }, READ_AGAIN_MS).unref()
      if (outages.notice(error) !== null) return
      log.error({ err: error }, 'the record cannot be read; the last good state is served')
    })
  }
  const endNews = sendNews(catalog, live)
  const unlisten = signals.listen('record', refresh)
  let shownDay = dayOfTime(clock.now())
  const newDay = setInterval(() => {
    const today = dayOfTime(clock.now())
    if (today === shownDay) return
    shownDay = today
    if (judges) {
      imports.judgeDue().catch((error: unknown) => {
        log.error({ err: error }, 'judging at the start of a day failed')
      })
    }
    refresh()
  }, NEW_DAY_CHECK_MS)
  return {
    stop: () => {
      clearInterval(newDay)
      if (readAgain) clearTimeout(readAgain)
      unlisten()
      endNews()
    },
  }
}
