// Header and avatar of the viewer, where they stand on the profile, with what changes them.
import { ImageUp, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { ApiError } from '../api/client.ts'
import { useInstance, useMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { TextField } from '../ui/form.tsx'
import { lazy } from '../ui/lazy.tsx'
import { useObjectUrl } from '../ui/object-url.ts'
import { showToast } from '../ui/toasts.tsx'
import { changeProfileDraft, profileDraft, savedImage, type ProfileDraft, type ProfileImage } from './profile-draft.ts'

const CropProfileImage = lazy(() => import('./crop-profile-image.tsx').then((m) => m.CropProfileImage))

/** The address of the image as it will be. A removed one shows the server's placeholder after it is saved. */
export function useDraftImage(draft: ProfileDraft, image: ProfileImage): string | null {
  const me = useMe()
  const chosen = useObjectUrl(draft[image])
  if (draft[image] === null) return null
  return chosen ?? (image === 'avatar' ? me.avatar_static : me.header_static)
}

export function EditImages({ errors }: { errors: ApiError['details'] }) {
  const draft = profileDraft.value
  const header = useDraftImage(draft as ProfileDraft, 'header')
  const avatar = useDraftImage(draft as ProfileDraft, 'avatar')
  return (
    <div class="edit-images">
      <div class="profile-banner">{header && <img src={header} alt="" />}</div>
      <div class="profile-top">
        <span class="profile-avatar">
          {avatar ? <img src={avatar} alt="" width={96} height={96} /> : <span class="no-avatar" />}
        </span>
      </div>
      <div class="edit-images-forms">
        <EditImage image="avatar" errors={errors} />
        <EditImage image="header" errors={errors} />
      </div>
    </div>
  )
}

function EditImage({ image, errors }: { image: ProfileImage; errors: ApiError['details'] }) {
  const [file, setFile] = useState<File | null>(null)
  const draft = profileDraft.value as ProfileDraft
  const { supported_mime_types: types } = useInstance().configuration.media_attachments
  const accept = types.filter((type) => type.startsWith('image/')).join()
  const choose = async (chosen: File) => {
    if (await isShown(chosen)) setFile(chosen)
    else if (/hei[cf]/.test(chosen.type)) changeProfileDraft({ [image]: chosen })
    else showToast(texts.compose.media_type({ name: chosen.name }), { isError: true })
  }
  const t = texts.profile_edit
  const hasImage = draft[image] === undefined ? savedImage(image) !== null : draft[image] !== null
  return (
    <fieldset class="edit-image">
      <legend>{t[image]}</legend>
      <div class="buttons edit-buttons">
        <FileButton icon={ImageUp} accept={accept} onFile={(chosen) => void choose(chosen)}>
          {image === 'avatar' ? t.change_avatar : t.change_header}
        </FileButton>
        {hasImage && (
          <Button
            icon={Trash2}
            onClick={() => changeProfileDraft({ [image]: null, [`${image}_description` as const]: '' })}
          >
            {image === 'avatar' ? t.remove_avatar : t.remove_header}
          </Button>
        )}
      </div>
      {errors[image] && <p class="field-error">{errors[image].join(' ')}</p>}
      {hasImage && <ImageDescription image={image} errors={errors} />}
      {file && (
        <CropProfileImage
          image={image}
          file={file}
          onCrop={(cropped) => {
            setFile(null)
            changeProfileDraft({ [image]: cropped })
          }}
          onClose={() => setFile(null)}
        />
      )}
    </fieldset>
  )
}

/** Whether this browser can show it. The server reads HEIC, too, which most browsers do not. */
async function isShown(file: File): Promise<boolean> {
  try {
    const bitmap = await createImageBitmap(file)
    bitmap.close()
    return true
  } catch {
    return false
  }
}

function ImageDescription({ image, errors }: { image: ProfileImage; errors: ApiError['details'] }) {
  const description = `${image}_description` as const
  const limit = useInstance().configuration.accounts[`max_${description}_length`]
  const t = texts.profile_edit
  return (
    <TextField
      label={t.image_description}
      hint={t.image_description_hint}
      errors={errors[description]}
      value={profileDraft.value?.[description] ?? ''}
      maxLength={limit}
      onText={(text) => changeProfileDraft({ [description]: text })}
    />
  )
}
