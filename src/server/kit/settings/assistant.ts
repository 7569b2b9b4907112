import { z } from 'zod'
import { isEncrypted } from '#server/kit/reach.ts'

const KINDS = ['off', 'xai', 'openai', 'anthropic', 'compatible', 'ollama'] as const
export type AssistantKind = Exclude<(typeof KINDS)[number], 'off'>

/** The model that reads posts beside the text parser; null if not configured. */
export type AssistantSettings = {
  readonly kind: AssistantKind
  readonly model: string
  /** Secret; never log it. Null for a local model without one. */
  readonly key: string | null
  /** Null: the provider's public address. */
  readonly url: URL | null
  /** USD per million tokens; null if unknown. */
  readonly usdPerMillion: { readonly input: number; readonly output: number } | null
} | null

const XAI_MODEL = 'grok-4.3'

const Key = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/)
  .optional()
const Usd = z
  .string()
  .regex(/^\d{1,5}(?:\.\d{1,6})?$/)
  .transform(Number)
  .optional()

const Environment = z.object({
  ASSISTANT: z.enum(KINDS).optional(),
  ASSISTANT_MODEL: z
    .string()
    .regex(/^[\w.:/@-]{1,200}$/)
    .optional(),
  ASSISTANT_API_KEY: Key,
  XAI_API_KEY: Key,
  ASSISTANT_URL: z
    .string()
    .refine((text) => URL.canParse(text) && isEncrypted(new URL(text)))
    .optional(),
  ASSISTANT_USD_PER_MILLION_IN: Usd,
  ASSISTANT_USD_PER_MILLION_OUT: Usd,
})
type Environment = z.infer<typeof Environment>

/** Environment variables of the model that reads posts. */
export const AssistantEnvironment = Environment.superRefine((env, context) => {
  for (const name of missing(env)) {
    context.addIssue({ code: 'custom', path: [name], message: name })
  }
}).transform((env): AssistantSettings => {
  const kind = kindOf(env)
  if (kind === 'off') return null
  const [input, output] = [env.ASSISTANT_USD_PER_MILLION_IN, env.ASSISTANT_USD_PER_MILLION_OUT]
  return {
    kind,
    model: env.ASSISTANT_MODEL ?? XAI_MODEL,
    key: keyOf(env, kind),
    url: env.ASSISTANT_URL === undefined ? null : new URL(env.ASSISTANT_URL),
    usdPerMillion: input !== undefined && output !== undefined ? { input, output } : null,
  }
})

export const ASSISTANT_HELP: Readonly<Record<string, string>> = {
  ASSISTANT: `must be one of ${KINDS.join(', ')}`,
  ASSISTANT_MODEL:
    'must be the name of a model as its provider calls it; only xai can do without it',
  ASSISTANT_API_KEY: 'must be the key as the provider gave it',
  XAI_API_KEY: 'must be the key as xAI gave it',
  ASSISTANT_URL:
    'must be an address such as https://models.example.org/v1 (unencrypted on this machine only)',
  ASSISTANT_USD_PER_MILLION_IN: 'must be a price in USD such as 3 or 0.25, set together with OUT',
  ASSISTANT_USD_PER_MILLION_OUT: 'must be a price in USD such as 15 or 1.25, set together with IN',
}

/** A key of xAI alone enables the assistant. */
function kindOf(env: Environment): (typeof KINDS)[number] {
  return env.ASSISTANT ?? (env.XAI_API_KEY === undefined ? 'off' : 'xai')
}

function keyOf(env: Environment, kind: AssistantKind): string | null {
  return env.ASSISTANT_API_KEY ?? (kind === 'xai' ? env.XAI_API_KEY : undefined) ?? null
}

function missing(env: Environment): readonly (keyof Environment)[] {
  const kind = kindOf(env)
  if (kind === 'off') return []
  const needsKey = kind !== 'ollama' && kind !== 'compatible'
  const [input, output] = [env.ASSISTANT_USD_PER_MILLION_IN, env.ASSISTANT_USD_PER_MILLION_OUT]
  return [
    ...(kind !== 'xai' && env.ASSISTANT_MODEL === undefined ? (['ASSISTANT_MODEL'] as const) : []),
    ...(needsKey && keyOf(env, kind) === null ? (['ASSISTANT_API_KEY'] as const) : []),
    ...(kind === 'compatible' && env.ASSISTANT_URL === undefined
      ? (['ASSISTANT_URL'] as const)
      : []),
    ...(input === undefined && output !== undefined
      ? (['ASSISTANT_USD_PER_MILLION_IN'] as const)
      : []),
    ...(output === undefined && input !== undefined
      ? (['ASSISTANT_USD_PER_MILLION_OUT'] as const)
      : []),
  ]
}
