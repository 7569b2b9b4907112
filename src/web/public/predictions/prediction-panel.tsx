import { type Asset } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type ReactNode } from 'react'
import { type ShownPart } from '#web/api/part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { type Loading } from '#web/ui/loading.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { CardList } from './card-list.tsx'
import { ExpertPicker } from './expert-picker.tsx'
import { type Listed } from '#domain/listing/listing.ts'
import css from './prediction-panel.module.css'
import {
  chooseExpert,
  pressedFilter,
  pressFilter,
  searchFor,
  toggleMultiple,
  type Selection,
} from '#domain/listing/selection.ts'
import { StatusChips } from './status-chips.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const NO_COUNTS = { all: 0, pending: 0, success: 0, miss: 0 }

/** The list of an asset's predictions with all that narrows it and puts it on the chart. */
export function PredictionPanel({
  asset,
  predictions,
  part,
  selection,
  activeIds,
  mode,
  isPast = false,
  onSelect,
  onToggle,
  onReset,
  submitCard,
}: {
  readonly asset: Asset
  /** The first ones of the list. */
  readonly predictions: Loading<readonly Listed[]>
  /** Null before the first answer. */
  readonly part: ShownPart | null
  readonly selection: Selection
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  /** Shown as of a past day. */
  readonly isPast?: boolean
  readonly onSelect: (step: (selection: Selection) => Selection) => void
  readonly onToggle: (prediction: Listed) => void
  /** Clears the selection and brings the chart home. */
  readonly onReset: () => void
  /** The call to submit, above the list. */
  readonly submitCard: ReactNode
}) {
  // Filters of an empty list filter nothing.
  const hasNone = part?.total === 0
  const counts = part?.counts[mode] ?? NO_COUNTS
  const asked = part?.question.selection ?? selection
  return (
    <section
      className={css.panel}
      aria-labelledby="panel-title"
      aria-busy={part !== null && !part.isAnswer}
    >
      <Stack className={css.filters}>
        <Text as="h2" size="base" id="panel-title">
          {hasNone ? 'Predictions' : 'Filter by Expert'}
        </Text>
        {!hasNone && (
          <>
            <Row whole>
              <ExpertPicker
                asset={asset.key}
                options={part?.chosen ?? []}
                total={part?.total ?? 0}
                past={part?.question.past ?? null}
                chosen={selection.experts}
                multiple={selection.multiple}
                onChoose={(slug) => onSelect((before) => chooseExpert(before, slug))}
              />
              <IconButton
                label={selection.multiple ? 'Single influencer mode' : 'Multiple influencer mode'}
                look="plain"
                aria-pressed={selection.multiple}
                onClick={() => onSelect(toggleMultiple)}
              >
                <Icon name="plus" />
              </IconButton>
              <IconButton label="Reset filters and chart" look="plain" onClick={onReset}>
                <Icon name="reset" />
              </IconButton>
            </Row>
            <SearchField
              label="Search predictions"
              value={selection.search}
              onChange={(text) => onSelect((before) => searchFor(before, text))}
            />
            <StatusChips
              pressed={pressedFilter(selection)}
              counts={counts}
              onPress={(filter) => onSelect((before) => pressFilter(before, filter))}
            />
            <p className={css.drawn}>
              {drawnText(activeIds.size, counts.all, part?.isAnswer ? part.drawn.total : 0)}
            </p>
          </>
        )}
      </Stack>
      <Stack>
        {submitCard}
        <CardList
          // A new question starts at the top of its answer.
          key={`${asked.filter} ${asked.experts.join(' ')} ${asked.search}`}
          asset={asset}
          predictions={predictions}
          part={part}
          isFiltered={!hasNone}
          activeIds={activeIds}
          mode={mode}
          isPast={isPast}
          onToggle={onToggle}
          onClearFilters={onReset}
        />
      </Stack>
    </section>
  )
}

/**
 * `12 of 110 on the chart`; what is drawn may lie outside of what is searched for.
 *
 * @param wanted how many would be drawn if there were room for all
 */
function drawnText(drawn: number, all: number, wanted: number): string {
  if (wanted > drawn) {
    return `${showCount(drawn)} of ${showCount(wanted)} on the chart: those with the most votes, then the newest. Zoom in for others.`
  }
  if (drawn === 0) return 'None on the chart'
  return drawn > all
    ? `${showCount(drawn)} on the chart`
    : `${showCount(drawn)} of ${showCount(all)} on the chart`
}
