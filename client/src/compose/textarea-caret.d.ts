declare module 'textarea-caret' {
  /** Pixels from the corner of the element, without its scrolling. */
  export default function getCaretCoordinates(
    element: HTMLTextAreaElement,
    position: number,
  ): { top: number; left: number; height: number }
}
