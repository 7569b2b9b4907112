import { checkDraft } from '#domain/posts/check-draft.ts'
import {
  LOWER_CONFIDENCE,
  type CheckedReading,
  type PostToRead,
  type ReadingDraft,
} from '#domain/posts/reading-fields.ts'
import { type AssistantSettings } from '#server/kit/settings/assistant.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import { AssistantError, type AssistantUse, type PostAssistant } from './ports.ts'
import type { LanguageModel } from 'ai'
import { randomUUID } from 'node:crypto'
import { type z } from 'zod'
import { AskedReading, AskedRefutation, isCutOff, readingOf, refutationOf } from './model-answer.ts'
import { askAgain, modelFault, openModel, PROVIDER_TITLES } from './models.ts'
import { READ_INSTRUCTIONS, readPrompt, REFUTE_INSTRUCTIONS, refutePrompt } from './prompt.ts'

export type ReaderLimits = {
  /** For one call with all its tries. */
  readonly timeoutMs: number
  /** How often a fault that may pass is tried again. */
  readonly retries: number
}

const LIMITS: ReaderLimits = { timeoutMs: 45_000, retries: 2 }
const MOST_TOKENS = 4_000
/** Providers keep what they are sent for weeks unless they are asked not to. */
const NOT_STORED = { xai: { store: false }, openai: { store: false } }

/** What an assistant needs; tests bring their own model. */
export type ModelReader = {
  readonly name: string
  readonly model: string
  /** The provider's name, which begins every message. */
  readonly title: string
  readonly isGrok: boolean
  /** Whether a server that refuses a schema is asked once more without one. */
  readonly mayLackSchemas: boolean
  readonly usdPerMillion: { readonly input: number; readonly output: number } | null
  readonly open: () => Promise<LanguageModel>
}

/** The assistant that the settings name; null when they name none. */
export function assistantOf(
  settings: AssistantSettings,
  clock: Clock,
  limits: Partial<ReaderLimits> = {},
): PostAssistant | null {
  if (settings === null) return null
  const { kind, model, usdPerMillion } = settings
  let opened: Promise<LanguageModel> | null = null
  return modelAssistant(
    {
      name: `${kind}:${model}`,
      model,
      title: PROVIDER_TITLES[kind],
      isGrok: kind === 'xai',
      mayLackSchemas: kind === 'compatible' || kind === 'ollama',
      usdPerMillion,
      open: () => {
        opened ??= openModel(settings)
        return opened
      },
    },
    clock,
    limits,
  )
}

/**
 * Reads a post with a language model in two passes: the first reads, and its answer is held against the post's words;
 * the second tries to refute what is left. A second pass that fails costs confidence, not the reading.
 */
export function modelAssistant(
  reader: ModelReader,
  clock: Clock,
  given: Partial<ReaderLimits> = {},
): PostAssistant {
  const limits = { ...LIMITS, ...given }
  const { name, isGrok } = reader

  return {
    name,
    isGrok,
    read: async (post, signal) => {
      const began = clock.now()
      const tally = newTally()
      const ask = asker(reader, limits, tally, signal)
      const used = (): AssistantUse => ({
        model: reader.model,
        ...tally.spent(),
        costUsd: costOf(reader, tally.spent()),
        durationMs: clock.now() - began,
      })
      const draft = await firstPass(reader, ask, post).catch((error: unknown) => {
        throw error instanceof SourceError ? new AssistantError(error, used()) : error
      })
      const checked = checkDraft(draft, post)
      const tried = checked.has_prediction ? await refute(ask, post, checked, signal) : null
      return {
        ...checked,
        ...doubted(checked, tried),
        use: used(),
      }
    },
  }
}

type Ask = (instructions: string, prompt: string, schema: z.ZodType) => Promise<string>
type Spent = { readonly calls: number; readonly tokensIn: number; readonly tokensOut: number }
type Tally = ReturnType<typeof newTally>

