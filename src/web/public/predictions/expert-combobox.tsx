import { Combobox } from '@base-ui/react/combobox'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ExpertOption } from '#domain/listing/part.ts'
import { foldName, byName } from '#domain/people/name.ts'
import { showCount } from '#domain/price-text.ts'
import { peopleQuery } from '#web/api/queries.ts'
import { useLast } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { classNames, Note } from '#web/ui/primitives.tsx'
import { ALL_INFLUENCERS, triggerOf, type ExpertPickerProps } from './expert-picker.tsx'
import dropdown from '#web/ui/dropdown.module.css'
import field from '#web/ui/field.module.css'
import css from './predictions.module.css'

/** Represents "no choice"; slugs are never empty. */
const EVERYONE = ''

export function ExpertCombobox(props: ExpertPickerProps) {
  const { asset, options, total, past, chosen, multiple, onChoose } = props
  const [isOpen, setIsOpen] = useState(true)
  const [text, setText] = useState('')
  const search = text.trim()
  const { data: all } = useQuery(peopleQuery(asset, '', past))
  const isPart = all !== undefined && all.total > all.people.length
  const { data: fitting } = useQuery({ ...peopleQuery(asset, search, past), enabled: isPart })
  const found = useLast((isPart ? fitting : undefined) ?? all)
  const folded = foldName(search)
  const fits = (found?.people ?? []).filter(({ name }) => foldName(name).includes(folded))
  const isChosen = ({ slug }: ExpertOption) => options.some((option) => option.slug === slug)
  const named = fits.toSorted((a, b) => byName(a.name, b.name))
  const everyone = { slug: EVERYONE, name: ALL_INFLUENCERS, predictions: total }
  const items =
    search === '' ? [everyone, ...options, ...named.filter((one) => !isChosen(one))] : named
  const rest = (found?.total ?? 0) - (found?.people.length ?? 0)
  const values = items.filter((item) =>
    chosen.length === 0 ? item.slug === EVERYONE : chosen.includes(item.slug),
  )
  // Both modes use a multiple-choice list, so that switching keeps the dropdown open.
  function choose(next: readonly ExpertOption[]): void {
    const added = next.find((option) => !values.includes(option))
    const removed = values.find((option) => !next.includes(option))
    const slug = (added ?? removed)?.slug
    if (slug === undefined) return
    onChoose(slug === EVERYONE ? null : slug)
    if (!multiple) setIsOpen(false)
  }
  return (
    <Combobox.Root
      multiple
      open={isOpen}
      // Enter selects the first match.
      autoHighlight
      items={items}
      filter={null}
      onInputValueChange={setText}
      value={[...values]}
      onValueChange={choose}
      onOpenChange={(open, details) => {
        if (multiple && details.reason === 'item-press') details.cancel()
        else setIsOpen(open)
      }}
      itemToStringLabel={(option) => option.name}
      isItemEqualToValue={(a, b) => a.slug === b.slug}
    >
      <Combobox.Trigger {...triggerOf(props)} />
      <Combobox.Portal>
        <Combobox.Positioner className={dropdown.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={`${dropdown.popup} raised`} aria-label="Influencers">
            <Combobox.Input
              className={classNames(field.control, css.search, 'fit')}
              placeholder="Search influencers"
              aria-label="Search influencers"
            />
            <Combobox.Empty className={dropdown.empty}>No expert found.</Combobox.Empty>
            <Combobox.List className={dropdown.list}>
              {(option: ExpertOption) => (
                <Combobox.Item
                  key={option.slug}
                  value={option}
                  className={classNames(dropdown.option, css.option)}
                >
                  <Combobox.ItemIndicator>
                    <Icon name="check" size={18} />
                  </Combobox.ItemIndicator>
                  <span className={css.name}>{option.name}</span>
                  <Note as="span">{showCount(option.predictions)}</Note>
                </Combobox.Item>
              )}
            </Combobox.List>
            {rest > 0 && <Note>{`${showCount(rest)} others: type a part of a name.`}</Note>}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
