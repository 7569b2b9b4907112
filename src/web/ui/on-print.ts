/**
 * Calls back as the page is about to be printed, and when it is back on the screen. What is to be on paper has to be
 * drawn within the call: the browser takes the page as it is then.
 */
export function onPrint(changed: (isPrinted: boolean) => void): () => void {
  const query = window.matchMedia('print')
  const begin = (): void => changed(true)
  const end = (): void => changed(false)
  const follow = (): void => changed(query.matches)
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  query.addEventListener('change', follow)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
    query.removeEventListener('change', follow)
  }
}
