declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici'
  const agent: typeof Agent
  export default agent
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici'
  const connector: typeof buildConnector
  export default connector
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'
  function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>
  export default request
}
