import { lazy, Suspense, useState } from 'react'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type ExpertOption } from '#domain/listing/part.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { classNames, Text } from '#web/ui/primitives.tsx'
import css from './predictions.module.css'

export const ALL_INFLUENCERS = 'All Influencers'

export type ExpertPickerProps = {
  readonly asset: AssetKey
  readonly options: readonly ExpertOption[]
  readonly total: number
  readonly past: Day | null
  readonly chosen: readonly string[]
  readonly multiple: boolean
  /** Null for All Influencers. */
  readonly onChoose: (slug: string | null) => void
}

const load = () => import('./expert-combobox.tsx')
const ExpertCombobox = lazy(async () => ({ default: (await load()).ExpertCombobox }))

export function ExpertPicker(props: ExpertPickerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const trigger = (
    <button
      type="button"
      {...triggerOf(props)}
      aria-haspopup="dialog"
      aria-expanded="false"
      aria-busy={isOpen}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setIsOpen(true)}
    />
  )
  return isOpen ? (
    <Suspense fallback={trigger}>
      <ExpertCombobox {...props} />
    </Suspense>
  ) : (
    trigger
  )
}

/** Props of the button that names the choice. */
export function triggerOf(props: ExpertPickerProps) {
  const text = chosenText(props)
  return {
    className: classNames(buttonClass('plain'), css.trigger, 'grow shrinks at-start'),
    'aria-label': `Influencer: ${text}`,
    children: (
      <>
        <Text as="span" clip={1}>
          {text}
        </Text>
        <Icon name="caret" />
      </>
    ),
  }
}

function chosenText({ options, chosen }: ExpertPickerProps): string {
  if (chosen.length === 0) return ALL_INFLUENCERS
  if (chosen.length > 1) return `${String(chosen.length)} influencers`
  return options.find((option) => option.slug === chosen[0])?.name ?? ALL_INFLUENCERS
}
