import { ImagePlus } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { ErrorNotice } from '../app/error-notice.tsx';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Picture, picturesIn, usePictureUpload } from './use-picture-upload.ts';

const texts = text.media.upload;
const ACCEPTED = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'];

interface PictureDropProps {
  onUploaded: (picture: Picture) => void;
  /** The name of the button that chooses a file. */
  action?: string;
  /** Further buttons. */
  children?: ReactNode;
  isDisabled?: boolean;
  /** A file that the person has given elsewhere. It is uploaded when this is shown. */
  file?: File | undefined;
}

/** Uploads a picture: by a button, by dropping it, or by pasting it while the focus is here. */
export function PictureDrop({
  onUploaded,
  action = texts.choose,
  children,
  isDisabled = false,
  file,
}: PictureDropProps) {
  const { send, isPending, problem, error } = usePictureUpload(onUploaded);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file is sent once
  useEffect(() => void send(file), [file]);
  return (
    <div
      className="flex flex-col gap-2"
      onPaste={(event) => {
        const [file] = picturesIn(event.clipboardData);
        if (!file || isDisabled) return;
        event.preventDefault();
        void send(file);
      }}
    >
      <DropZone
        aria-label={texts.label}
        isDisabled={isDisabled}
        getDropOperation={() => 'copy'}
        onDrop={async ({ items }) => {
          const item = items.find(({ kind }) => kind === 'file');
          if (item?.kind === 'file') void send(await item.getFile());
        }}
        className="flex flex-col items-center gap-2 rounded-10 border border-dashed border-edge px-3 py-4 text-center text-13 text-soft transition-colors data-drop-target:border-accent data-drop-target:bg-accent-tint data-focus-visible:outline-2 data-focus-visible:outline-accent"
      >
        <ImagePlus size={20} aria-hidden className="text-faint" />
        <p className="max-w-md">{texts.drop}</p>
        <div className="flex flex-wrap justify-center gap-2">
          <FileTrigger acceptedFileTypes={ACCEPTED} onSelect={(files) => void send(files?.[0])}>
            <Button size="small" isPending={isPending} isDisabled={isDisabled}>
              {action}
            </Button>
          </FileTrigger>
          {children}
        </div>
      </DropZone>
      <p role="status" className="text-13 text-soft empty:hidden">
        {isPending ? texts.pending : ''}
      </p>
      {problem !== undefined && <Notice kind="error">{problem}</Notice>}
      <ErrorNotice error={error} />
    </div>
  );
}
