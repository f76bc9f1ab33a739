// The hashtags that the viewer's profile features. Changes take effect at once.
import { Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { FeaturedTag } from '../api/entities.ts'
import { useInstance } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Field } from '../ui/form.tsx'
import { showError } from '../ui/toasts.tsx'
import { useLoaded } from './loaded.ts'
import './account-dialogs.css'

export function EditTags() {
  const { data, change } = useLoaded('own featured tags', () => read(api.GET('/api/v1/featured_tags')))
  const suggested = useLoaded('suggested tags', () => read(api.GET('/api/v1/featured_tags/suggestions')))
  const [name, setName] = useState('')
  const { max_featured_tags: limit } = useInstance().configuration.accounts
  const t = texts.profile_edit
  const tags = data ?? []
  const add = async (added: string) => {
    try {
      const tag = await read(api.POST('/api/v1/featured_tags', { body: { name: added } }))
      change([...tags.filter((each) => each.id !== tag.id), tag])
      setName('')
    } catch (error) {
      showError(error)
    }
  }
  const remove = async (tag: FeaturedTag) => {
    change(tags.filter((each) => each !== tag))
    try {
      await read(api.DELETE('/api/v1/featured_tags/{id}', { params: { path: { id: tag.id } } }))
    } catch (error) {
      change(tags)
      showError(error)
    }
  }
  const isFull = tags.length >= limit
  const typed = name.trim().replace(/^#/, '')
  const suggestions = (suggested.data ?? []).filter((each) => !tags.some((tag) => tag.name === each.name)).slice(0, 5)
  return (
    <fieldset class="edit-section">
      <legend>{t.featured_tags}</legend>
      <small>{t.featured_tags_hint}</small>
      <ul class="chips">
        {tags.map((tag) => (
          <li key={tag.id}>
            <bdi>#{tag.name}</bdi>
            <IconButton icon={X} label={t.remove_tag({ tag: tag.name })} onClick={() => void remove(tag)} />
          </li>
        ))}
      </ul>
      {!isFull && (
        <>
          <div class="new-list">
            <Field label={t.new_tag}>
              {(control) => (
                <input
                  {...control}
                  dir="auto"
                  value={name}
                  onInput={(event) => setName(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return
                    event.preventDefault()
                    if (typed) void add(typed)
                  }}
                />
              )}
            </Field>
            <Button icon={Plus} disabled={typed === ''} onClick={() => void add(typed)}>
              {t.add_tag}
            </Button>
          </div>
          {suggestions.length > 0 && (
            <div class="tag-suggestions" role="group" aria-label={t.suggested_tags}>
              <small>{t.suggested_tags}</small>
              {suggestions.map((tag) => (
                <Button key={tag.name} icon={Plus} onClick={() => void add(tag.name)}>
                  #{tag.name}
                </Button>
              ))}
            </div>
          )}
        </>
      )}
    </fieldset>
  )
}
