import { type z } from 'zod'
import { type Right } from './access.ts'

type Access = 'public' | Right
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Call<Params, Query, Body, Reply> = {
  readonly open?: true
  /** Per address, if not the usual limit; null for cheap calls. */
  readonly callsAMinute?: number | null
  readonly summary: string
  /** The message of a 503 while the database is down or full, if the usual one does not fit. */
  readonly unavailableText?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly reply: Reply
}

export type Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = Call<Params, Query, Body, Reply> & {
  readonly method: Method
  readonly path: `/${string}`
  readonly access: Access
}

const by =
  (method: Method, limit: Pick<Route, 'callsAMinute'> = {}) =>
  <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    path: `/${string}`,
    access: Access,
    call: Call<P, Q, B, R>,
  ): Route<P, Q, B, R> => ({ method, path, access, ...limit, ...call })

export const get = by('GET')
export const post = by('POST')
/** @param callsAMinute per address */
export const postAtMost = (callsAMinute: number) => by('POST', { callsAMinute })
export const put = by('PUT')
export const del = by('DELETE')
