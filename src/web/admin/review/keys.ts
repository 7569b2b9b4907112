/** The keys of a list, in the order in which they are listed. */
export const LIST_KEYS = [
  ['j or ↓', 'Next submission'],
  ['k or ↑', 'Previous submission'],
  ['Enter', 'View it'],
  ['a', 'Approve it'],
  ['r', 'Reject it, or all that are selected'],
  ['e', 'Edit it'],
  ['x', 'Select it for rejecting several at once'],
  ['Shift + A', 'Approve all of the page without flags'],
  ['z', 'Undo the last decision, for 10 seconds'],
  ['/', 'Search'],
  ['?', 'Show these keys'],
] as const

/** The keys of an opened submission. */
export const DETAIL_KEYS = [
  ['j and k', 'Next and previous submission'],
  ['v', 'View'],
  ['a', 'Approve'],
  ['r', 'Reject'],
  ['e', 'Edit'],
  ['d', 'Use the date of the source, where it is another one'],
  ['o', 'Open the source beside'],
  ['1 to 6', 'Choose a reason, while nothing else is in its field'],
  ['z', 'Undo the last decision, for 10 seconds'],
  ['Ctrl + Enter', 'Send the current form'],
  ['Esc', 'Close'],
] as const
