import { decideGoalpost, listGoalposts, type GoalpostPair } from '#contracts/corrections.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { ASSETS } from '#domain/asset.ts'
import { madeText, statementText } from '#domain/claim/prediction.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { AdminList, FilterChips, useList } from '#web/admin/kit/list.tsx'
import { AdminPage, NewTab } from '#web/admin/kit/screen.tsx'
import { Refused, useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { Stack, Text, Note } from '#web/ui/primitives.tsx'
import { showMoment } from '#web/ui/show.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'

type State = GoalpostPair['state']

const STATES = ['suggested', 'confirmed', 'cut', 'all'] as const
const NAMES = { suggested: 'Suggested', confirmed: 'Confirmed', cut: 'Dismissed', all: 'All' }
const TONES = { suggested: 'wait', confirmed: 'good', cut: 'bad' } as const

const idOf = ({ earlier, later }: GoalpostPair): string => `${earlier.id} → ${later.id}`

export function GoalpostsView() {
  const list = useList(listGoalposts, { state: STATES })
  const { state } = list.values
  const decision = useDecision()
  const decide = (to: State) => (row: GoalpostPair) => {
    if (row.state === to) return
    const [earlier, later] = [row.earlier.id, row.later.id]
    const send = (was: State, next: State) => () =>
      adminCall(decideGoalpost, { body: { earlier, later, state: next, was } })
    void decision.run(send(row.state, to), { key: idOf(row), undo: send(to, row.state) })
  }
  return (
    <AdminPage>
      <Note>
        Someone repeats a level with a later deadline: is it the same call? Suggestions are public
        and marked as unchecked, confirmed ones are marked as checked, and dismissed ones are
        hidden.{' '}
        <span className="by-keyboard">
          Keys: <kbd>j</kbd> and <kbd>k</kbd> next and previous, <kbd>c</kbd> confirm, <kbd>x</kbd>{' '}
          dismiss, <kbd>u</kbd> undo.
        </span>
      </Note>
      <FilterChips label="Pairs by state" name="state" names={NAMES} list={list} />
      <Refused decision={decision} />
      <AdminList
        label="Pairs"
        list={list}
        columns={[
          ...COLUMNS,
          column.actions<GoalpostPair>((row) => {
            const button = (to: State, text: string) =>
              row.state !== to && (
                <Button
                  look={to === 'confirmed' ? 'primary' : 'plain'}
                  disabled={decision.doing.has(idOf(row))}
                  onClick={() => decide(to)(row)}
                >
                  {text}
                </Button>
              )
            return (
              <>
                {button('confirmed', 'Confirm')}
                {button('cut', 'Dismiss')}
                {button('suggested', 'Back to suggested')}
              </>
            )
          }, 'Decide'),
        ]}
        idOf={idOf}
        empty={state === 'suggested' ? 'No suggestions to review.' : 'No matching pairs.'}
        keys={{ c: decide('confirmed'), x: decide('cut'), u: decide('suggested') }}
      />
    </AdminPage>
  )
}

const COLUMNS: readonly Column<GoalpostPair>[] = [
  column.title('Call', ({ later, delay }) => (
    <>
      <bdi>{later.influencer.name}</bdi>: {ASSETS[later.asset_type].symbol} {later.price_prediction}
      , moved by {delay}
    </>
  )),
  column.text('Earlier', ({ earlier }) => <Call row={earlier} />),
  column.text('Later', ({ later }) => <Call row={later} />),
  column.text('State', ({ state, decided, is_shown: isVisible }) => (
    // A grid would stretch the tag.
    <>
      <Tag tone={TONES[state]}>{NAMES[state].toLowerCase()}</Tag>
      {decided && (
        <Text tone="quiet">
          {decided.who}, {showMoment(decided.at)}
        </Text>
      )}
      {state === 'confirmed' && !isVisible && (
        <Text tone="quiet">Not shown: by the rule it is no longer a revision.</Text>
      )}
    </>
  )),
]

function Call({ row }: { readonly row: PredictionRow }) {
  const prediction = predictionOfRow(row)
  return (
    <Stack gap={1}>
      <NewTab to={predictionPath(row)}>
        {prediction ? statementText(prediction) : row.price_prediction}
      </NewTab>
      <Text tone="quiet">
        {prediction && madeText(prediction)} <VerdictBadge outcome={row.verdicts.touch.outcome} />
      </Text>
      {row.quote !== '' && (
        <Text clip={2} dir="auto">
          {row.quote}
        </Text>
      )}
    </Stack>
  )
}
