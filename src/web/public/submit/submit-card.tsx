import { assetTexts } from '#domain/asset-texts.ts'
import { type Asset } from '#domain/asset.ts'
import css from './submit-card.module.css'
import { Text } from '#web/ui/text.tsx'

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
      <span className={css.title}>{assetTexts(asset).submitTitle}</span>
      <Text as="span" tone="quiet" size="small">
        {assetTexts(asset).submitHint}
      </Text>
    </button>
  )
}
