// The end of a form: what is not saved yet, and the buttons that save or discard it.
import type { ComponentChildren } from 'preact'
import type { FormDraft } from '../state/form-draft.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { offerUndo } from '../ui/optimistic.ts'

type ActionsProps = {
  draft: Pick<FormDraft<object>, 'isChanged' | 'discard'>
  /** The label of the button that saves. */
  action: ComponentChildren
  disabled: boolean
}

export function FormActions({ draft: { isChanged, discard }, action, disabled }: ActionsProps) {
  return (
    <div class="form-actions">
      <span role="status">{isChanged ? texts.profile_edit.unsaved : ''}</span>
      {isChanged && (
        <Button onClick={() => offerUndo(texts.profile_edit.discarded, discard())}>{texts.profile_edit.discard}</Button>
      )}
      <Button type="submit" kind="primary" disabled={disabled}>
        {action}
      </Button>
    </div>
  )
}
