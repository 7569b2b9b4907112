import { z } from 'zod'
import { isAddress, matching, secret } from './fields.ts'

const KINDS = ['off', 'xai', 'openai', 'anthropic', 'compatible', 'ollama'] as const
export type AssistantKind = Exclude<(typeof KINDS)[number], 'off'>

export type AssistantSettings = z.output<typeof AssistantEnvironment>

const XAI_MODEL = 'grok-4.3'

const usd = matching(/^\d{1,5}(?:\.\d{1,6})?$/)
  .transform(Number)
  .optional()

/** The model that reads posts beside the text parser; null if not configured. A key of xAI alone enables it. */
export const AssistantEnvironment = z
  .object({
    ASSISTANT: z.enum(KINDS).optional(),
    ASSISTANT_MODEL: matching(/^[\w.:/@-]{1,200}$/).optional(),
    ASSISTANT_API_KEY: secret(500).optional(),
    XAI_API_KEY: secret(500).optional(),
    ASSISTANT_URL: z
      .string()
      .refine((text) => isAddress(text, 'http'))
      .optional(),
    ASSISTANT_USD_PER_MILLION_IN: usd,
    ASSISTANT_USD_PER_MILLION_OUT: usd,
  })
  .transform((env, context) => {
    const kind = env.ASSISTANT ?? (env.XAI_API_KEY === undefined ? 'off' : 'xai')
    if (kind === 'off') return null
    const need = (name: keyof typeof env, isMissing: boolean): void => {
      if (isMissing) context.addIssue({ code: 'custom', path: [name], message: name })
    }
    const { ASSISTANT_MODEL: model, ASSISTANT_URL: url } = env
    const key = env.ASSISTANT_API_KEY ?? (kind === 'xai' ? env.XAI_API_KEY : undefined)
    const [input, output] = [env.ASSISTANT_USD_PER_MILLION_IN, env.ASSISTANT_USD_PER_MILLION_OUT]
    need('ASSISTANT_MODEL', kind !== 'xai' && model === undefined)
    need('ASSISTANT_API_KEY', kind !== 'ollama' && kind !== 'compatible' && key === undefined)
    need('ASSISTANT_URL', kind === 'compatible' && url === undefined)
    need('ASSISTANT_USD_PER_MILLION_IN', input === undefined && output !== undefined)
    need('ASSISTANT_USD_PER_MILLION_OUT', output === undefined && input !== undefined)
    return {
      kind,
      model: model ?? XAI_MODEL,
      /** Secret; never log it. Null for a local model without one. */
      key: key ?? null,
      /** Null: the provider's public address. */
      url: url === undefined ? null : new URL(url),
      /** USD per million tokens; null if unknown. */
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
    'must be an address such as https://models.example.org/v1, without user and password (unencrypted on this machine only)',
  ASSISTANT_USD_PER_MILLION_IN: 'must be a price in USD such as 3 or 0.25, set together with OUT',
  ASSISTANT_USD_PER_MILLION_OUT: 'must be a price in USD such as 15 or 1.25, set together with IN',
}
