import { useCallback, useDeferredValue, useMemo } from 'react'
import {
  BOARD_ADDRESS,
  type BoardState,
  type Board,
  isNarrowed,
  SORTS,
  type Sort,
  boardParams,
  readBoardView,
  type BoardView,
} from '#contracts/board.ts'
import { type PageData } from '#contracts/page.ts'
import { showDay, readDay } from '#domain/day.ts'
import { addressIn, useAddressState } from '#web/address/address-state.ts'
import { useNarrowed } from '#web/api/use-narrowed.ts'
import { type PageProps } from '#web/head/site.ts'
import { BoardFilters } from '#web/public/experts/board-filters.tsx'
import { BoardTable } from '#web/public/experts/board-table.tsx'
import { Calibration } from '#web/public/experts/calibration.tsx'
import { Funnel } from '#web/public/experts/funnel.tsx'
import { Others } from '#web/public/experts/others.tsx'
import { marksText, StripLegend } from '#web/public/experts/strip.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { Choice } from '#web/ui/field.tsx'
import { useRested } from '#web/ui/hooks.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack, Section, Text, Note, Tiles } from '#web/ui/primitives.tsx'
import css from '#web/public/experts/experts.module.css'

export function ExpertsPage({ content }: PageProps<'experts'>) {
  const [state, change] = useAddressState(BOARD_ADDRESS)
  const find = useRested(state.view.find, TYPED_MS)
  const {
    visible: board,
    state: loading,
    retry,
  } = useNarrowed(
    content.board,
    addressOf(content.board, content.view),
    addressOf(content.board, { ...state.view, find }),
    boardIn,
  )
  if (!board) {
    return (
      <Notice
        title="Scores are being computed"
        text="Everyone is being compared with luck. This takes a few seconds; the page shows the result when it is done."
      />
    )
  }
  return (
    <Stack gap={8}>
      <Stack as="header" gap={3}>
        <h1 className="title">{board.finding}</h1>
        <Text className="measure">
          {[board.totals.sentence, board.selection].filter(Boolean).join(' ')}
        </Text>
        <Row gap={4} whole className="measure">
          <LuckPicture />
          <Note>
            Luck is what would have happened if the price had just gone on as it did before the
            call: where 2 of 10 such paths reach the level, luck says 20%.{' '}
            <a href="/methodology#luck">How luck is computed</a>
          </Note>
        </Row>
      </Stack>
      {loading === 'failed' && (
        <Notice
          alert
          title="These calls could not be loaded"
          text="What you see may be out of date."
          onRetry={retry}
        />
      )}
      <Stack gap={8} aria-busy={loading === 'loading'} className="dims">
        <Results board={board} state={state} change={change} />
        <BoardFilters
          view={state.view}
          years={board.years}
          onView={(next) => change((before) => ({ ...before, view: next }))}
        />
        <Others
          others={board.others}
          count={board.counts.others}
          ranked={board.ranked}
          find={state.view.find}
          onFind={(find) => change((before) => ({ ...before, view: { ...before.view, find } }))}
        />
      </Stack>
      <Tiles gap={8} least="half">
        <Section gap={4} title="How often luck was right">
          <Text tone="quiet">
            {
              'Calls grouped by their chance when made. Bar: share that came true. Line: share chance predicts.'
            }
          </Text>
          <Calibration totals={board.totals} />
        </Section>
        <Section gap={3} title="What this cannot say">
          <Text tone="quiet">
            {board.has_recorded_before
              ? 'Calls that were looked up after their outcome say more about what was collected than about a person: choose those recorded before the outcome to leave them out.'
              : 'Most calls were collected in hindsight, so this says as much about our collection as about the people. Once five people have five calls recorded in advance, only those will count.'}
          </Text>
          <Text tone="quiet">
            Repeated statements are left out. All calls are about the same price: a good year for
            Bitcoin is a good year for all who expected it.
          </Text>
        </Section>
      </Tiles>
    </Stack>
  )
}

