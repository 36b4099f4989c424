import { useQuery } from '@tanstack/react-query';
import { UNUSED_PICTURE_DAYS } from '@usher/domain';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { formatDate, formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { PictureDrop } from '../../pictures/picture-drop.tsx';
import { Thumbnail } from '../../pictures/picture-grid.tsx';
import type { Picture } from '../../pictures/use-picture-upload.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';

const texts = text.media;
const DAY_MS = 24 * 60 * 60_000;

interface PictureDialogProps {
  picture: Picture;
  mayEdit: boolean;
  onClose: () => void;
}

/** One picture: its name, where it is used, and what can be done with it everywhere. */
export function PictureDialog({ picture: given, mayEdit, onClose }: PictureDialogProps) {
  const rename = useSend('PATCH /v3/edit/pictures/{id}');
  const picture = rename.data?.picture ?? given;
  const [name, setName] = useState(given.name);
  const [isDeleting, setDeleting] = useState(false);
  const { data, error } = useQuery(query('GET /v3/edit/pictures/{id}/uses', { id: picture.id }));
  const replace = useSend('POST /v3/edit/pictures/{id}/replace', ['experiences', 'kinds']);
  const uses = data?.experiences;
  const isShown = uses?.some(({ draft, published }) => draft || published) ?? true;
  const { width, height, size, unused_at } = picture;
  const details = [texts.size(width, height, formatNumber(Math.ceil(size / 1000)))];
  if (unused_at !== null)
    details.push(texts.unusedUntil(formatDate(new Date(Date.parse(unused_at) + UNUSED_PICTURE_DAYS * DAY_MS))));
  if (isDeleting) return <DeleteDialog picture={picture} onClose={() => setDeleting(false)} onDeleted={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={picture.name}
      size="medium"
      buttons={
        mayEdit && (
          <Button icon={Trash2} isDisabled={isShown} onPress={() => setDeleting(true)}>
            {texts.dialog.remove}
          </Button>
        )
      }
    >
      <Thumbnail picture={picture} className="h-56 w-full shrink-0 overflow-hidden rounded-6 border border-line" />
      <p className="text-13 text-soft">{details.join(' · ')}</p>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') rename.mutate({ id: picture.id, name: name.trim() });
        }}
      >
        <TextField
          label={texts.dialog.name}
          value={name}
          onChange={setName}
          isReadOnly={!mayEdit}
          maxLength={255}
          className="flex-1"
        />
        {mayEdit && (
          <Button type="submit" isPending={rename.isPending} isDisabled={name.trim() === ''}>
            {texts.dialog.rename}
          </Button>
        )}
      </form>
      <ErrorNotice error={rename.error} />
      <div className="flex items-center gap-2">
        <span className="text-13 text-soft">{texts.dialog.path}</span>
        <CopyButton value={picture.path} />
      </div>
      <section aria-label={texts.dialog.uses} className="flex flex-col gap-1">
        <h3 className="text-13 font-medium">{texts.dialog.uses}</h3>
        <ErrorNotice error={error} />
        {!uses && !error && <Spinner />}
        {uses?.length === 0 && <p className="text-13 text-soft">{texts.dialog.nowhere}</p>}
        <ul className="flex flex-col gap-1 empty:hidden">
          {uses?.map((use) => (
            <li key={use.id} className="flex flex-wrap items-baseline gap-x-2 text-14">
              <Link href={`/app/experiences/${use.id}`}>
                <bdi>{use.name}</bdi>
              </Link>
              <span className="text-13 text-soft">{describeUse(use)}</span>
            </li>
          ))}
        </ul>
        {mayEdit && uses && uses.length > 0 && isShown && <p className="text-13 text-soft">{texts.dialog.isUsed}</p>}
      </section>
      {mayEdit && isShown && (
        <section aria-label={texts.dialog.replace} className="flex flex-col gap-2">
          <h3 className="text-13 font-medium">{texts.dialog.replace}</h3>
          <p className="text-13 text-soft">{texts.dialog.replaceHelp}</p>
          <PictureDrop
            action={texts.upload.replace}
            isDisabled={replace.isPending}
            onUploaded={(other) =>
              replace.mutate(
                { id: picture.id, picture_id: other.id },
                {
                  onSuccess: ({ experiences }) => {
                    showToast({ title: texts.dialog.replaced(experiences.length) });
                    onClose();
                  },
                },
              )
            }
          />
          <ErrorNotice error={replace.error} />
        </section>
      )}
    </Dialog>
  );
}

function describeUse({ draft, published, history }: { draft: boolean; published: boolean; history: boolean }): string {
  const { dialog } = texts;
  const current = [...(published ? [dialog.published] : []), ...(draft ? [dialog.draft] : [])];
  return (current.length === 0 && history ? [dialog.history] : current).join(', ');
}

function DeleteDialog({
  picture,
  onClose,
  onDeleted,
}: Omit<PictureDialogProps, 'mayEdit'> & { onDeleted: () => void }) {
  const remove = useSend('DELETE /v3/edit/pictures/{id}');
  const submit = () =>
    remove.mutate(
      { id: picture.id },
      {
        onSuccess: () => {
          showToast({ title: texts.dialog.removed(picture.name) });
          onDeleted();
        },
      },
    );
  return (
    <FormDialog
      title={texts.dialog.remove}
      description={texts.dialog.confirm(picture.name)}
      action={texts.dialog.remove}
      onClose={onClose}
      onSubmit={submit}
      isPending={remove.isPending}
      focusesAction
    >
      <ErrorNotice error={remove.error} />
    </FormDialog>
  );
}
