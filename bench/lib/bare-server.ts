// Baseline: sends the bytes of two files with the headers of the real replies.
import { readFileSync } from 'node:fs'
import { createServer, type OutgoingHttpHeaders } from 'node:http'

/** A reply of the site as stored in a file; `body` is base64. */
export type StoredReply = {
  readonly url: string
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

const [, , port, ...files] = process.argv
const answers = new Map(
  files.map((file) => {
    const { url, headers, body } = JSON.parse(readFileSync(file, 'utf8')) as StoredReply
    return [url, { headers, body: Buffer.from(body, 'base64') }]
  }),
)

createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (answer) response.writeHead(200, answer.headers).end(answer.body)
  else response.writeHead(404).end()
}).listen(Number(port), '127.0.0.1')
