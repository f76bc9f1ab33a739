// Further hashtags of a hashtag's timeline. What is chosen becomes the address of the screen, or of the column.
import { useLocation } from 'preact-iso'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isTagName } from '../../../src/lib/text/tags.ts'
import { replaceColumn } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { Choice, Field, Form } from '../ui/form.tsx'
import { MOST_TAGS, namesIn, TAG_LISTS, tagQueryPath, type TagQuery } from './tag-query.ts'

type Typed = Record<(typeof TAG_LISTS)[number], string>

export function TagForm({ wanted, close }: { wanted: TagQuery; close: () => void }) {
  const { route, url } = useLocation()
  const { isPinned } = useContext(ColumnContext)
  const [typed, setTyped] = useState<Typed>(typedOf(wanted))
  const [choices, setChoices] = useState({ local: wanted.local, onlyMedia: wanted.onlyMedia })
  const [isChecked, setChecked] = useState(false)
  const show = (path: string) => {
    close()
    if (isPinned) replaceColumn(url, path)
    else route(path)
  }
  const submit = () => {
    setChecked(true)
    if (TAG_LISTS.some((list) => errorsOf(typed[list]).length > 0)) return
    const { any, all, none } = typed
    show(tagQueryPath({ tag: wanted.tag, any: namesIn(any), all: namesIn(all), none: namesIn(none), ...choices }))
  }
  const t = texts.hashtags
  return (
    <Form class="tag-form" aria-label={t.choose} onSubmit={submit}>
      <ListFields typed={typed} change={setTyped} showsErrors={isChecked} />
      <Choice label={t.local} checked={choices.local} onChange={(local) => setChoices({ ...choices, local })} />
      <Choice
        label={t.only_media}
        checked={choices.onlyMedia}
        onChange={(onlyMedia) => setChoices({ ...choices, onlyMedia })}
      />
      <div class="buttons">
        <Button onClick={close}>{texts.frame.cancel}</Button>
        <Button kind="primary" type="submit">
          {t.show}
        </Button>
      </div>
    </Form>
  )
}

type FieldsProps = { typed: Typed; change: (typed: Typed) => void; showsErrors: boolean }

function ListFields({ typed, change, showsErrors }: FieldsProps) {
  const t = texts.hashtags
  const first = useRef<HTMLInputElement>(null)
  // Before the form is painted: a field that is chosen quickly keeps the focus.
  useLayoutEffect(() => first.current?.focus(), [])
  return (
    <>
      {TAG_LISTS.map((list, index) => (
        <Field
          key={list}
          label={t[list]}
          hint={index === 0 && t.hint({ count: MOST_TAGS })}
          errors={showsErrors ? errorsOf(typed[list]) : []}
        >
          {(control) => (
            <input
              {...control}
              ref={index === 0 ? first : null}
              dir="auto"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={typed[list]}
              onInput={({ currentTarget }) => change({ ...typed, [list]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </>
  )
}

const typedOf = ({ any, all, none }: TagQuery): Typed => ({
  any: any.join(' '),
  all: all.join(' '),
  none: none.join(' '),
})

function errorsOf(text: string): string[] {
  const names = namesIn(text)
  const invalid = names.find((name) => !isTagName(name))
  if (invalid !== undefined) return [texts.hashtags.invalid({ name: invalid })]
  return names.length > MOST_TAGS ? [texts.hashtags.too_many({ count: MOST_TAGS })] : []
}
