import css from './demonstration-note.module.css'

/** Stands on every screen where sats of the demonstration wallet are meant. */
export function DemonstrationNote() {
  return (
    <p className={css.note}>
      <strong>Demonstration.</strong> This site runs with a demonstration wallet: no real bitcoin is
      asked for, and none moves.
    </p>
  )
}
