import { useMemo, useState } from 'react'
import { makeSeries } from '#chart/series.ts'
import { unpackCalls } from '#contracts/hedgehog.ts'
import { ASSETS } from '#domain/asset.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { goTo } from '#web/address/location.ts'
import { unpackPrices } from '#web/api/prices.ts'
import { useSite, type ContentOf } from '#web/head/site.ts'
import { Segments } from '#web/ui/chip.tsx'
import { Stack } from '#web/ui/primitives.tsx'
import { HedgehogPicture } from './hedgehog-picture.tsx'

export function PersonThreads({
  expert: { name, slug },
  threads,
}: Pick<ContentOf<'expert'>, 'expert' | 'threads'>) {
  const { today } = useSite()
  const [chosen, choose] = useState(threads[0]?.asset)
  const [pointed, setPointed] = useState<string | null>(null)
  const thread = threads.find(({ asset }) => asset === chosen) ?? threads[0]
  const series = useMemo(
    () => thread && makeSeries(unpackPrices(thread.prices), today).series,
    [thread, today],
  )
  const calls = useMemo(() => thread && unpackCalls(thread.calls), [thread])
  if (!thread || !series || !calls) return null
  const { asset } = thread
  return (
    <Stack as="section" gap={2} aria-label="Calls over the price">
      {threads.length > 1 && (
        <Segments
          label="Asset"
          options={threads.map((one) => [
            one.asset,
            `${ASSETS[one.asset].symbol} ${String(one.calls.calls.length)}`,
          ])}
          value={asset}
          onChoose={choose}
        />
      )}
      <HedgehogPicture
        {...{ asset, calls, series, today, pointed }}
        isSmall
        view={{ year: null, person: slug }}
        label={`${name}: ${String(calls.length)} ${ASSETS[asset].name} calls over the price on a log axis. The list below holds the same calls.`}
        onPoint={setPointed}
        onPick={(call) => goTo(predictionPath(call))}
      />
    </Stack>
  )
}
