import { createHash } from 'node:crypto'
import { isoDay, readDay } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { BY_DAY, newestFirst } from './list-order.ts'
import { type ListQuery, type Place } from './list-query.ts'
import { type PublicRecord } from './record.service.ts'

type PageOptions = {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly isByRecording?: boolean
}

/**
 * A page of a list, newest first; rows that appear or go between two pages move none of the others.
 * @throws AppError `invalid` for a cursor of another list
 */
export async function listPage(
  record: PublicRecord,
  list: ListQuery,
  { limit, cursor, isByRecording = false }: PageOptions,
): Promise<{ readonly listed: readonly JudgedPrediction[]; readonly next: string | null }> {
  const after = cursor === undefined ? null : { ...placeIn(list, cursor), isByRecording }
  const ids = await record.ids(after ? { ...list, after } : list, {
    order: isByRecording ? newestFirst(null) : BY_DAY,
    limit: limit + 1,
  })
  const listed = await record.byIds(ids.slice(0, limit), list.asOf)
  const last = listed.at(-1)
  return { listed, next: last && ids.length > limit ? cursorOf(list, last) : null }
}

/** A URL-safe cursor. */
export function cursorOf(list: ListQuery, { made, createdAt, id }: Place): string {
  const text = `${digestOf(list)} ${isoDay(made)} ${createdAt} ${id}`
  return Buffer.from(text).toString('base64url')
}

function placeIn(list: ListQuery, cursor: string): Place {
  const [digest, day = '', createdAt = '', ...rest] = Buffer.from(cursor, 'base64url')
    .toString()
    .split(' ')
  const [made, id] = [readDay(day), rest.join(' ')]
  const isOurs = made !== null && id !== '' && !Number.isNaN(Date.parse(createdAt))
  if (isOurs && cursorOf(list, { made, createdAt, id }) === cursor) return { made, createdAt, id }
  const isOther = isOurs && /^[\w-]{8}$/.test(digest ?? '')
  throw failure(
    'invalid',
    `cursor: ${isOther ? 'It belongs to another list. ' : ''}Please take it from the link to the next page.`,
  )
}

function digestOf(list: ListQuery): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8)
}
