import { type z } from 'zod'
import { type Right } from './access.ts'

/** Everyone, or signed-in people with this right. */
type Access = 'public' | Right
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One call between page and server: its input, its output, and who may make it. */
export type Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = {
  readonly method: Method
  readonly path: `/${string}`
  readonly access: Access
  /** Pages of other sites may read it in a visitor's browser. */
  readonly open?: true
  /** What it does, in one sentence, for the OpenAPI document. */
  readonly summary: string
  /** The message of a 503 while the database is down or full, if the usual one does not fit. */
  readonly unavailableText?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly reply: Reply
}

/** Keeps the exact types of a call's schemas for both sides. */
export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(route: Route<Params, Query, Body, Reply>): Route<Params, Query, Body, Reply> {
  return route
}
