import { Plus, X } from 'lucide'
import { useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { focusLast } from '../ui/focus-last.ts'
import { newKeyword, type FilterValues } from './filter-values.ts'

type Keywords = FilterValues['keywords']

type KeywordsProps = { keywords: Keywords; setKeywords: (keywords: Keywords) => void }

export function KeywordFields({ keywords, setKeywords }: KeywordsProps) {
  const t = texts.lists
  const group = useRef<HTMLFieldSetElement>(null)
  const change = (key: string, part: Partial<Keywords[number]>) =>
    setKeywords(keywords.map((each) => (each.key === key ? { ...each, ...part } : each)))
  const add = () => {
    setKeywords([...keywords, newKeyword()])
    focusLast(group.current, '.keyword-text')
  }
  return (
    <fieldset class="form-group" ref={group}>
      <legend>{t.keywords}</legend>
      {keywords.map(({ key, keyword, wholeWord }) => (
        <div class="keyword" key={key}>
          <input
            class="keyword-text"
            aria-label={t.keyword}
            placeholder={t.keyword}
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            value={keyword}
            onInput={({ currentTarget }) => change(key, { keyword: currentTarget.value })}
          />
          <label class="choice">
            <input
              type="checkbox"
              aria-label={t.whole_word_of({ word: keyword || t.keyword })}
              checked={wholeWord}
              onChange={({ currentTarget }) => change(key, { wholeWord: currentTarget.checked })}
            />
            <span>{t.whole_word}</span>
          </label>
          <IconButton
            icon={X}
            label={t.remove_keyword({ word: keyword || t.keyword })}
            onClick={() => setKeywords(keywords.filter((each) => each.key !== key))}
          />
        </div>
      ))}
      <Button kind="quiet" icon={Plus} onClick={add}>
        {t.add_keyword}
      </Button>
    </fieldset>
  )
}
