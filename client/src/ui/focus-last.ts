/** Puts the focus into the last match of a selector, such as a field that was added, once it is in the document. */
export function focusLast(container: HTMLElement | null, selector: string): void {
  setTimeout(() => [...(container?.querySelectorAll<HTMLElement>(selector) ?? [])].at(-1)?.focus())
}
