import { MODE_PRICES } from '#domain/judging/verdict-text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listEarlierDays, publishEarlierDays, runSource } from '#contracts/operations.ts'
import { ASSETS } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { type z } from 'zod'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import css from '#web/ui/admin-page.module.css'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { dateOr, showDate } from '#web/ui/show-date.ts'
import { momentOr, showMoment } from '#web/ui/show-moment.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Tag, type TagTone } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'

type Earlier = z.infer<typeof listEarlierDays.reply>
type Waiting = Earlier['waiting'][number]
type Published = Earlier['published'][number]

const REFRESH_MS = 20_000
const COLUMNS = [
  'Source',
  'Asset',
  'State',
  'Asked for',
  'Reaches to',
  { number: 'Days read' },
  { number: 'Refused' },
  'Next run',
  'Note',
  { unseen: 'Actions' },
] as const
const TONES: Readonly<Record<Earlier['sources'][number]['state'], TagTone | undefined>> = {
  'not-asked': undefined,
  reading: 'good',
  done: 'good',
  failing: 'bad',
}
const MODES: Readonly<Record<Earlier['mode'], string>> = {
  publish:
    'They go into the record once all sources of an asset have answered (DEEPER_HISTORY=publish).',
  review:
    'They go into the record when an administrator publishes them here (DEEPER_HISTORY=review).',
  off: 'They are not read (DEEPER_HISTORY=off).',
}

/** Highs and lows of days of which the record has closes only: how far they are read, and what they change. */
export function EarlierDaysPanel() {
  const query = useQuery({
    queryKey: ['earlier-days'],
    queryFn: ({ signal }) => adminCall(listEarlierDays, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Highs and lows of earlier days" gap={4}>
      <Loaded
        query={query}
        loading="Loading earlier days..."
        failed="The state of earlier days could not be loaded."
      >
        {({ mode, sources, waiting, published, refused }) => (
          <>
            <Text size="small">
              Days with closes only are completed from the price sources, newest first.{' '}
              {MODES[mode]}
            </Text>
            {waiting.map((one) => (
              <Waits key={one.asset} waiting={one} canPublish={mode !== 'off'} />
            ))}
            {sources.length > 0 && (
              <DenseTable
                label="Earlier days by source"
                columns={COLUMNS}
                isPlain={sources.every(({ note }) => note === null)}
              >
                {sources.map((source) => (
                  <SourceRow key={`${source.asset} ${source.source}`} source={source} />
                ))}
              </DenseTable>
            )}
            {published.length > 0 && (
              <Stack as="ul" gap={2} size="small" aria-label="Published ranges">
                {published.map((one) => (
                  <li key={`${one.asset} ${one.at}`}>
                    <Stack gap={1}>
                      <span>
                        {showMoment(one.at)}, {one.by ?? 'by itself'}: {summaryText(one, 'changed')}
                      </span>
                      <Changes of={one} />
                    </Stack>
                  </li>
                ))}
              </Stack>
            )}
            <Refused refused={refused} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function SourceRow({ source }: { readonly source: Earlier['sources'][number] }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const change = useChange({ onFailed: ({ message }) => toasts.failed(message) })

  async function askAgain(): Promise<void> {
    const body = { asset: source.asset, source: source.source, earlier_days: true }
    toasts.done((await adminCall(runSource, { body })).message)
    await client.invalidateQueries({ queryKey: ['earlier-days'] })
  }

  return (
    <tr>
      <th scope="row" className={css.name}>
        {source.title}
      </th>
      <td className={table.nowrap}>{ASSETS[source.asset].symbol}</td>
      <td>
        <Tag tone={TONES[source.state]}>{source.state.replace('-', ' ')}</Tag>
      </td>
      <td className={table.nowrap}>
        {source.asked_from === null
          ? '–'
          : `${showDate(source.asked_from)} to ${dateOr('–', source.asked_to)}`}
      </td>
      <td className={table.nowrap}>{dateOr('–', source.reaches)}</td>
      <td className={table.number}>{showCount(source.days_read)}</td>
      <td className={table.number}>{showCount(source.days_refused)}</td>
      <td className={table.nowrap}>{momentOr('–', source.next_run)}</td>
      <td className={table.note}>{source.note}</td>
      <td>
        {source.note !== null && (
          <div className={table.actions}>
            <Button disabled={change.isBusy} onClick={() => void change.run(askAgain)}>
              Ask again
            </Button>
          </div>
        )}
      </td>
    </tr>
  )
}

function Waits({
  waiting,
  canPublish,
}: {
  readonly waiting: Waiting
  readonly canPublish: boolean
}) {
  const change = useChange()
  const client = useQueryClient()
  const toasts = useToasts()

  function publish(): void {
    const { asset, digest } = waiting
    void change.run(async () => {
      try {
        const body = { asset, seen: digest }
        toasts.done((await adminCall(publishEarlierDays, { body })).message)
      } finally {
        // Where it was refused, what has changed is shown.
        await client.invalidateQueries({ queryKey: ['earlier-days'] })
      }
    })
  }

  return (
    <Panel tone="wait" gap={2} size="small">
      <p>
        <b>Not in the record yet.</b> {summaryText(waiting, 'would change')}
      </p>
      <Changes of={waiting} />
      {!waiting.complete && <p>Some sources have not answered yet, so this may still change.</p>}
      <ChangeFailure change={change} />
      {canPublish && waiting.complete && (
        <Row>
          <Button disabled={change.isBusy} onClick={publish}>
            Publish {ASSETS[waiting.asset].symbol} ranges
          </Button>
        </Row>
      )}
    </Panel>
  )
}

/** Verdicts that change, each with before and after. */
function Changes({ of: { changes, changed } }: { readonly of: Waiting | Published }) {
  if (changes.length === 0) return null
  const more = changed - changes.length
  return (
    <Stack as="ul" gap={1} aria-label="Changed verdicts">
      {changes.map(({ id, mode, before, after }) => (
        <li key={`${id} ${mode}`}>
          <a href={`/predictions/${encodeURIComponent(id)}`} target="_blank">
            {id}
          </a>
          , by {MODE_PRICES[mode]}: {before} → {after}
        </li>
      ))}
      {more > 0 && <li>and {showCount(more)} more</li>}
    </Stack>
  )
}

function Refused({ refused }: { readonly refused: Earlier['refused'] }) {
  if (refused.total === 0) return null
  const shown = refused.newest.length
  const most = shown < refused.total ? ` (the newest ${String(shown)} are listed)` : ''
  return (
    <Fold title={`${counted(refused.total, 'price')} refused${most}`}>
      <Stack as="ul" gap={1} size="small" aria-label="Refused prices">
        {refused.newest.map(({ asset, date, source, reason }) => (
          <li key={`${asset} ${date} ${source}`}>
            {ASSETS[asset].symbol} on {showDate(date)}, {source}: {reason}
          </li>
        ))}
      </Stack>
    </Fold>
  )
}

/** `BTC, 01/01/2012 to 11/06/2024: 2,310 days with a range. 3 verdicts changed, 40 with better evidence.` */
function summaryText(
  { asset, from, to, days, changed, completed }: Waiting | Published,
  verb: 'changed' | 'would change',
): string {
  const span = `${ASSETS[asset].symbol}, ${showDate(from)} to ${showDate(to)}`
  return `${span}: ${counted(days, 'day')} with a range. ${counted(changed, 'verdict')} ${verb}, ${showCount(completed)} with better evidence.`
}

function counted(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