/** Counts what a reading costs as it goes, so that a failed one has its costs too. */
function newTally() {
  let [calls, tokensIn, tokensOut] = [0, 0, 0]
  return {
    call: (): void => {
      calls += 1
    },
    tokens: (usage: {
      inputTokens?: number | undefined
      outputTokens?: number | undefined
    }): void => {
      tokensIn += usage.inputTokens ?? 0
      tokensOut += usage.outputTokens ?? 0
    },
    spent: (): Spent => ({ calls, tokensIn, tokensOut }),
  }
}
type Tried = { readonly refuted: boolean; readonly why: string } | 'silent'

/** One question to the model; the answer as it wrote it, whether or not it keeps to the schema. */
function asker(reader: ModelReader, limits: ReaderLimits, tally: Tally, signal: AbortSignal): Ask {
  return async (instructions, prompt, schema) => {
    const timeout = AbortSignal.timeout(limits.timeoutMs)
    const { generateText, Output, NoObjectGeneratedError } = await import('ai')
    // The SDK writes its warnings to the console; what matters to us it throws.
    globalThis.AI_SDK_LOG_WARNINGS = false
    const model = await reader.open()
    const until = performance.now() + limits.timeoutMs
    const stop = AbortSignal.any([signal, timeout])
    const within = { timeout, timeoutMs: limits.timeoutMs }
    const call = async (withSchema: boolean): Promise<string> =>
      askAgain(async () => once(withSchema), limits.retries, { until, signal: stop })
    const once = async (withSchema: boolean): Promise<string> => {
      tally.call()
      try {
        const { text, usage } = await generateText({
          model,
          instructions,
          prompt,
          maxOutputTokens: MOST_TOKENS,
          maxRetries: 0,
          abortSignal: stop,
          providerOptions: NOT_STORED,
          ...(withSchema ? { output: Output.object({ schema, name: 'reading' }) } : {}),
        })
        tally.tokens(usage)
        return text
      } catch (error) {
        // It has answered, only not by the schema: its text may still be read.
        if (!NoObjectGeneratedError.isInstance(error)) throw error
        tally.tokens(error.usage ?? {})
        return error.text ?? ''
      }
    }
    try {
      return await call(true)
    } catch (error) {
      signal.throwIfAborted()
      const fault = await modelFault(reader, error, within)
      if (!fault.isAboutSchema || !reader.mayLackSchemas) throw fault.error
    }
    try {
      return await call(false)
    } catch (error) {
      signal.throwIfAborted()
      throw (await modelFault(reader, error, within)).error
    }
  }
}

/** @throws SourceError when the answer is no reading */
async function firstPass(
  { title }: ModelReader,
  ask: Ask,
  post: PostToRead,
): Promise<ReadingDraft> {
  const text = await ask(READ_INSTRUCTIONS, readPrompt(post, randomUUID()), AskedReading)
  const draft = readingOf(text)
  if (draft !== null) return draft
  throw new SourceError(
    'nonsense',
    isCutOff(text) ? 'The model’s answer was cut off.' : `${title} did not answer with a reading.`,
  )
}

async function refute(
  ask: Ask,
  post: PostToRead,
  reading: CheckedReading,
  signal: AbortSignal,
): Promise<Tried> {
  try {
    const prompt = refutePrompt(post, reading, randomUUID())
    return refutationOf(await ask(REFUTE_INSTRUCTIONS, prompt, AskedRefutation)) ?? 'silent'
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SourceError) return 'silent'
    throw error
  }
}

function doubted(reading: CheckedReading, tried: Tried | null) {
  const { confidence, notes } = reading
  if (tried === null) return { refuted: null }
  if (tried === 'silent') {
    return {
      refuted: null,
      confidence: LOWER_CONFIDENCE[confidence],
      notes: [...notes, 'The second check of this reading got no answer.'],
    }
  }
  const { refuted: is, why } = tried
  return { refuted: { is, why }, ...(is ? { confidence: 'low' as const } : {}) }
}

/** Null also when no answer has given its tokens: the call may still have cost something. */
function costOf({ usdPerMillion }: ModelReader, spent: Spent): AssistantUse['costUsd'] {
  if (usdPerMillion === null || spent.tokensIn + spent.tokensOut === 0) return null
  const usd = spent.tokensIn * usdPerMillion.input + spent.tokensOut * usdPerMillion.output
  return Number((usd / 1e6).toFixed(6))
}
