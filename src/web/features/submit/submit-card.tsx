import { type Asset } from '#domain/asset.ts'
import css from './submit-card.module.css'

/** The call to submit, at the head of a list of predictions. */
export function SubmitCard({
  asset,
  onOpen,
}: {
  readonly asset: Asset
  readonly onOpen: () => void
}) {
  return (
    <button type="button" className={css.card} aria-haspopup="dialog" onClick={onOpen}>
      <span className={css.title}>{asset.texts.submitTitle}</span>
      <span className={css.hint}>{asset.texts.submitHint}</span>
    </button>
  )
}
