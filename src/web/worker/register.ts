/** Fired on the window when a newer version of the site waits to take over. */
export const UPDATE_READY = 'updateready'

let waiting: ServiceWorker | null = null

/** Installs the service worker once the page has nothing better to do. Without one the site works as well, online. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const register = async (): Promise<void> => {
    const registration = await navigator.serviceWorker.register('/sw.js')
    const announce = (worker: ServiceWorker | null): void => {
      // The first worker ever takes over silently; only a later one replaces something.
      if (!worker || !navigator.serviceWorker.controller) return
      waiting = worker
      window.dispatchEvent(new Event(UPDATE_READY))
    }
    announce(registration.waiting)
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed') announce(worker)
      })
    })
  }
  const start = (): void => {
    register().catch(() => {
      // Refused, as in some private windows.
    })
  }
  if (document.readyState === 'complete') setTimeout(start, 2_000)
  else window.addEventListener('load', () => setTimeout(start, 2_000), { once: true })
}

/** Lets the waiting version take over, and reloads the page with it. */
export function applyUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  })
  waiting?.postMessage('take over')
}
