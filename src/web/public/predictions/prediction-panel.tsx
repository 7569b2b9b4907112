import { type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showCount } from '#domain/price-text.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type ReactNode, useDeferredValue } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { type Loading } from '#web/ui/loading.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { CardList } from './card-list.tsx'
import { ExpertPicker } from './expert-picker.tsx'
import { countsOf, expertsOf, listed } from '#domain/listing/listing.ts'
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

/** The list of an asset's predictions with all that narrows it and puts it on the chart. */
export function PredictionPanel({
  asset,
  predictions,
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
  readonly predictions: Loading<readonly Prediction[]>
  readonly selection: Selection
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  /** Shown as of a past day. */
  readonly isPast?: boolean
  readonly onSelect: (step: (selection: Selection) => Selection) => void
  readonly onToggle: (id: string) => void
  /** Clears the selection and brings the chart home. */
  readonly onReset: () => void
  /** The call to submit, above the list. */
  readonly submitCard: ReactNode
}) {
  const all = predictions.state === 'ready' ? predictions.data : []
  // Filters of an empty list filter nothing.
  const hasNone = predictions.state === 'ready' && all.length === 0
  // Typing stays quick while a long list follows.
  const deferred = useDeferredValue(selection)
  const shown = listed(deferred, all, mode)
  const counts = countsOf(selection, all, mode)
  return (
    <section className={css.panel} aria-labelledby="panel-title">
      <Stack className={css.filters}>
        <Text as="h2" size="base" id="panel-title">
          {hasNone ? 'Predictions' : 'Filter by Expert'}
        </Text>
        {!hasNone && (
          <>
            <Row whole>
              <ExpertPicker
                options={expertsOf(all)}
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
            <p className={css.drawn}>{drawnText(activeIds.size, counts.all)}</p>
          </>
        )}
      </Stack>
      <Stack>
        {submitCard}
        <CardList
          // A new question starts at the top of its answer.
          key={`${deferred.filter} ${deferred.experts.join(' ')} ${deferred.search}`}
          asset={asset}
          predictions={
            predictions.state === 'ready' ? { state: 'ready', data: shown } : predictions
          }
          isFiltered={all.length > 0}
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

/** `12 of 110 on the chart`; what is drawn may lie outside of what is searched for. */
function drawnText(drawn: number, all: number): string {
  if (drawn === 0) return 'None on the chart'
  return drawn > all
    ? `${showCount(drawn)} on the chart`
    : `${showCount(drawn)} of ${showCount(all)} on the chart`
}
