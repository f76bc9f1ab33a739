// A field with a list of choices that is always open. The first one is chosen until arrow keys choose another.
import Combobox from '@github/combobox-nav'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

type ComboboxProps = {
  input: RefObject<HTMLInputElement | null>
  list: RefObject<HTMLUListElement | null>
  /** Called with the choice's `data-index`. */
  onTake: (index: number) => void
}

export function useCombobox({ input, list, onTake }: ComboboxProps): void {
  const take = useRef(onTake)
  take.current = onTake
  const combobox = useRef<Combobox | null>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    const options = list.current
    if (!input.current || !options) return
    const created = new Combobox(input.current, options, {
      tabInsertsSuggestions: false,
      firstOptionSelectionMode: 'selected',
    })
    combobox.current = created
    created.start()
    const controller = new AbortController()
    const { signal } = controller
    const commit = ({ target }: Event) => take.current(Number((target as HTMLElement).dataset['index']))
    options.addEventListener('combobox-commit', commit, { signal })
    // Pressing a choice would take the focus from the field.
    options.addEventListener('mousedown', (event) => event.preventDefault(), { signal })
    input.current.addEventListener('keydown', ({ key }) => (isMoved.current ||= /^Arrow(?:Up|Down)$/.test(key)), {
      signal,
    })
    const begin = () => {
      isMoved.current = false
      // The library takes the choice away, at times after the new choices are there.
      created.resetSelection()
    }
    input.current.addEventListener('input', begin, { signal })
    return () => {
      controller.abort()
      created.destroy()
      combobox.current = null
    }
  }, [])
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected=true]')
    // Choices that arrive later leave the one that keys have chosen as it is, unless it has gone.
    if (!chosen || (!isMoved.current && chosen.previousElementSibling)) combobox.current?.resetSelection()
  })
}
