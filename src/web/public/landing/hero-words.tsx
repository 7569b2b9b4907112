import { type BoardTop } from '#contracts/board.ts'
import { showCount } from '#domain/price-text.ts'
import { expertPath } from '#web/address/addresses.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import css from './landing.module.css'

export function HeroWords({
  board,
}: {
  /** Null without anyone to compare. */
  readonly board: BoardTop | null
}) {
  return (
    <Stack className={css.words}>
      <h1 className={css.tagline}>The Truth About Bitcoin Predictions</h1>
      {board && (
        <Stack gap={2}>
          <Text size="title" className={css.finding}>
            <Finding text={board.finding} people={board.ranked} />
          </Text>
          <Note>
            <a href="/experts">
              {board.people > 1
                ? `All ${showCount(board.people)} people compared with luck`
                : 'Everyone’s calls'}
            </a>
            {board.selection && ` · ${board.selection}`}
          </Note>
        </Stack>
      )}
      <Text tone="quiet" size="lead" className="measure">
        Who said what about the price, when, and what came of it: every call on record, drawn over
        the real price and judged by a published rule.
      </Text>
      <Row as="p" gap={6} fill>
        <a className={buttonClass('primary', 'large')} href="/btc">
          Explore Bitcoin Predictions
        </a>
      </Row>
    </Stack>
  )
}

function Finding({
  text,
  people,
}: {
  readonly text: string
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
