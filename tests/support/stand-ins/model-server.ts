import { type ServerResponse } from 'node:http'
import { bodyOf, serving } from './serving.ts'

/** How the stand-in answers a question. */
export type ModelReply =
  | { readonly text: string; readonly isCut?: boolean }
  | {
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'silence'

type ModelQuestion = {
  readonly path: string
  readonly body: string
  readonly authorization: string | null
  /** The second pass of a reading. */
  readonly isRefutation: boolean
}

export type ModelServer = Awaited<ReturnType<typeof modelServer>>

/**
 * Stands in for a provider of models: `/v1/responses` as xAI has it, `/v1/chat/completions`, `/v1/messages`, and
 * Ollama's `/api/chat`.
 */
export async function modelServer() {
  const questions: ModelQuestion[] = []
  let reply: (question: ModelQuestion) => ModelReply = () => ({ text: '' })
  const { origin, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    void bodyOf(request).then((bytes) => {
      const body = bytes.toString('utf8')
      const question: ModelQuestion = {
        path: request.url ?? '',
        body,
        authorization: request.headers.authorization ?? null,
        isRefutation: body.includes('Try to show that the reading is wrong'),
      }
      questions.push(question)
      send(response, question.path, reply(question))
    })
  })
  return {
    url: new URL(origin),
    questions,
    /** Sets the answers from now on. */
    answer: (next: typeof reply): void => {
      reply = next
    },
    [Symbol.asyncDispose]: close,
  }
}

function send(response: ServerResponse, path: string, reply: ModelReply): void {
  if (reply === 'silence') return
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body)
    return
  }
  const { text, isCut = false } = reply
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(shapeOf(path, text, isCut)))
}

function shapeOf(path: string, text: string, isCut: boolean): unknown {
  if (path.endsWith('/chat/completions')) {
    return {
      id: 'chat-1',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'stand-in',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text },
          finish_reason: isCut ? 'length' : 'stop',
        },
      ],
      usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
    }
  }
  if (path.endsWith('/messages')) {
    return {
      id: 'message-1',
      type: 'message',
      role: 'assistant',
      model: 'stand-in',
      content: [{ type: 'text', text }],
      stop_reason: isCut ? 'max_tokens' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1_000, output_tokens: 100 },
    }
  }
  if (path.endsWith('/api/chat')) {
    return {
      model: 'stand-in',
      created_at: '2026-11-20T12:00:00Z',
      message: { role: 'assistant', content: text },
      done: true,
      done_reason: isCut ? 'length' : 'stop',
      prompt_eval_count: 1_000,
      eval_count: 100,
      eval_duration: 1,
      total_duration: 1,
      load_duration: 1,
      prompt_eval_duration: 1,
    }
  }
  return {
    id: 'response-1',
    object: 'response',
    created_at: 1_790_000_000,
    model: 'stand-in',
    status: isCut ? 'incomplete' : 'completed',
    ...(isCut ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output: [
      {
        type: 'message',
        id: 'message-1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: 1_000,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 100,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1_100,
    },
  }
}
