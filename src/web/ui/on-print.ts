/**
 * Calls back as the page is about to be printed, and when it is back on the screen. What is to be on paper has to be
 * drawn within the call: the browser takes the page as it is then.
 */
export function onPrint(changed: (isPrinted: boolean) => void): () => void {
  const heard = ({ type }: Event): void => changed(type === 'beforeprint')
  window.addEventListener('beforeprint', heard)
  window.addEventListener('afterprint', heard)
  return () => {
    window.removeEventListener('beforeprint', heard)
    window.removeEventListener('afterprint', heard)
  }
}
