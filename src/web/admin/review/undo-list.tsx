import { useSyncExternalStore } from 'react'
import { UNDO_MS } from '#contracts/review.ts'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './undo-list.module.css'

type Undoable = {
  readonly key: number
  /** Such as `Submission approved successfully!` */
  readonly said: string
  /** Whose it was, or how many. */
  readonly what: string
  readonly undo: () => void
}

/** What this administrator has decided in the last ten seconds, the newest first: on all lists, as they change. */
let kept: readonly Undoable[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function keep(next: readonly Undoable[]): void {
  kept = next
  for (const listener of listeners) listener()
}

function take(key: number): void {
  const found = kept.find((one) => one.key === key)
  keep(kept.filter((one) => one !== found))
  found?.undo()
}

/** Offers to undo a decision for as long as the server takes it back. */
export function offerUndo(given: Omit<Undoable, 'key'>): void {
  lastKey += 1
  const key = lastKey
  keep([{ ...given, key }, ...kept])
  setTimeout(() => keep(kept.filter((one) => one.key !== key)), UNDO_MS)
}

/** Takes back the last decision that still can be. */
export function undoLast(): void {
  const [last] = kept
  if (last) take(last.key)
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => void listeners.delete(notify)
}

/** The decisions that can still be taken back: at the foot, away from the buttons of the rows. */
export function UndoList() {
  const offered = useSyncExternalStore(subscribe, () => kept)
  const [last] = offered
  return (
    <div className={css.place}>
      {/* It is there before anything is said, as screen readers want it. */}
      <Text role="status" className={last ? css.said : 'aside-voice'}>
        {last && `${last.said} (${last.what})`}
      </Text>
      {last && (
        <Stack as="ul" gap={0} className={css.list} aria-label="Can still be undone">
          {offered.map(({ key, what }, i) => (
            <Row as="li" key={key} justify="between" whole>
              <Text as="span" clip={1}>
                <bdi>{what}</bdi>
              </Text>
              <Button size="small" onClick={() => take(key)}>
                Undo<span className="aside-voice"> {what}</span>
                {i === 0 && (
                  <kbd className="by-keyboard" aria-hidden="true">
                    z
                  </kbd>
                )}
              </Button>
            </Row>
          ))}
        </Stack>
      )}
    </div>
  )
}
