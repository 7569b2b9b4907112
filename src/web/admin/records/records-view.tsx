import { useState } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/corrections.ts'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { readReportNumber, reportPath } from '#contracts/public-logs.ts'
import { listReports } from '#contracts/reports.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { fieldsText } from '#domain/claim/written.ts'
import {
  JUDGE_MODES,
  OUTCOMES,
  type JudgeMode,
  type Outcome,
  MODE_NAMES,
  MODE_PRICES,
  outcomeWord,
} from '#domain/judging/verdict.ts'
import { REPORT_KIND_NAMES } from '#domain/report.ts'
import { useMay } from '#web/admin/hints.ts'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { AdminList, ListTools, Load, useCall, useList } from '#web/admin/kit/list.tsx'
import { AdminPage, Beside, NewTab, Section } from '#web/admin/kit/screen.tsx'
import { Act, useAreaDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Tick, Choice, TextField } from '#web/ui/field.tsx'
import { Panel, Row, Stack, Callout, Text, Note, Tiles } from '#web/ui/primitives.tsx'
import { showDate, showMoment } from '#web/ui/show.ts'
import { useParams } from '#web/ui/use-params.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { RecordForm } from './record-form.tsx'

type Listed = z.infer<typeof calls.listPublished.reply>['rows'][number]

const STATES: Readonly<Record<(typeof calls.PREDICTION_STATES)[number], string>> = {
  all: 'All',
  live: 'Live',
  withdrawn: 'Withdrawn',
  frozen: 'Frozen',
  overridden: 'Set by hand',
  'off-chart': 'Not on the chart',
}

const COLUMNS: readonly Column<Listed>[] = [
  column.title('Expert', ({ expert_name: name }) => name),
  column.short('Asset', (row) => ASSETS[row.asset_type].symbol),
  column.text('Prediction', (row) => row.price_prediction),
  column.short('Made', (row) => showDate(row.prediction_made)),
  column.short('Target', (row) => showDate(row.target_time)),
  ...JUDGE_MODES.map((mode) =>
    column.text(
      MODE_NAMES[mode],
      ({ [mode]: outcome }: Listed) => outcome && <VerdictBadge outcome={outcome} />,
    ),
  ),
  column.text('State', (row) => (
    <>
      {row.withdrawn && <Tag tone="bad">withdrawn</Tag>}
      {row.frozen && <Tag tone="wait">frozen</Tag>}
      {row.overridden && <Tag>by hand</Tag>}
      {row.exclude_from_chart && <Tag>off chart</Tag>}
    </>
  )),
]

export function RecordsView() {
  const list = useList(calls.listPublished, {
    q: 'text',
    asset: ['all', ...ASSET_KEYS],
    state: calls.PREDICTION_STATES,
  })
  const [param, change] = useParams()
  return (
    <AdminPage>
      {list.open === '' ? (
        <>
          <ListTools
            list={list}
            search="Search predictions"
            choices={[
              {
                name: 'asset',
                label: 'Asset',
                options: [
                  ['all', 'All'],
                  ...ASSET_KEYS.map((key) => [key, ASSETS[key].symbol] as const),
                ],
              },
              {
                name: 'state',
                label: 'State',
                options: calls.PREDICTION_STATES.map((one) => [one, STATES[one]] as const),
              },
            ]}
          />
          <AdminList
            label="Predictions"
            list={list}
            columns={COLUMNS}
            idOf={({ id }) => id}
            empty="No predictions found."
            opens
          />
        </>
      ) : (
        <>
          <p>
            <Button onClick={() => change({ open: null, report: null })}>Back to the list</Button>
          </p>
          <Opened key={list.open} id={list.open} report={readReportNumber(param('report'))} />
        </>
      )}
    </AdminPage>
  )
}

function Opened({ id, report }: { readonly id: string; readonly report: number | null }) {
  const about = useCall(listReports, { query: { prediction: id } })
  const [ticked, setTicked] = useState<readonly number[]>(report === null ? [] : [report])
  const mayCorrect = useMay('publish')
  const open = about.data?.rows ?? []
  const reports = ticked.filter((number) => open.some((one) => one.number === number))
  return (
    <Load route={calls.onePublished} input={{ params: { id } }} what="prediction">
      {(detail) => (
        <>
          <PredictionPanel detail={detail} />
          {mayCorrect && open.length > 0 && (
            <Section title="Open reports" framed tone="wait" gap={2} size="small">
              <Text>
                Your next public change accepts the ticked reports and cites them in the log.
              </Text>
              {open.map(({ number, kind, explanation }) => (
                <div key={number}>
                  <Tick
                    label={`Report ${String(number)}: ${REPORT_KIND_NAMES[kind]}`}
                    checked={reports.includes(number)}
                    onChange={(isOn) =>
                      setTicked(
                        isOn ? [...reports, number] : reports.filter((one) => one !== number),
                      )
                    }
                  />
                  <Text tone="quiet" clip={2} dir="auto">
                    {explanation}
                  </Text>
                  <NewTab to={reportPath(number)}>Public page</NewTab>
                </div>
              ))}
            </Section>
          )}
          {mayCorrect ? (
            <Beside>
              <RecordForm detail={detail} reports={reports} />
              <Stack gap={4}>
                <Section
                  title="Decide"
                  label="Decide about this prediction"
                  framed
                  fields={['reason']}
                >
                  <Rulings detail={detail} reports={reports} />
                </Section>
                <History detail={detail} />
              </Stack>
            </Beside>
          ) : (
            <History detail={detail} />
          )}
        </>
      )}
    </Load>
  )
}

