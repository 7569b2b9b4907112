import { Fragment } from 'react'
import { type PageData } from '#contracts/page.ts'
import {
  REPORTS_PATH,
  reportPath,
  CORRECTION_KINDS,
  CORRECTION_NAMES,
  CORRECTIONS_ADDRESS,
  CORRECTIONS_PATH,
  type CorrectionsPage as Log,
  type CorrectionsView,
} from '#contracts/public-logs.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { counted } from '#domain/price-text.ts'
import { addressIn, useAddressState } from '#web/address/address-state.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { useNarrowed } from '#web/api/use-narrowed.ts'
import { type PageProps } from '#web/head/site.ts'
import { Tag } from '#web/ui/chip.tsx'
import { Text, Note } from '#web/ui/primitives.tsx'
import { FilterLinks, LogEntry, PagedLog } from './paged-log.tsx'

const addressOf = (view: CorrectionsView): string =>
  addressIn(CORRECTIONS_PATH, CORRECTIONS_ADDRESS, view)
const correctionsIn = (data: PageData) => (data.page === 'corrections' ? data.log : undefined)

export function CorrectionsPage({ content: { log: loaded } }: PageProps<'corrections'>) {
  const [view] = useAddressState(CORRECTIONS_ADDRESS)
  const log = useNarrowed(loaded, addressOf(loaded.view), addressOf(view), correctionsIn)
  const link = (part: Partial<CorrectionsView>, text: string, isCurrent: boolean) =>
    [text, addressOf({ ...view, page: 1, ...part }), isCurrent] as const
  return (
    <PagedLog
      of="corrections"
      title="Corrections"
      lead="Every change of the record after it was published, newest first: what changed, why, and whether someone reported it or we found it ourselves."
      filters={
        <>
          <FilterLinks
            label="Asset"
            links={[
              link({ asset: null }, 'All assets', view.asset === null),
              ...ASSET_KEYS.map((asset) =>
                link({ asset }, ASSETS[asset].symbol, view.asset === asset),
              ),
            ]}
          />
          <FilterLinks
            label="Kind of change"
            links={[
              link({ kind: null }, 'All changes', view.kind === null),
              ...CORRECTION_KINDS.map((kind) =>
                link({ kind }, CORRECTION_NAMES[kind], view.kind === kind),
              ),
            ]}
          />
          {view.person !== null && (
            <FilterLinks
              label="Person"
              about={
                <span>
                  Only calls by <bdi>{log.visible.name ?? view.person}</bdi>
                </span>
              }
              links={[link({ person: null }, 'Show everyone', false)]}
            />
          )}
        </>
      }
      log={log}
      count={countText(log.visible)}
      addressOf={(page) => addressOf({ ...view, page })}
      entry={({ number, at, kind, prediction, what, why, reports }) => {
        const { person, asset, statement } = prediction
        return (
          <LogEntry
            key={number}
            id={`c${String(number)}`}
            at={at}
            tag={<Tag>{CORRECTION_NAMES[kind]}</Tag>}
            asset={asset}
            title={
              <a href={predictionPath(prediction)}>
                <bdi>{person.name}</bdi>: {statement}
              </a>
            }
          >
            <Text className="measure">{what}</Text>
            <Text className="measure">
              <b>Why:</b> {why ?? 'No reason was given.'}
            </Text>
            <Note>
              {reports.length === 0 ? 'By ourselves.' : 'Reported: '}
              {reports.map((report, i) => (
                <Fragment key={report}>
                  <a href={reportPath(report)}>report {report}</a>
                  {i < reports.length - 1 ? ', ' : '.'}
                </Fragment>
              ))}
              {view.person === null && (
                <>
                  {' '}
                  <a href={addressOf({ asset: null, kind: null, person: person.slug, page: 1 })}>
                    All changes of calls by <bdi>{person.name}</bdi>
                  </a>
                </>
              )}
            </Note>
          </LogEntry>
        )
      }}
    >
      <Text tone="quiet">
        Ordinary verdicts are not corrections; you’ll find them in each prediction’s history. Have
        we got something wrong? Press “Report an error” on the page of the prediction;{' '}
        <a href={REPORTS_PATH}>all reports</a> are public, with what came of them.
      </Text>
      <Note>
        Follow the corrections: <a href={`${CORRECTIONS_PATH}/feed.xml`}>RSS</a> ·{' '}
        <a href={`${CORRECTIONS_PATH}/feed.json`}>JSON feed</a>
      </Note>
    </PagedLog>
  )
}

function countText({ total, view, name }: Log): string {
  const isNarrowed = view.asset !== null || view.kind !== null || view.person !== null
  if (total === 0) {
    return isNarrowed
      ? 'Nothing in this selection has been changed.'
      : 'Nothing on the record has been changed since it was published.'
  }
  const changes = counted(total, 'change')
  return name === null ? `${changes}.` : `${changes} of calls by ${name}.`
}
