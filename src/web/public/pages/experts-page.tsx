import { type Board } from '#contracts/board.ts'
import { isNarrowed } from '#contracts/board.ts'
import { showDay, readDay } from '#domain/day.ts'
import { useAddressState } from '#web/address/address-state.ts'
import { type PageProps } from '#web/head/site.ts'
import { BOARD_ADDRESS, type BoardState } from '#web/public/experts/board-address.ts'
import { BoardFilters } from '#web/public/experts/board-filters.tsx'
import { BoardTable } from '#web/public/experts/board-table.tsx'
import { Calibration } from '#web/public/experts/calibration.tsx'
import { Funnel } from '#web/public/experts/funnel.tsx'
import { Others } from '#web/public/experts/others.tsx'
import { StripLegend } from '#web/public/experts/strip.tsx'
import { useBoard } from '#web/public/experts/use-board.ts'
import { SORTS, type Sort } from '#contracts/board-sort.ts'
import { SORT_NAMES } from '#web/public/experts/board-sort.ts'
import { Choice } from '#web/ui/choice.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Segment, Segments } from '#web/ui/segments.tsx'
import { Columns, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './experts-page.module.css'

/** Who is worth listening to: people compared with what luck alone would have done. */
export function ExpertsPage({ content }: PageProps<'experts'>) {
  const [state, change] = useAddressState(BOARD_ADDRESS)
  const { board, state: loading, retry } = useBoard(content, state.view)
  if (!board) {
    return (
      <div className={css.page}>
        <Notice
          title="Scores are being computed"
          text="Everyone is being compared with luck. This takes a few seconds; the page shows the result when it is done."
        />
      </div>
    )
  }
  return (
    <div className={css.page}>
      <Stack gap={8}>
        <Finding board={board} state={state} />
        <BoardFilters
          view={state.view}
          years={board.years}
          onView={(view) => change((before) => ({ ...before, view }))}
        />
        {loading === 'failed' && (
          <Notice
            alert
            title="These calls could not be loaded"
            text="What you see may be out of date."
            onRetry={retry}
          />
        )}
        <Stack gap={8} aria-busy={loading === 'loading'} className={css.board}>
          <Shown board={board} state={state} change={change} />
          <Others
            others={board.others}
            count={board.counts.others}
            ranked={board.ranked}
            find={state.view.find}
            onFind={(find) => change((before) => ({ ...before, view: { ...before.view, find } }))}
          />
        </Stack>
        <Columns gap={8}>
          <Stack as="section" gap={4}>
            <Text as="h2" size="title">
              How often luck was right
            </Text>
            <Text tone="quiet">
              {
                'The bar says how many calls came true, the line how many luck expects, by what luck said when they were made.'
              }
            </Text>
            <Calibration totals={board.totals} />
          </Stack>
          <Selection board={board} />
        </Columns>
      </Stack>
    </div>
  )
}

function Finding({ board, state }: { readonly board: Board; readonly state: BoardState }) {
  const day = readDay(board.as_of)
  return (
    <Stack as="header" gap={3}>
      <h1 className={css.finding}>{board.finding}</h1>
      <Text>{[board.totals.sentence, board.selection].filter(Boolean).join(' ')}</Text>
      <Text tone="quiet">
        {state.tab !== 'funnel'
          ? 'Each mark is one call, placed by how likely luck alone was to make it right: bold calls on the left. Statements that say the same again are left out. '
          : 'Whoever lies within the funnel may just be lucky. '}
        <a href="/methodology#luck">How luck is computed</a> · <a href="/years">Year by year</a>
      </Text>
      <Text size="small" tone="quiet">
        {isNarrowed(state.view) ? 'Some calls only. ' : ''}
        {day === null ? '' : `As of ${showDay(day)}. `}
        {board.notes.join(' ')}
      </Text>
    </Stack>
  )
}

function Shown({
  board,
  state,
  change,
}: {
  readonly board: Board
  readonly state: BoardState
  readonly change: (step: (before: BoardState) => BoardState) => void
}) {
  const sortBy = (sort: Sort): void =>
    change((before) => ({ ...before, view: { ...before.view, sort } }))
  const show = (tab: BoardState['tab']): void => change((before) => ({ ...before, tab }))
  return (
    <Stack as="section" gap={4} aria-label="People compared with luck">
      <Row gap={4} justify="between">
        <Segments label="Shown as">
          <Segment pressed={state.tab === 'board'} onPress={() => show('board')}>
            Board
          </Segment>
          <Segment pressed={state.tab === 'statistics'} onPress={() => show('statistics')}>
            Statistics
          </Segment>
          <Segment pressed={state.tab === 'funnel'} onPress={() => show('funnel')}>
            Funnel
          </Segment>
        </Segments>
        {state.tab !== 'funnel' && (
          <div className={css.sort}>
            <Choice
              label="Sorted by"
              name="sort"
              value={state.view.sort}
              options={SORTS.map((one) => [one, SORT_NAMES[one]] as const)}
              onChange={sortBy}
            />
          </div>
        )}
        <Text as="span" size="small" tone="quiet">
          {state.tab !== 'funnel' ? <StripLegend /> : FUNNEL_TEXT}
        </Text>
      </Row>
      {state.tab !== 'funnel' ? (
        <BoardTable
          board={board}
          hasStatistics={state.tab === 'statistics'}
          sort={state.view.sort}
          onSort={sortBy}
        />
      ) : (
        <Funnel board={board} />
      )}
    </Stack>
  )
}

const FUNNEL_TEXT =
  'Each dot is a person: hits beyond luck, as for calls of equal difficulty. Light: too few decided calls. Dashed: luck stays within 95 % and 99.8 % of the time.'

/** What a reader has to know before believing any of it. */
function Selection({ board }: { readonly board: Board }) {
  return (
    <Stack as="section" gap={3}>
      <Text as="h2" size="title">
        What this cannot say
      </Text>
      <Text tone="quiet">
        {board.has_recorded_before
          ? 'Calls that were looked up after their outcome say more about what was collected than about a person: choose those recorded before the outcome to leave them out.'
          : 'Most calls were looked up after their outcome was known, so this says as much about what was collected as about the people. Calls that were recorded before their outcome are shown first as soon as five people have five of them.'}
      </Text>
      <Text tone="quiet">
        A statement that says an earlier one again is left out. All calls are about the same price:
        a good year for Bitcoin is a good year for all who expected it.
      </Text>
    </Stack>
  )
}
