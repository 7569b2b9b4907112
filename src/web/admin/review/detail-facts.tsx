import { type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { AiMetadata } from '#contracts/posts.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { ASSETS } from '#domain/asset.ts'
import { timingName } from '#domain/claim/claim-input.ts'
import { fieldsText } from '#domain/claim/written.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Changes } from '#web/admin/kit/changes.tsx'
import { FIELDS } from '#web/admin/kit/prediction-fields.tsx'
import { FactList, Words } from '#web/admin/kit/screen.tsx'
import { jsonOf } from '#web/api/page-stream.ts'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Callout, Text, Note, Quiet } from '#web/ui/primitives.tsx'
import { satsText, showDate, showMoment } from '#web/ui/show.ts'
import { type Detail } from './calls.ts'
import { handleOf, sourceLink, StatusBadge, TypeBadge, paidText } from './dashboards.tsx'

const ORIGINS: Readonly<Record<SubmissionRow['origin'], string>> = {
  visitor: 'A visitor',
  admin: 'An administrator',
  extraction: 'Extracted from a post',
}

export function DetailFacts({ row }: { readonly row: SubmissionRow }) {
  const { decided_at: decidedAt, existing_influencer_name: influencer } = row
  const beside = (value: ReactNode, text: string) => (
    <>
      {value}
      <Note as="span"> {text}</Note>
    </>
  )
  const bdi = (text: string | null) => text && <bdi>{text}</bdi>
  const decided =
    decidedAt && `by ${row.decided_by ?? 'an administrator'}, ${showMoment(decidedAt)}`
  return (
    <FactList
      facts={[
        ['Status', beside(<StatusBadge status={row.status} />, decided ?? '')],
        ['Expert', bdi(row.expert_name)],
        ['Twitter', handleOf(row.twitter_handle)],
        ['Nostr', bdi(row.nostr_npub)],
        ['Prediction', beside(<b>{fieldsText(row)}</b>, ASSETS[row.asset_type].symbol)],
        ['Type', <TypeBadge key="type" type={row.prediction_type} />],
        ['Must be true', timingName(row.prediction_type, row.timing)],
        ['Direction said', row.direction],
        ['Target date', showDate(row.target_time)],
        ['Source', sourceLink(row.source_url)],
        ['Submitted', beside(showMoment(row.created_at), ORIGINS[row.origin])],
        ['Paid', paidText(row)],
        ['Email', bdi(row.submitter_email)],
        [
          'Influencer',
          bdi(influencer) ??
            beside('', row.new_influencer ? 'A new person of this name' : 'Not chosen'),
        ],
        ['Outcome note', FIELDS.prediction_outcome.names[row.prediction_outcome]],
        ['Comment', bdi(row.admin_comment)],
        [
          'Notes',
          row.notes && beside(<Words>{row.notes}</Words>, 'For reviewers; never published'),
        ],
      ]}
    />
  )
}

export function Duplicates({ duplicates }: Pick<Detail, 'duplicates'>) {
  const [path] = useLocation()
  if (duplicates.length === 0) return null
  return (
    <Callout as="section" tone="wait" gap={2} aria-label="Duplicates">
      <Text as="h3" size="base">
        Probably a duplicate of
      </Text>
      <ul>
        {duplicates.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <a
              href={one.kind === 'prediction' ? predictionPath(one) : `${path}?open=${one.id}`}
              target="_blank"
              rel="noreferrer"
            >
              <bdi>{one.expert_name}</bdi>: {one.price_prediction} by {showDate(one.target_time)}
              <span className="aside-voice"> (opens in a new tab)</span>
            </a>{' '}
            ({one.kind === 'prediction' ? 'published' : 'pending submission'})
          </li>
        ))}
      </ul>
    </Callout>
  )
}

const METHODS: Readonly<Record<string, string>> = {
  grok_ai: 'Language model',
  text_parsing: 'Text parser',
}

