// The least that Node can do: sends the bytes of two files, with the headers of the real answers.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , port, ...files] = process.argv
const answers = new Map(
  files.map((file) => {
    const { url, headers, body } = JSON.parse(readFileSync(file, 'utf8'))
    return [url, { headers, body: Buffer.from(body, 'base64') }]
  }),
)

createServer((request, response) => {
  const answer = answers.get(request.url)
  if (!answer) return response.writeHead(404).end()
  response.writeHead(200, answer.headers)
  response.end(answer.body)
}).listen(Number(port), '127.0.0.1')
