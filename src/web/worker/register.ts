/** Fired on the window when a newer version of the site is ready. */
export const UPDATE_READY = 'updateready'

let waiting: ServiceWorker | null = null

/** Installs the service worker when the page is idle. Without it the site still works online. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const register = async (): Promise<void> => {
    const registration = await navigator.serviceWorker.register('/sw.js')
    const announce = (worker: ServiceWorker | null): void => {
      // The first worker takes over silently; later ones replace a version.
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
      // Refused by the browser, for example in private windows.
    })
  }
  if (document.readyState === 'complete') setTimeout(start, 2_000)
  else window.addEventListener('load', () => setTimeout(start, 2_000), { once: true })
}

export function applyUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  })
  waiting?.postMessage('take over')
}
