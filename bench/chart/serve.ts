// Serves the trial page: node bench/chart/serve.ts [port]
import { createServer } from 'vite'
import { trialConfig } from './vite-config.ts'

const server = await createServer(trialConfig({ port: Number(process.argv[2] ?? 5199) }))
await server.listen()
server.printUrls()
