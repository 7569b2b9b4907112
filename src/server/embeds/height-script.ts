/**
 * Tells the page around an embed how high it is, whenever that changes; an embed works without it. Served as a file of its
 * own, as the policy allows no script within a page.
 */
export const HEIGHT_SCRIPT = `if (parent !== window) {
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
    // The height of public words is no secret, and the page around may be any.
    parent.postMessage({ type: 'proof-of-price:height', height }, '*')
  }).observe(document.body)
}
`
