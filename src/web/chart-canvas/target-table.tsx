import { useMemo } from 'react'
import { showCount } from '#domain/price-text.ts'
import { type OpenTarget } from '#chart/open-targets.ts'
import { bandText, countTargets, periodText, targetsIn, wholeGrid } from '#chart/target-grid.ts'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { namesText } from './target-under.ts'

/** The same calls as a table, by the year of their deadline and by price; one that covers several cells is in each. */
export function TargetTable({ targets }: { readonly targets: readonly OpenTarget[] }) {
  const cells = useMemo(
    () =>
      countTargets(targets, wholeGrid(targets))
        .toSorted((a, b) => a.days[0] - b.days[0] || a.prices[0] - b.prices[0])
        .map((cell) => ({ ...cell, names: namesText(targetsIn(targets, cell), Infinity) })),
    [targets],
  )
  return (
    <div className="open-targets-table">
      <Fold title="Open targets as a table">
        <DenseTable
          label="Open targets"
          columns={['Due', 'Price', 'Calls', 'Votes (sats)', 'By']}
          isPlain
        >
          {cells.map(({ days, prices, calls, votes, names }) => (
            <tr key={`${String(days[0])} ${String(prices[0])}`}>
              <th scope="row">{periodText(days)}</th>
              <td>{bandText(prices)}</td>
              <td>{showCount(calls)}</td>
              <td>{showCount(votes)}</td>
              <td>{names}</td>
            </tr>
          ))}
        </DenseTable>
      </Fold>
    </div>
  )
}
