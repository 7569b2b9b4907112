import { z } from 'zod'
import { LEVEL_FIELDS } from '#domain/claim/fields.ts'
import { foreignLanguage, type LanguageDetector } from '#domain/posts/language.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { fieldsOfReading, readPostDate, type ReadingFields } from '#domain/posts/reading-fields.ts'
import { fileText } from '#server/kit/text.ts'

/** A larger file is assumed to be a mistake. */
const MOST_POSTS = 100_000

const Post = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  author_handle: z.string().nullish(),
  /** `2026-03-10`, an ISO moment, or a month `2026-03`. */
  date: z
    .string()
    .nullish()
    .refine((date) => date == null || date.trim() === '' || readPostDate(date) !== null, {
      message: 'is not a date: expected 2026-03-10, 2026-03 or an ISO moment',
    }),
})
const Posts = z.array(Post).max(MOST_POSTS)

export type ParsedPost = ReadingFields & { readonly id: string }

/**
 * Reads each post of a file by the text parser alone.
 * @param file its name, for messages
 * @throws Error with one sentence when the text is not a JSON list of posts
 */
export async function parsePosts(file: string, text: string): Promise<readonly ParsedPost[]> {
  const posts = Posts.safeParse(parsedJson(file, text))
  if (!posts.success) throw new Error(`${file}: ${sentenceOf(posts.error)}.`)
  const parsed: ParsedPost[] = []
  for (const { id, text: words, date } of posts.data) {
    const posted = date == null ? null : readPostDate(date)
    const language = await foreignLanguage(words, loadDetector)
    parsed.push({ id, ...fieldsOfReading(readPost(words, { posted, language })) })
  }
  return parsed
}

function parsedJson(file: string, text: string): unknown {
  try {
    return JSON.parse(fileText(text))
  } catch {
    throw new Error(`${file} is not valid JSON.`)
  }
}

function sentenceOf(error: z.ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'not a list of posts'
  const [at, ...path] = issue.path
  if (at === undefined) return 'expected a list of posts, each with id, text and date'
  const field = path.join('.')
  return `post ${String(Number(at) + 1)}${field === '' ? '' : `, ${field}`}: ${issue.message}`
}

/** A table with one line per post. */
export function showParsed(posts: readonly ParsedPost[]): string {
  const head = ['id', 'asset', 'type', 'level', 'by', 'words']
  const rows = posts.map((post) => [
    post.id,
    post.asset_type ?? '-',
    post.prediction_type ?? (post.has_prediction ? '' : 'none'),
    LEVEL_FIELDS.flatMap((field) => post[field] ?? []).join('-') || '-',
    post.target_time ?? '-',
    wordsOf(post),
  ])
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The quoted words in the order of the post, on one line. */
function wordsOf({ spans }: ParsedPost): string {
  const quotes = Object.values(spans).toSorted((a, b) => a.start - b.start)
  const words = quotes.map((quote) => quote.words.replaceAll(/\s+/g, ' '))
  return [...new Set(words)].map((each) => `"${each}"`).join(' ')
}

export async function loadDetector(): Promise<LanguageDetector> {
  const { eld } = await import('eld/extrasmall')
  return eld
}
