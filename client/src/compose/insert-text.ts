import { changePost } from './current.ts'

/** Puts a text at the caret of a post, and the caret behind it. */
export function insertText(postKey: string, inserted: string): void {
  const area = document.querySelector<HTMLTextAreaElement>(`[data-post='${postKey}'] .text-input`)
  if (!area) return
  const { value, selectionStart, selectionEnd } = area
  changePost(postKey, { text: value.slice(0, selectionStart) + inserted + value.slice(selectionEnd) })
  const caret = selectionStart + inserted.length
  // Once the new text is in the document.
  setTimeout(() => {
    area.focus()
    area.setSelectionRange(caret, caret)
  })
}
