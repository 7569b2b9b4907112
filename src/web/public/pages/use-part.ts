import { useMemo, useState } from 'react'
import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { type Question } from '#domain/listing/question.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { useFetched, type Fetched, type Query } from '#web/api/fetched.ts'
import { partOfRows, type GivenPart } from '#web/api/part.ts'
import { partQuery } from '#web/api/queries.ts'
import { type ShownPart } from '#web/public/predictions/shown-part.ts'

type Held = { readonly question: Question; readonly fetched: Fetched<GivenPart> }

const OPENING: Question = {
  selection: OPENING_SELECTION,
  mode: 'touch',
  history: OPENING_HISTORY,
  days: null,
  past: null,
}

/** What was asked for of a large record, and what is shown meanwhile. */
export type AskedPart = {
  readonly query: Query<GivenPart>
  readonly fetched: Fetched<GivenPart>
  /** Null before the first answer. */
  readonly shown: Held | null
}

/**
 * Asks for what is to be seen of a large record. Until the answer has come, the one before stays.
 *
 * @param isOn nothing is asked for unless the record is large and shown as it is now
 */
export function useAskedPart(
  asset: AssetKey,
  seed: AssetPageData | null,
  question: Question,
  isOn: boolean,
): AskedPart {
  const [held, hold] = useState<Held | null>(null)
  const drawn = held?.fetched.data?.reply.drawn
  // Which days are in view matters only where not all can be drawn.
  const days = drawn && drawn.total > drawn.rows.length ? question.days : null
  const asked = isOn ? { ...question, days } : OPENING
  const query = partQuery(asset, asked, seed)
  const fetched = useFetched(query, isOn)
  const isNew = isOn && fetched.data !== undefined && fetched !== held?.fetched
  const shown = isNew ? { question: asked, fetched } : held
  if (isNew) hold(shown)
  return { query, fetched, shown }
}

/** @param rows its predictions as they are now; undefined before the first answer */
export function useShownPart(
  { fetched, shown }: AskedPart,
  rows: readonly Prediction[] | undefined,
): ShownPart | null {
  const given = shown?.fetched.data
  const part = useMemo(() => (given && rows ? partOfRows(given, rows) : null), [given, rows])
  const question = shown?.question
  const isAnswer = given !== undefined && fetched.data === given
  return useMemo(
    () =>
      part && given && question
        ? { ...part, question, isAnswer, version: given.reply.version }
        : null,
    [part, given, question, isAnswer],
  )
}
