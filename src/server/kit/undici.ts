/** The parts of undici we use. Its index also loads fetch, web sockets and caches: 6 MB of memory. */
export { default as request } from 'undici/lib/api/api-request.js'
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
