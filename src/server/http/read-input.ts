import { type FastifySchemaCompiler } from 'fastify'
import { type z } from 'zod'
import { onlyTexts } from '#domain/clean-text.ts'
import { failure, type AppError } from '#server/kit/failure.ts'

/**
 * Validates input by the contract's schemas. Faults are thrown as an `AppError` with a message per field, from
 * the contract or else from below.
 */
export const readInput: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  // The contracts have whole sentences for invalid addresses.
  const isAddress = httpPart === 'params'
  return (data: unknown) => {
    const parsed = httpPart === 'body' ? readText(schema, data) : readRaw(schema, data)
    return parsed.success ? { value: parsed.data } : { error: refusal(parsed.error, isAddress) }
  }
}

/** Validates a body read by the route itself. @throws AppError `invalid` with a sentence per field */
export function readBody<Body extends z.ZodType>(schema: Body, data: unknown): z.output<Body> {
  const parsed = readText(schema, data)
  if (!parsed.success) throw refusal(parsed.error, false)
  return parsed.data
}

function readText<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = readRaw(schema, data)
  if (!parsed.success) return parsed
  const text = onlyTexts(data)
  return text === data ? parsed : readRaw(schema, text)
}

function readRaw<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  return schema.safeParse(data, { error: sentenceOf })
}

/** Field name of faults that concern the input as a whole. */
const WHOLE = 'input'
/** Bounds the response: input may have any number of faults and names of any length. */
const MOST_FIELDS = 50
const LONGEST_NAME = 80

function refusal({ issues }: z.ZodError, isAddress: boolean): AppError {
  const fields = new Map<string, string>()
  for (const issue of issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null]
    for (const key of keys.slice(0, MOST_FIELDS)) {
      const path = key === null ? issue.path : [...issue.path, key]
      const name = path.map(String).join('.').slice(0, LONGEST_NAME) || WHOLE
      if (!fields.has(name) && fields.size < MOST_FIELDS) fields.set(name, issue.message)
    }
  }
  const [[name, message] = [WHOLE, WRONG]] = fields
  return failure('invalid', isAddress ? message : `${name}: ${message}`, Object.fromEntries(fields))
}

const WRONG = 'This cannot be read. Please check it.'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of JSON',
  record: 'an object of JSON',
}

const FORMS: Readonly<Record<string, string>> = {
  date: 'Please give a day such as 2026-11-20.',
  datetime: 'Please give a moment such as 2026-11-20T12:00:00Z.',
  uuid: 'Please give an id of this site.',
  url: 'Please give a whole address, with https:// before it.',
  email: 'Please give an email address.',
}

/** A message naming what would be valid. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = KINDS[issue.expected]
      return kind ? `Please give ${kind}.` : WRONG
    }
    case 'invalid_value':
      return `Please choose one of: ${issue.values
        .filter((one) => one !== '')
        .map(String)
        .join(', ')}.`
    case 'too_small':
    case 'too_big':
      return rangeSentence(issue)
    case 'invalid_format':
      return FORMS[issue.format] ?? WRONG
    case 'not_multiple_of':
      return `Please give a multiple of ${String(issue.divisor)}.`
    case 'unrecognized_keys':
      return 'This cannot be set here.'
    case 'invalid_union':
      return unionSentence(issue.errors)
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return WRONG
  }
}

/** `Please give a number of 1 or more.`, `Please give at most 200 characters.` */
function rangeSentence(
  issue:
    | z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>
    | z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>,
): string {
  const isSmall = issue.code === 'too_small'
  const limit = Number(isSmall ? issue.minimum : issue.maximum)
  const limitText = limit.toLocaleString('en-US', { maximumFractionDigits: 20 })
  const isWithin = issue.inclusive !== false
  if (issue.origin === 'string' || issue.origin === 'array') {
    const one = issue.origin === 'string' ? 'character' : 'entry'
    const many = issue.origin === 'string' ? 'characters' : 'entries'
    if (isSmall && limit === 1)
      return issue.origin === 'string' ? 'Please fill this in.' : 'Please give at least one.'
    return `Please give ${isSmall ? 'at least' : 'at most'} ${limitText} ${limit === 1 ? one : many}.`
  }
  if (isSmall)
    return `Please give a number ${isWithin ? `of ${limitText} or more` : `above ${limitText}`}.`
  return `Please give a number ${isWithin ? `of ${limitText} or less` : `below ${limitText}`}.`
}

/** The message of the matching variant of a union, or else of all variants. */
function unionSentence(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const isOther = ({ code, path }: z.core.$ZodIssue): boolean =>
    code === 'invalid_type' && path.length === 0
  const own = errors.find((issues) => issues.length > 0 && !issues.some(isOther))
  if (own?.[0]) return own[0].message
  const kinds = errors.flatMap((issues) =>
    issues.flatMap((issue) => (issue.code === 'invalid_type' ? (KINDS[issue.expected] ?? []) : [])),
  )
  return kinds.length > 0 ? `Please give ${[...new Set(kinds)].join(' or ')}.` : WRONG
}
