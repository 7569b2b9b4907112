/**
 * Lets React update pages translated by the browser. Translators wrap or replace text nodes, so React would fail to
 * remove moved nodes and would update nodes that are no longer shown.
 */
export function bearTranslation(): void {
  const standIns = new WeakMap<Node, ChildNode>()
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
      const standIn = [...addedNodes, previousSibling, nextSibling].find(isForeign)
      if (!standIn) continue
      for (const node of removedNodes) if (node instanceof Text) standIns.set(node, standIn)
    }
  }).observe(document.body, { childList: true, subtree: true })

  /** The child of `parent` that contains or replaces a node. */
  function placeOf(node: Node, parent: Node): Node | null {
    if (node.parentNode === parent) return node
    for (const start of [node, standIns.get(node)]) {
      let place: Node | null | undefined = start
      while (place && place.parentNode !== parent) place = place.parentNode
      if (place) return place
    }
    return null
  }

  // oxlint-disable-next-line typescript/unbound-method -- each is called on its node
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.insertBefore = function insert<T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ): T {
    return insertBefore.call(this, node, before && placeOf(before, this)) as T
  }
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, node: T): T {
    const place = placeOf(node, this)
    if (place) removeChild.call(this, place)
    return node
  }
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      value?.set?.call(this, text)
      // The new text is not translated yet.
      if (this instanceof Text && !this.isConnected) standIns.get(this)?.replaceWith(this)
    },
  })
}

function isForeign(node: Node | null): node is ChildNode {
  return node?.nodeName === 'FONT'
}
