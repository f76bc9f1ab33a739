// Header and avatar of a profile. Both open large.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { mayAutoplay } from '../state/motion.ts'
import { texts } from '../texts.ts'
import { showError } from '../ui/toasts.tsx'

type Name = 'header' | 'avatar'

/** The server's own image, of accounts that have none. */
const isStandard = (account: Account, name: Name): boolean =>
  account[name] === '' || account[name].endsWith('/original/missing.png')

export function ProfileImages({ account, children }: { account: Account; children?: ComponentChildren }) {
  return (
    <>
      <div class="profile-banner">
        <ProfileImage account={account} name="header" width={1500} height={500} />
      </div>
      <div class="profile-top">
        <div class="profile-avatar">
          <ProfileImage account={account} name="avatar" width={96} height={96} />
        </div>
        <div class="profile-buttons">{children}</div>
      </div>
    </>
  )
}

function ProfileImage({ account, name, ...size }: { account: Account; name: Name; width: number; height: number }) {
  const t = texts.accounts
  const image = useRef<HTMLImageElement>(null)
  const description = account[`${name}_description`]
  const shown = mayAutoplay() ? account[name] : account[`${name}_static`]
  const content = <img ref={image} src={shown} alt={description} {...size} decoding="async" />
  if (isStandard(account, name)) return content
  return (
    <button type="button" onClick={({ currentTarget }) => void enlarge(account, name, currentTarget).catch(showError)}>
      {content}
      <span class="visually-hidden">{name === 'avatar' ? t.enlarge_avatar : t.enlarge_header}</span>
    </button>
  )
}

/** The other image is one step away. */
async function enlarge(account: Account, name: Name, opener: HTMLElement): Promise<void> {
  const { openMediaViewer } = await import('../statuses/media-viewer.ts')
  const shown = (['avatar', 'header'] as const).filter((each) => !isStandard(account, each))
  const media = await Promise.all(
    shown.map(async (each) => ({
      id: each,
      type: 'image' as const,
      url: account[each],
      remote_url: null,
      preview_url: account[`${each}_static`],
      description: account[`${each}_description`],
      meta: { original: await sizeOf(account[each]) },
    })),
  )
  openMediaViewer(media, { id: name, opener })
}

/** The API does not say how large avatars and headers are. */
async function sizeOf(address: string): Promise<{ width: number; height: number }> {
  const image = new Image()
  image.src = address
  // The viewer says that an image cannot be loaded.
  await image.decode().catch(() => {})
  return { width: image.naturalWidth || 400, height: image.naturalHeight || 400 }
}