function PredictionPanel({ detail }: { readonly detail: AdminPrediction }) {
  const { prediction, overridden, by_rule: byRule, sentences, rule } = detail
  return (
    <Panel as="section" aria-label="The prediction">
      <Row gap={4} align="baseline" justify="between">
        <Text as="h2" size="title">
          <bdi>{prediction.influencer.name}</bdi>: {ASSETS[prediction.asset_type].symbol}{' '}
          {fieldsText(prediction, showDate(prediction.target_time))}
        </Text>
        <NewTab to={`/predictions/${encodeURIComponent(prediction.id)}`}>Public page</NewTab>
      </Row>
      {detail.withdrawn_at !== null && (
        <Callout tone="wait">
          Withdrawn on {showMoment(detail.withdrawn_at)}. {detail.withdrawn_reason}
        </Callout>
      )}
      {detail.frozen_at !== null && (
        <Callout tone="wait">Frozen since {showMoment(detail.frozen_at)}.</Callout>
      )}
      <Note>{rule}</Note>
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

function History({ detail }: { readonly detail: AdminPrediction }) {
  const mayAudit = useMay('read-all')
  return (
    <Section title="Public history" framed>
      <Stack as="ol" gap={2} size="small">
        {detail.history.toReversed().map((event, i) => (
          <li key={`${event.at} ${String(i)}`}>
            <Note as="time" dateTime={event.at}>
              {showMoment(event.at)}
            </Note>{' '}
            <bdi>{event.text}</bdi>
          </li>
        ))}
      </Stack>
      {mayAudit && (
        <Text size="small">
          <a href={`/admin/audit?kind=prediction&id=${encodeURIComponent(detail.prediction.id)}`}>
            Who did what: the audit log of this prediction
          </a>
        </Text>
      )}
    </Section>
  )
}

type ChangeBody = { readonly version: number; readonly reason: string; readonly reports?: number[] }
type Send = (body: ChangeBody) => Promise<{ message: string; prediction: AdminPrediction }>

const RULINGS = OUTCOMES.map((one) => [one, outcomeWord(one)] as const)
const MODES: readonly (readonly [JudgeMode | 'both', string])[] = [
  ['both', 'both rules'],
  ...JUDGE_MODES.map((mode) => [mode, `by ${MODE_PRICES[mode]}`] as const),
]

type Ruled = { readonly detail: AdminPrediction; readonly reports: readonly number[] }

function Rulings({ detail, reports }: Ruled) {
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome>('hit')
  const [mode, setMode] = useState<JudgeMode | 'both'>('both')
  const { isBusy, failed } = useAreaDecision()
  const params = { id: detail.prediction.id }
  const isFrozen = detail.frozen_at !== null
  const isByHand = detail.overridden.touch || detail.overridden.close

  const act = (text: string, send: Send, undo: Send | null = null, isOff = false) => (
    <Act
      disabled={isBusy || isOff}
      send={() =>
        send({
          version: detail.version,
          reason,
          ...(reports.length > 0 && { reports: [...reports] }),
        })
      }
      // Keep a reason typed since.
      done={() => setReason((now) => (now === reason ? '' : now))}
      undo={
        undo === null
          ? undefined
          : ({ prediction }) => undo({ version: prediction.version, reason: 'Undone at once' })
      }
    >
      {text}
    </Act>
  )
  const by =
    (route: typeof calls.withdrawPublished): Send =>
    (body) =>
      adminCall(route, { params, body })
  const override: Send = (body) =>
    adminCall(calls.overrideVerdict, { params, body: { ...body, mode, outcome } })
  const lift =
    (of: JudgeMode | 'both'): Send =>
    (body) =>
      adminCall(calls.liftOverride, { params, body: { ...body, mode: of } })
  return (
    <>
      <TextField
        label="Reason"
        name="decision_reason"
        value={reason}
        hint="Public: it is shown in the history."
        fault={failed?.fields['reason']}
        onChange={setReason}
      />
      <Row>
        {detail.withdrawn_at === null
          ? act('Withdraw', by(calls.withdrawPublished), by(calls.restorePublished))
          : act('Restore', by(calls.restorePublished))}
        {isFrozen
          ? act('Unfreeze', by(calls.thawPublished))
          : act('Freeze', by(calls.freezePublished), by(calls.thawPublished))}
      </Row>
      <Note>
        Withdrawn: removed from all lists, figures and charts; its page stays and says why. Frozen:
        its verdicts stay as they are, whatever prices come.
      </Note>
      <Tiles gap={3}>
        <Choice
          label="Set the verdict to"
          name="outcome"
          value={outcome}
          options={RULINGS}
          disabled={isFrozen}
          onChange={setOutcome}
        />
        <Choice
          label="for"
          name="mode"
          value={mode}
          options={MODES}
          disabled={isFrozen}
          onChange={setMode}
        />
      </Tiles>
      <Row>
        {act('Set verdict', override, isByHand ? null : lift(mode), isFrozen)}
        {isByHand && act('Let the rule decide again', lift('both'), null, isFrozen)}
      </Row>
      {isFrozen && <Note>It is frozen: unfreeze it before changing its verdicts.</Note>}
    </>
  )
}
