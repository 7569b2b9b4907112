/** The price socket; the asset is in the query, by default Bitcoin: `/ws/price?asset=mstr`. */
export const PRICE_SOCKET_PATH = '/ws/price'

/** The event stream: all that an open page follows. */
export const LIVE_EVENTS_PATH = '/api/v1/live'

/** How often an unchanged price is sent again, milliseconds. */
export const LIVE_REPEAT_MS = 15_000

/** A price older than this is shown with its time, milliseconds. */
export const LIVE_OLD_MS = 60_000
