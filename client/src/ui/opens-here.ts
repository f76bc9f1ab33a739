/** Whether a click on a link is to open it here, and not in a new tab or window. */
export const opensHere = ({ ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent): boolean =>
  !ctrlKey && !metaKey && !shiftKey && !altKey && button === 0
