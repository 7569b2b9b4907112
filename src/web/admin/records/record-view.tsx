import { MODE_NAMES } from '#domain/judging/verdict-text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { onePublished, type AdminPrediction } from '#contracts/corrections.ts'
import { ASSETS } from '#domain/asset.ts'
import { fieldsText } from '#domain/claim/text.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { useMay } from '#web/api/role.ts'
import { Button } from '#web/ui/button.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { AnsweredReports, useAnswered } from './answered-reports.tsx'
import { RecordActions } from './record-actions.tsx'
import { RecordForm } from './record-form.tsx'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

/** One published prediction: what it says, what was decided, what happened to it, and every way to correct it. */
export function RecordView({
  id,
  report,
  onBack,
}: {
  readonly id: string
  /** The report that it was opened for. */
  readonly report: number | null
  readonly onBack: () => void
}) {
  const queryKey = ['published-one', id]
  const client = useQueryClient()
  const toasts = useToasts()
  const mayCorrect = useMay('publish')
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => adminCall(onePublished, { params: { id }, signal }),
  })

  const [ticked, setTicked] = useState<readonly number[]>(report === null ? [] : [report])
  const answered = useAnswered(id, query.data?.version ?? 0, ticked)
  const { reports } = answered

  function saved(now: AdminPrediction): void {
    client.setQueryData(queryKey, now)
    void client.invalidateQueries({ queryKey: ['published'] })
  }

  async function reload(): Promise<AdminPrediction | null> {
    return (await query.refetch()).data ?? null
  }

  return (
    <>
      <p>
        <Button onClick={onBack}>Back to the list</Button>
      </p>
      <Loaded
        query={query}
        loading="Loading the prediction..."
        failed="The prediction could not be loaded."
      >
        {(shown) => (
          <>
            <Said shown={shown} />
            {mayCorrect && (
              <AnsweredReports open={answered.open} reports={reports} onChange={setTicked} />
            )}
            <Stack gap={4} className={mayCorrect ? css.two : undefined}>
              {mayCorrect && (
                <RecordForm
                  shown={shown}
                  reports={reports}
                  onSaved={(now, message) => {
                    saved(now)
                    toasts.done(message)
                  }}
                  onReload={reload}
                />
              )}
              <Stack gap={4}>
                {mayCorrect && (
                  <RecordActions
                    shown={shown}
                    reports={reports}
                    onSaved={saved}
                    onReload={reload}
                  />
                )}
                <History shown={shown} />
              </Stack>
            </Stack>
          </>
        )}
      </Loaded>
    </>
  )
}

function Said({ shown }: { readonly shown: AdminPrediction }) {
  const { prediction, overridden, by_rule: byRule, sentences, rule } = shown
  return (
    <Panel as="section" aria-label="The prediction">
      <Row gap={4} align="baseline" justify="between">
        <Text as="h2" size="title">
          <bdi>{prediction.influencer.name}</bdi>: {ASSETS[prediction.asset_type].symbol}{' '}
          {fieldsText(prediction, showDate(prediction.target_time))}
        </Text>
        <a href={`/predictions/${encodeURIComponent(prediction.id)}`} target="_blank">
          Its page
        </a>
      </Row>
      {shown.withdrawn_at !== null && (
        <Callout tone="wait">
          Withdrawn on {showMoment(shown.withdrawn_at)}. {shown.withdrawn_reason}
        </Callout>
      )}
      {shown.frozen_at !== null && (
        <Callout tone="wait">Frozen since {showMoment(shown.frozen_at)}.</Callout>
      )}
      <Text tone="quiet" size="small">
        {rule}
      </Text>
      <Facts size="small">
        {JUDGE_MODES.map((mode) => (
          <Fact key={mode} name={MODE_NAMES[mode]}>
            <VerdictBadge outcome={prediction.verdicts[mode].outcome} />{' '}
            {overridden[mode] && <Tag>set by hand</Tag>} {sentences[mode]}
            {byRule[mode].outcome !== prediction.verdicts[mode].outcome && (
              <>
                {' '}
                The rule alone would say <VerdictBadge outcome={byRule[mode].outcome} />.
              </>
            )}
          </Fact>
        ))}
      </Facts>
    </Panel>
  )
}

function History({ shown }: { readonly shown: AdminPrediction }) {
  const mayAudit = useMay('read-all')
  return (
    <Panel as="section" aria-label="History">
      <Text as="h2" size="lead">
        Public history
      </Text>
      <Stack as="ol" gap={2} size="small">
        {shown.history.toReversed().map((event, i) => (
          <li key={`${event.at} ${String(i)}`}>
            <Text as="time" tone="quiet" size="small" dateTime={event.at}>
              {showMoment(event.at)}
            </Text>{' '}
            <bdi>{event.text}</bdi>
          </li>
        ))}
      </Stack>
      {mayAudit && (
        <p>
          <a
            className={css.small}
            href={`/admin/audit?kind=prediction&id=${encodeURIComponent(shown.prediction.id)}`}
          >
            Who did what: the audit log of this prediction
          </a>
        </p>
      )}
    </Panel>
  )
}
