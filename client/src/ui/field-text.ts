/**
 * Puts a text into a field and the caret at a place in it. At once, and not when the new text has been rendered: a key that is typed
 * meanwhile would move away from the caret.
 */
export function putText(field: HTMLInputElement | HTMLTextAreaElement, text: string, caret: number): void {
  field.value = text
  field.focus()
  field.setSelectionRange(caret, caret)
}
