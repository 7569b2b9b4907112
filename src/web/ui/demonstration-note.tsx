import css from './demonstration-note.module.css'
import { Callout } from './text.tsx'

/** On every screen where sats of the demonstration wallet are meant. */
export function DemonstrationNote() {
  return (
    <Callout tone="wait" className={css.note}>
      <strong>Demonstration.</strong> This site runs with a demonstration wallet: no real bitcoin is
      asked for, and none moves.
    </Callout>
  )
}
