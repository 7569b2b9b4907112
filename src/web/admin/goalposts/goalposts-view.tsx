import { useRef } from 'react'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { useCurrentRow } from '#web/ui/use-current-row.ts'
import { useKeys } from '#web/ui/use-keys.ts'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { PairView } from './pair-view.tsx'
import { useDecide, usePairs, type PairRow, type State } from './use-pairs.ts'

const SIZE = 50
const NO_ROWS: readonly PairRow[] = []

const STATES = ['suggested', 'confirmed', 'cut', 'all'] as const
const NAMES: Readonly<Record<(typeof STATES)[number], string>> = {
  suggested: 'Suggested',
  confirmed: 'Confirmed',
  cut: 'Cut',
  all: 'All',
}

/** Calls that look like revisions of earlier ones, to be confirmed or cut. */
export function GoalpostsView() {
  const [param, change] = useParams()
  const state = STATES.find((one) => one === param('state')) ?? 'suggested'
  const query = usePairs(state, pageOf(param('page')))
  const rows = query.data?.rows ?? NO_ROWS
  const counts = query.data?.counts
  const { decide, doing } = useDecide()
  const list = useRef<HTMLUListElement>(null)
  const { current, step, reach } = useCurrentRow(rows, list, false)
  const byKey = (to: State) => (current ? () => decide(current, to) : undefined)
  useKeys(true, {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    c: byKey('confirmed'),
    x: byKey('cut'),
    u: byKey('suggested'),
  })
  return (
    <AdminPage title="Goalposts">
      <Text tone="quiet" size="small">
        Someone repeats a level with a later deadline: is it the same call? Suggestions are public
        and marked as unchecked, confirmed ones are marked as checked, and cut ones are not shown.
      </Text>
      <Row role="group" aria-label="Pairs by state">
        {STATES.map((one) => (
          <Chip
            key={one}
            pressed={one === state}
            count={counts?.[one] ?? null}
            onPress={() => change({ state: one === 'suggested' ? null : one, page: null })}
          >
            {NAMES[one]}
          </Chip>
        ))}
      </Row>
      <Loaded query={query} loading="Loading pairs..." failed="The pairs could not be loaded.">
        {({ total }) =>
          rows.length === 0 ? (
            <Notice
              title={state === 'suggested' ? 'No suggestions to review.' : 'No matching pairs.'}
            />
          ) : (
            <>
              <Text tone="quiet" size="small">
                Keys: <kbd>j</kbd> and <kbd>k</kbd> next and previous, <kbd>c</kbd> confirm,{' '}
                <kbd>x</kbd> cut, <kbd>u</kbd> take the decision back.
              </Text>
              <Stack as="ul" ref={list} gap={4} aria-label="Pairs">
                {rows.map((row) => (
                  <PairView
                    key={row.id}
                    row={row}
                    isCurrent={row.id === current?.id}
                    isBusy={doing.has(row.id)}
                    onReach={() => reach(row)}
                    onDecide={(to) => decide(row, to)}
                  />
                ))}
              </Stack>
              <AddressPager label="Pages of pairs" size={SIZE} total={total} />
            </>
          )
        }
      </Loaded>
    </AdminPage>
  )
}