/** Notes by an assistant (administrator-tools.md §3); other formats are shown verbatim. */
export function AiNotes({ json }: { readonly json: string | null }) {
  const read = AiMetadata.safeParse(jsonOf(json)).data
  if (json === null || json.trim() === '') return null
  const proposals = read?.tweet_proposals ?? []
  const hard = read?.interpretation_challenges
  const facts = [
    [
      'Read by',
      read?.extraction_method && (METHODS[read.extraction_method] ?? read.extraction_method),
    ],
    ['Model used', { true: 'Yes', false: 'No' }[String(read?.grok_used)]],
    ['Confidence', read?.accuracy_confidence],
    ['Reasoning', read?.accuracy_reasoning],
    ['Hard to read', Array.isArray(hard) ? hard.join(' ') : hard],
    ['Author', read?.verification_status],
  ] as const
  return (
    <Fold title="Notes of the assistant">
      <FactList
        facts={facts.map(([name, value]) => [name, value && <bdi key={name}>{value}</bdi>])}
      />
      {proposals.length > 0 && (
        <Stack as="ul" aria-label="Proposed posts">
          {proposals.map(({ style, text: proposal }, i) => (
            <li key={`${String(i)} ${style}`}>
              <b>{style}</b>
              <p className="as-written">
                <bdi>{proposal}</bdi>
              </p>
            </li>
          ))}
        </Stack>
      )}
      {facts.every(([, value]) => !value) && proposals.length === 0 && (
        <pre className="as-written">{json}</pre>
      )}
    </Fold>
  )
}

function Entries({
  title,
  about,
  list,
}: {
  readonly title: string
  readonly about?: string | null
  readonly list: readonly {
    readonly key: string | number
    readonly what: ReactNode
    readonly when: string
    readonly fault?: string | null
    readonly more?: ReactNode
  }[]
}) {
  if (list.length === 0 && !about) return null
  return (
    <Fold title={`${title} (${String(list.length)})`}>
      {about && <Text tone="quiet">{about}</Text>}
      <Stack as="ul" gap={2}>
        {list.map(({ key, what, when, fault, more }) => (
          <Row as="li" gap={3} tight justify="between" key={key}>
            <span>{what}</span>
            <Quiet>{when}</Quiet>
            {fault && (
              <Text as="span" tone="bad" className="full">
                {fault}
              </Text>
            )}
            {more}
          </Row>
        ))}
      </Stack>
    </Fold>
  )
}

export function DetailRecords({ detail }: { readonly detail: Detail }) {
  const { payments, notices, audit, told_by: noticesBy } = detail
  return (
    <Stack gap={0} size="small">
      <Entries
        title="Payments"
        list={payments.map((one) => ({
          key: one.id,
          what: `${satsText(one.sats)}, ${one.status}${one.counts ? ' – brought it into review' : ''}`,
          when: `${one.wallet}, made ${showMoment(one.created_at)}${one.paid_at === null ? '' : `, paid ${showMoment(one.paid_at)}`}`,
          fault: one.last_error,
        }))}
      />
      <Entries
        title="Notices"
        about={
          noticesBy !== null
            ? `The submitter wants notices by ${noticesBy === 'email' ? 'email' : 'Lightning'}.`
            : notices.length > 0
              ? 'The submitter wants no more notices.'
              : null
        }
        list={notices.map((one) => ({
          key: `${one.event} ${one.created_at}`,
          what: `${one.event}: ${one.status}${one.attempts > 1 ? ` after ${String(one.attempts)} tries` : ''}`,
          when: showMoment(one.sent_at ?? one.created_at),
          fault: one.last_error,
        }))}
      />
      <Entries
        title="History"
        list={audit.map((one) => ({
          key: one.id,
          what: (
            <>
              <b>{one.username}</b>: {one.action}
              {one.reason !== null && (
                <>
                  {' '}
                  – <bdi>{one.reason}</bdi>
                </>
              )}
            </>
          ),
          when: showMoment(one.at),
          more: one.before && (
            <div className="full muted">
              <Changes row={one} />
            </div>
          ),
        }))}
      />
    </Stack>
  )
}