function LuckPicture() {
  return (
    <svg viewBox="0 0 148 72" width="112" height="54" aria-hidden="true">
      <path
        fill="var(--ink-2)"
        fillOpacity="0.12"
        d="M56 44C80 20 110 8 136 2V70C110 66 80 58 56 44Z"
      />
      <path
        fill="var(--ink-2)"
        fillOpacity="0.16"
        d="M56 44C80 34 110 27 136 22V54C110 52 80 49 56 44Z"
      />
      <path
        fill="none"
        stroke="var(--brand)"
        strokeWidth="1.75"
        d="M2 58L10 52 16 55 24 46 31 50 38 40 45 47 56 44 64 40 72 48 80 45 88 52 96 47 104 50 112 43 120 46 128 40 136 44"
      />
      <path stroke="var(--ink-2)" strokeDasharray="2 3" d="M56 4V70" />
      <path fill="none" stroke="var(--miss)" d="M56 44L136 14" />
      <circle cx="136" cy="14" r="4.5" fill="var(--page)" stroke="var(--miss)" strokeWidth="1.75" />
    </svg>
  )
}

function Results({
  board,
  state,
  change,
}: {
  readonly board: Board
  readonly state: BoardState
  readonly change: (step: (before: BoardState) => BoardState) => void
}) {
  const day = readDay(board.as_of)
  const sortBy = useCallback(
    (by: Sort) => change((before) => ({ ...before, view: { ...before.view, sort: by } })),
    [change],
  )
  // Show the press first, because drawing everyone takes longer.
  const tab = useDeferredValue(state.tab)
  const { sort } = state.view
  const people = useMemo(
    () =>
      tab === 'funnel' ? (
        <Funnel board={board} />
      ) : (
        <BoardTable board={board} hasMore={tab === 'statistics'} sort={sort} onSort={sortBy} />
      ),
    [board, tab, sort, sortBy],
  )
  return (
    <Stack as="section" gap={4} className={css.people} aria-label="People compared with luck">
      <Row gap={4} justify="between">
        <Segments
          label="Shown as"
          options={[
            ['board', 'Board'],
            ['statistics', 'More numbers'],
            ['funnel', 'Funnel'],
          ]}
          value={state.tab}
          onChoose={(next) => change((before) => ({ ...before, tab: next }))}
        />
        {tab !== 'funnel' && (
          <div className="on-phones">
            <Choice
              label="Sorted by"
              name="sort"
              value={sort}
              options={SORTS.filter((one) => one !== 'sats' || tab === 'statistics').map(
                (one) => [one, SORT_NAMES[one]] as const,
              )}
              onChange={sortBy}
            />
          </div>
        )}
        <Note as="span">{tab !== 'funnel' ? <StripLegend /> : FUNNEL_TEXT}</Note>
      </Row>
      {people}
      <Note>
        {[
          tab === 'funnel'
            ? 'Anyone within the funnel may just be lucky.'
            : `${marksText(board.ranked)} Right: hits, with repeats counted once.`,
          isNarrowed(state.view) && 'Some calls only.',
          day !== null && `As of ${showDay(day)}.`,
          ...board.notes,
        ]
          .filter(Boolean)
          .join(' ')}{' '}
        <a href="/years">Year by year</a> ·{' '}
        <a href="/methodology#luck">What bands and replays are</a>
      </Note>
    </Stack>
  )
}

const FUNNEL_TEXT =
  'Each dot is a person. Height: hits above what chance predicts. Light: too few comparable calls. Between the dashed lines is ordinary luck (95% and 99.8%).'

const SORT_NAMES: Readonly<Record<Sort, string>> = {
  band: 'Told from luck, then number of calls',
  'came-true': 'Share that came true',
  luck: 'Hits beyond luck',
  skill: 'Better than chance',
  sats: 'Sats at luck odds',
  boldness: 'Bold calls first',
}

const TYPED_MS = 250

/** The address to fetch: a complete board is sorted and searched in the browser. */
function addressOf(board: Board | null, view: BoardView): string {
  const isWhole =
    board !== null &&
    board.ranked.length >= board.counts.ranked &&
    board.others.length >= board.counts.others
  const asked = isWhole ? { ...view, sort: 'skill' as const, find: '' } : view
  return addressIn('/experts', { read: readBoardView, write: boardParams }, asked)
}

const boardIn = (data: PageData) => (data.page === 'experts' ? data.board : undefined)
