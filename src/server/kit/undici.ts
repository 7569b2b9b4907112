/** The parts of undici that calls need. All of it has a browser's fetch, web sockets and caches, too: 6 MB of memory. */
export { default as request } from 'undici/lib/api/api-request.js'
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
