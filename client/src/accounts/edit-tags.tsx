// The hashtags that the viewer's profile features. Changes take effect at once.
import { Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import { isTagName } from '../../../src/lib/text/tags.ts'
import { api, read } from '../api/client.ts'
import type { FeaturedTag } from '../api/entities.ts'
import type { Loaded } from '../state/loaded.ts'
import { useInstance } from '../state/me.ts'
import { fullNumber, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/form.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { showError } from '../ui/toasts.tsx'
import { useCached } from '../state/cached.ts'
import '../ui/chips.css'
import './account-dialogs.css'

type Tags = {
  loaded: Loaded<FeaturedTag[]>
  add: (name: string) => Promise<boolean>
  remove: (tag: FeaturedTag) => Promise<boolean>
}

function useTags(): Tags {
  const loaded = useCached('own featured tags', () => read(api.GET('/api/v1/featured_tags')))
  const { change } = loaded
  const without = (id: string) => change((now) => now.filter((each) => each.id !== id))
  const insert = (tag: FeaturedTag) => change((now) => [...now.filter(({ id }) => id !== tag.id), tag])
  const add = async (name: string) => {
    try {
      insert(await read(api.POST('/api/v1/featured_tags', { body: { name } })))
      return true
    } catch (error) {
      showError(error)
      return false
    }
  }
  const remove = (tag: FeaturedTag) => {
    without(tag.id)
    const params = { path: { id: tag.id } }
    const request = () => read(api.DELETE('/api/v1/featured_tags/{id}', { params }))
    return optimistic({ on: `featured tag ${tag.id}`, undo: () => insert(tag), request })
  }
  return { loaded, add, remove }
}

export function EditTags() {
  const { loaded, add, remove } = useTags()
  const { value: tags } = loaded
  const { max_featured_tags: limit } = useInstance().configuration.accounts
  const t = texts.profile_edit
  return (
    <fieldset class="edit-section">
      <legend>{t.featured_tags}</legend>
      <small>{t.featured_tags_hint}</small>
      {tags ? (
        <>
          <ul class="chips">
            {tags.map((tag) => (
              <li key={tag.id}>
                <bdi>#{tag.name}</bdi>
                <IconButton icon={X} label={t.remove_tag({ tag: tag.name })} onClick={() => void remove(tag)} />
              </li>
            ))}
          </ul>
          <NewTag add={add} limit={tags.length < limit ? undefined : limit} />
          {tags.length < limit && <SuggestedTags tags={tags} add={add} />}
        </>
      ) : (
        <LoadingOrFailed loaded={loaded} />
      )}
    </fieldset>
  )
}

/** `limit`: given once that many are featured. */
function NewTag({ add, limit }: Pick<Tags, 'add'> & { limit: number | undefined }) {
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isInvalid, setInvalid] = useState(false)
  const typed = name.trim().replace(/^#/, '')
  const isRefused = typed === '' || limit !== undefined
  const t = texts.profile_edit
  const submit = async () => {
    if (isRefused || isBusy) return
    if (!isTagName(typed)) return setInvalid(true)
    setBusy(true)
    if (await add(typed)) setName('')
    setBusy(false)
  }
  return (
    <div class="new-list">
      <TextField
        label={t.new_tag}
        hint={limit !== undefined && t.featured_tags_full({ limit: fullNumber(limit) })}
        errors={isInvalid ? [texts.hashtags.invalid({ name: typed })] : []}
        value={name}
        onText={(text) => {
          setName(text)
          setInvalid(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          void submit()
        }}
      />
      <Button icon={Plus} disabled={isRefused} aria-busy={isBusy} onClick={() => void submit()}>
        {t.add_tag}
      </Button>
    </div>
  )
}

/** How many are suggested. */
const SUGGESTED = 5

function SuggestedTags({ tags, add }: { tags: FeaturedTag[] } & Pick<Tags, 'add'>) {
  const { value: data } = useCached('suggested tags', () => read(api.GET('/api/v1/featured_tags/suggestions')))
  const suggested = (data ?? []).filter(({ name }) => !tags.some((tag) => tag.name === name)).slice(0, SUGGESTED)
  const t = texts.profile_edit
  if (suggested.length === 0) return null
  return (
    <div class="tag-suggestions" role="group" aria-label={t.suggested_tags}>
      <small>{t.suggested_tags}</small>
      {suggested.map(({ name }) => (
        <Button key={name} icon={Plus} onClick={() => void add(name)}>
          #{name}
        </Button>
      ))}
    </div>
  )
}
