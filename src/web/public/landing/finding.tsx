import { expertPath } from '#web/address/addresses.ts'

/** The finding of the day, in which each name leads to its person. */
export function Finding({
  text,
  people,
}: {
  readonly text: string
  /** Those whom it may name. */
  readonly people: readonly { readonly slug: string; readonly name: string }[]
}) {
  const first = people
    .map((person) => ({ person, at: text.indexOf(person.name) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.person.name.length - a.person.name.length)
    .at(0)
  if (!first) return text
  const { person, at } = first
  return (
    <>
      {text.slice(0, at)}
      <a href={expertPath(person)}>
        <bdi>{person.name}</bdi>
      </a>
      <Finding text={text.slice(at + person.name.length)} people={people} />
    </>
  )
}
