import { z } from 'zod'

const text = z.string().nullish()

/** The assistant's notes on a submission (administrator-tools.md §3). Whatever is missing or odd is left out. */
const AiMetadata = z.object({
  tweet_proposals: z
    .array(z.object({ style: z.string(), text: z.string() }))
    .nullish()
    .catch(null),
  accuracy_confidence: z.union([z.string(), z.number()]).nullish().catch(null),
  accuracy_reasoning: text.catch(null),
  interpretation_challenges: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  verification_status: text.catch(null),
  grok_used: z.boolean().nullish().catch(null),
  extraction_method: text.catch(null),
})

export type AiNotes = {
  readonly facts: readonly (readonly [name: string, text: string])[]
  readonly proposals: readonly { readonly style: string; readonly text: string }[]
  /** What could not be read, as it is. */
  readonly raw: string | null
}

const METHODS: Readonly<Record<string, string>> = {
  grok_ai: 'Language model',
  text_parsing: 'Text parser',
}

/** Reads the JSON text for people. @returns null when there is none */
export function readAiNotes(json: string | null): AiNotes | null {
  if (json === null || json.trim() === '') return null
  const read = AiMetadata.safeParse(parsed(json))
  if (!read.success) return { facts: [], proposals: [], raw: json }
  const {
    accuracy_confidence: confidence,
    accuracy_reasoning: reasoning,
    interpretation_challenges: challenges,
    verification_status: verification,
    grok_used: used,
    extraction_method: method,
    tweet_proposals: proposals,
  } = read.data
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Read by', method && (METHODS[method] ?? method)],
    ['Model used', used === null || used === undefined ? null : used ? 'Yes' : 'No'],
    ['Confidence', confidence === null || confidence === undefined ? null : String(confidence)],
    ['Reasoning', reasoning],
    ['Hard to read', Array.isArray(challenges) ? challenges.join(' ') : challenges],
    ['Author', verification],
  ]
  const known = facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  if (known.length === 0 && !proposals?.length) return { facts: [], proposals: [], raw: json }
  return { facts: known, proposals: proposals ?? [], raw: null }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
